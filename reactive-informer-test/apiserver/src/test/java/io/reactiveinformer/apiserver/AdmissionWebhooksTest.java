package io.reactiveinformer.apiserver;

import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.scheduler.VirtualTimeScheduler;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/** Webhooks of admission, called over HTTPS. */
class AdmissionWebhooksTest {

    private static final String MAPS = "/api/v1/namespaces/default/configmaps";
    private static final String ALL_MAPS = "{operations: ['*'], apiGroups: [''], apiVersions: [v1], resources: [configmaps]}";

    private final ApiServer server = ApiServer.builder().build().start(0);
    private final ApiCalls calls = new ApiCalls(server);

    @AfterEach
    void close() {
        server.close();
    }

    private static String configuration(String kind, String name, String rule, String client, String more) {
        return """
                apiVersion: admissionregistration.k8s.io/v1
                kind: %sWebhookConfiguration
                metadata: {name: %s}
                webhooks:
                  - {name: %s.example.com, sideEffects: None, admissionReviewVersions: [v1], rules: [%s], clientConfig: %s%s}
                """.formatted(kind, name, name, rule, client, more.isEmpty() ? "" : ", " + more);
    }

    private void register(String kind, String name, String client, String more) {
        calls.ok("POST", "/apis/admissionregistration.k8s.io/v1/" + kind.toLowerCase(java.util.Locale.ROOT) + "webhookconfigurations",
                configuration(kind, name, ALL_MAPS, client, more));
    }

    private static String map(String name) {
        return "{\"metadata\":{\"name\":\"" + name + "\"},\"data\":{\"a\":\"1\"}}";
    }

    @Test
    void aMutatingWebhookChangesWhatIsStored() {
        try (FakeWebhook webhook = FakeWebhook.replying(FakeWebhook.patch("[{\"op\":\"add\",\"path\":\"/data/b\",\"value\":\"2\"}]"))) {
            register("Mutating", "m", webhook.client(), "");
            JsonNode created = calls.ok("POST", MAPS + "?fieldManager=me",
                    "{\"metadata\":{\"generateName\":\"x-\"},\"data\":{\"a\":\"1\"}}");
            assertThat(created.path("data").toString()).isEqualTo("{\"a\":\"1\",\"b\":\"2\"}");
            assertThat(created.path("metadata").path("managedFields").toString()).contains("f:a").doesNotContain("f:b");
            JsonNode request = webhook.requests().get(0);
            assertThat(webhook.requests()).hasSize(1);
            assertThat(request.path("kind").toString()).isEqualTo("{\"group\":\"\",\"version\":\"v1\",\"kind\":\"ConfigMap\"}");
            assertThat(request.path("requestKind")).isEqualTo(request.path("kind"));
            assertThat(request.path("resource").toString()).isEqualTo("{\"group\":\"\",\"version\":\"v1\",\"resource\":\"configmaps\"}");
            assertThat(request.path("namespace").asString()).isEqualTo("default");
            assertThat(request.path("operation").asString()).isEqualTo("CREATE");
            assertThat(request.path("userInfo").path("groups").toString()).contains("system:masters");
            assertThat(request.path("dryRun").asBoolean()).isFalse();
            assertThat(request.path("oldObject").isNull()).isTrue();
            assertThat(request.path("options").toString())
                    .isEqualTo("{\"kind\":\"CreateOptions\",\"apiVersion\":\"meta.k8s.io/v1\",\"fieldManager\":\"me\"}");
            assertThat(request.path("object").path("metadata").has("uid")).as("made after it").isFalse();
            assertThat(request.has("name") || request.path("object").path("metadata").has("name")).as("made after it").isFalse();
            assertThat(created.path("metadata").path("name").asString()).startsWith("x-");
        }
    }

    @Test
    void aWebhookMayFillInWhatIsRequired() {
        server.objects().create(Definitions.WIDGETS.formatted("{strategy: None}"));
        try (FakeWebhook webhook = FakeWebhook.replying(FakeWebhook.patch("[{\"op\":\"add\",\"path\":\"/spec/size\",\"value\":3}]"))) {
            server.objects().create(configuration("Mutating", "m", ALL_MAPS.replace("''", "example.com").replace("configmaps", "widgets"),
                    webhook.client(), ""));
            JsonNode widget = calls.ok("POST", "/apis/example.com/v1/namespaces/default/widgets", """
                    {"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"w"},"spec":{}}""");
            assertThat(widget.path("spec").toString()).isEqualTo("{\"size\":3}");
            JsonNode other = calls.ok("POST", "/apis/example.com/v2/namespaces/default/widgets", """
                    {"apiVersion":"example.com/v2","kind":"Widget","metadata":{"name":"o"},"spec":{}}""");
            assertThat(other.path("apiVersion").asString()).isEqualTo("example.com/v2");
            assertThat(webhook.requests().get(1).path("kind").path("version").asString()).as("Equivalent").isEqualTo("v1");
            assertThat(webhook.requests().get(1).path("object").path("apiVersion").asString()).isEqualTo("example.com/v1");
            assertThat(webhook.requests().get(1).path("requestKind").path("version").asString()).isEqualTo("v2");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "{\"allowed\":false,\"status\":{\"code\":403,\"message\":\"no\"}} | 403 admission webhook \"v.example.com\" denied the request: no",
        "{\"allowed\":false,\"status\":{\"reason\":\"Why\"}} | 400 admission webhook \"v.example.com\" denied the request: Why",
        "{\"allowed\":false} | 400 admission webhook \"v.example.com\" denied the request without explanation",
        "{\"allowed\":true,\"patch\":\"W10=\"} | 500 Internal error occurred: failed calling webhook \"v.example.com\": received invalid"
                + " webhook response: validating webhook may not return response.patch",
        "{\"allowed\":true,\"uid\":\"x\"} | 500 Internal error occurred: failed calling webhook \"v.example.com\": received invalid webhook"
                + " response: expected response.uid=\"U\", got \"x\"",
    })
    void aRefusalIsInTheWordsOfTheServer(String response, String refusal) {
        try (FakeWebhook webhook = FakeWebhook.replying(response)) {
            register("Validating", "v", webhook.client(), "");
            String refused = calls.refused("POST", MAPS, map("a"));
            String uid = webhook.requests().get(0).path("uid").asString();
            assertThat(refused.replace(uid, "U")).isEqualTo(refusal);
            assertThat(calls.send("GET", MAPS + "/a", "").statusCode()).isEqualTo(404);
            assertThat(webhook.requests().get(0).path("object").path("metadata").path("uid").asString()).isNotEmpty();
        }
    }

    @Test
    void aWebhookThatCannotBeReachedFailsOrIsIgnored() {
        int port;
        try (FakeWebhook gone = FakeWebhook.replying("{}")) {
            port = gone.port();
        }
        String client = "{url: 'https://127.0.0.1:" + port + "/v'}";
        register("Validating", "v", client, "failurePolicy: Ignore");
        register("Mutating", "m", client, "failurePolicy: Ignore");
        calls.ok("POST", MAPS, map("a"));
        register("Mutating", "n", client, "");
        assertThat(calls.refused("POST", MAPS, map("b"))).isEqualTo("500 Internal error occurred: failed calling webhook \"n.example.com\":"
                + " failed to call webhook: Post \"https://127.0.0.1:" + port + "/v?timeout=10s\": dial tcp 127.0.0.1:" + port
                + ": connect: connection refused");
    }

    @Test
    void aCertificateOfAnotherAuthorityIsNotTrusted() {
        try (FakeWebhook webhook = FakeWebhook.replying("{\"allowed\":true}"); FakeWebhook other = FakeWebhook.replying("{}")) {
            register("Validating", "v", webhook.client().replace(webhook.bundle(), other.bundle()), "");
            assertThat(calls.refused("POST", MAPS, map("a"))).contains("tls: failed to verify certificate");
            assertThat(webhook.requests()).isEmpty();
        }
    }

    @Test
    void theTimeOfAWebhookIsThatOfTheServer() throws Exception {
        VirtualTimeScheduler time = VirtualTimeScheduler.create();
        var asked = new CompletableFuture<JsonNode>();
        try (FakeWebhook webhook = new FakeWebhook(request -> {
            asked.complete(request);
            return Mono.empty();
        }, true); ApiServer late = ApiServer.builder().scheduler(time).build().start(0)) {
            late.objects().create(configuration("Validating", "v", ALL_MAPS, webhook.client(), "timeoutSeconds: 30"));
            CompletableFuture<HttpResponse<String>> answer = new ApiCalls(late).later("POST", MAPS, map("a"));
            asked.get(10, TimeUnit.SECONDS);
            new ApiCalls(late).ok("GET", MAPS, ""); // nothing else waits
            late.objects().create("{apiVersion: v1, kind: Secret, metadata: {name: s}}");
            assertThat(answer).isNotDone();
            time.advanceTimeBy(Duration.ofSeconds(30));
            assertThat(answer.get(10, TimeUnit.SECONDS).body()).contains("/hook?timeout=30s\\\": context deadline exceeded");
        }
    }

    @Test
    void aWebhookMayUseTheServerMeanwhile() {
        try (FakeWebhook webhook = new FakeWebhook(request -> Mono.fromCallable(() -> {
            calls.ok("POST", "/api/v1/namespaces/default/secrets", "{\"metadata\":{\"name\":\"of-the-webhook\"}}");
            return "{\"allowed\":true,\"warnings\":[\"look out\"]}";
        }).subscribeOn(Schedulers.boundedElastic()), true)) {
            register("Validating", "v", webhook.client(), "");
            HttpResponse<String> answer = calls.send("POST", MAPS, map("a"));
            assertThat(answer.statusCode()).isEqualTo(201);
            assertThat(answer.headers().allValues("Warning")).containsExactly("299 - \"look out\"");
        }
    }

    @Test
    void aWebhookIsCalledAgainIfALaterOneChangedTheObject() {
        String once = FakeWebhook.patch("[{\"op\":\"add\",\"path\":\"/data/b\",\"value\":\"2\"}]");
        try (FakeWebhook first = FakeWebhook.replying("{\"allowed\":true}"); FakeWebhook second = FakeWebhook.replying(once)) {
            register("Mutating", "c", second.client(), "reinvocationPolicy: IfNeeded");
            register("Mutating", "a", first.client(), "reinvocationPolicy: IfNeeded");
            register("Mutating", "b", first.client(), "");
            calls.ok("POST", MAPS, map("x"));
            assertThat(first.requests()).extracting(request -> request.path("object").path("data").toString())
                    .containsExactly("{\"a\":\"1\"}", "{\"a\":\"1\"}", "{\"a\":\"1\",\"b\":\"2\"}");
            assertThat(second.requests()).hasSize(1);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "CREATE | | {operations: [CREATE], apiGroups: ['*'], apiVersions: ['*'], resources: ['*']} |",
        "UPDATE | | {operations: [UPDATE], apiGroups: [''], apiVersions: [v1], resources: [configmaps]} |",
        "DELETE | | {operations: [DELETE], apiGroups: [''], apiVersions: [v1], resources: ['*/*']} |",
        "'' | | {operations: ['*'], apiGroups: [apps], apiVersions: ['*'], resources: ['*/*']} |",
        "'' | | {operations: ['*'], apiGroups: [''], apiVersions: [v2], resources: ['*']} |",
        "'' | | {operations: ['*'], apiGroups: [''], apiVersions: [v1], resources: ['configmaps/*']} |",
        "'' | | {operations: ['*'], apiGroups: [''], apiVersions: [v1], resources: ['*'], scope: Cluster} |",
        "CREATE UPDATE DELETE | objectSelector: {matchExpressions: [{key: a, operator: DoesNotExist}]} | ALL |",
        "'' | objectSelector: {matchLabels: {a: b}} | ALL |",
        "CREATE UPDATE DELETE | namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: default}} | ALL |",
        "'' | namespaceSelector: {matchExpressions: [{key: kubernetes.io/metadata.name, operator: NotIn, values: [default]}]} | ALL |",
    })
    void rulesAndSelectorsChooseTheWrites(String operations, String more, String rule, String none) {
        try (FakeWebhook webhook = FakeWebhook.replying("{\"allowed\":true}")) {
            server.objects().create(configuration("Validating", "v", rule.equals("ALL") ? ALL_MAPS : rule, webhook.client(),
                    more == null ? "" : more));
            calls.ok("POST", MAPS, map("a"));
            calls.ok("PATCH", MAPS + "/a", "{\"data\":{\"a\":\"2\"}}");
            calls.ok("DELETE", MAPS + "/a", "");
            assertThat(webhook.requests()).extracting(request -> request.path("operation").asString())
                    .isEqualTo(operations.isEmpty() ? List.of() : List.of(operations.split(" ")));
        }
    }

    @Test
    void aDeletionIsAskedForEachObjectBeforeAnyGoes() {
        try (FakeWebhook webhook = new FakeWebhook(request -> Mono.just(request.path("operation").asString().equals("DELETE")
                && request.path("name").asString().equals("b") ? "{\"allowed\":false}" : "{\"allowed\":true}"), true)) {
            List.of("a", "b").forEach(name -> calls.ok("POST", MAPS, map(name)));
            register("Validating", "v", webhook.client(), "");
            assertThat(calls.refused("DELETE", MAPS, "")).startsWith("400 admission webhook");
            assertThat(calls.ok("GET", MAPS, "").path("items")).hasSize(2);
            assertThat(webhook.requests().get(0).path("object").isNull()).isTrue();
            assertThat(webhook.requests().get(0).path("oldObject").path("metadata").path("name").asString()).isEqualTo("a");
        }
    }

    @Test
    void anUpdateThatLostARaceIsAskedAnew() {
        var change = new AtomicReference<Runnable>(() -> { });
        try (FakeWebhook webhook = new FakeWebhook(request -> Mono.fromCallable(() -> {
            change.getAndSet(() -> { }).run();
            return "{\"allowed\":true}";
        }).subscribeOn(Schedulers.boundedElastic()), true)) {
            calls.ok("POST", MAPS, map("a"));
            register("Validating", "v", webhook.client(), "");
            change.set(() -> server.objects().update("{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {a: other}}"));
            JsonNode patched = calls.ok("PATCH", MAPS + "/a", "{\"data\":{\"b\":\"2\"}}");
            assertThat(patched.path("data").toString()).isEqualTo("{\"a\":\"other\",\"b\":\"2\"}");
            assertThat(webhook.requests()).extracting(request -> request.path("oldObject").path("data").path("a").asString())
                    .containsExactly("1", "other");
        }
    }

    @Test
    void aServiceStandsForTheAddressInItsAnnotation() {
        try (FakeWebhook plain = new FakeWebhook(request -> Mono.just("{\"allowed\":true}"), false);
                FakeWebhook secure = FakeWebhook.replying("{\"allowed\":true}")) {
            String client = "{service: {namespace: tools, name: hooks, path: /v}, caBundle: " + secure.bundle() + "}";
            register("Validating", "v", client, "");
            assertThat(calls.refused("POST", MAPS, map("a")))
                    .endsWith("Post \"https://hooks.tools.svc:443/v?timeout=10s\": service \"hooks\" not found");
            server.objects().create(
                    "{apiVersion: v1, kind: Service, metadata: {name: hooks, namespace: tools}, spec: {ports: [{port: 443}]}}");
            assertThat(calls.refused("POST", MAPS, map("a"))).contains("set the annotation simulation.reactiveinformer.io/address");
            for (String address : List.of("http://127.0.0.1:" + plain.port(), "https://127.0.0.1:" + secure.port())) {
                calls.ok("PATCH", "/api/v1/namespaces/tools/services/hooks",
                        "{\"metadata\":{\"annotations\":{\"simulation.reactiveinformer.io/address\":\"" + address + "\"}}}");
                calls.ok("POST", MAPS, "{\"metadata\":{\"generateName\":\"a\"}}");
            }
            assertThat(plain.requests()).hasSize(1);
            assertThat(secure.requests()).hasSize(1);
        }
    }

    @Test
    void aConfigurationIsCheckedAndCompleted() {
        String path = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";
        assertThat(calls.refused("POST", path, configuration("Validating", "v", ALL_MAPS, "{url: 'http://localhost/x'}", "")))
                .isEqualTo("422 ValidatingWebhookConfiguration.admissionregistration.k8s.io \"v\" is invalid:"
                        + " webhooks[0].clientConfig.url: Invalid value: \"http\": 'https' is the only allowed URL scheme; desired format:"
                        + " https://host[/path]");
        assertThat(calls.refused("POST", path, configuration("Validating", "v", ALL_MAPS, "{}", "").replace("sideEffects: None, ", "")))
                .contains("webhooks[0].clientConfig: Required value: exactly one of url or service is required")
                .contains("webhooks[0].sideEffects: Required value: must specify one of None, NoneOnDryRun");
        JsonNode stored = calls.ok("POST", path, configuration("Validating", "v", ALL_MAPS, "{service: {namespace: n, name: s}}", ""));
        JsonNode webhook = stored.path("webhooks").path(0);
        assertThat(webhook.path("failurePolicy").asString() + webhook.path("timeoutSeconds") + webhook.path("matchPolicy").asString())
                .isEqualTo("Fail10Equivalent");
        assertThat(webhook.path("clientConfig").path("service").path("port").asInt()).isEqualTo(443);
    }

    @Test
    void conditionsChooseTheWrites() {
        String patch = FakeWebhook.patch("[{\"op\":\"add\",\"path\":\"/data/b\",\"value\":\"2\"}]");
        try (FakeWebhook webhook = FakeWebhook.replying("{\"allowed\":true}"); FakeWebhook second = FakeWebhook.replying(patch)) {
            register("Mutating", "a", webhook.client(),
                    "reinvocationPolicy: IfNeeded, matchConditions: [{name: b, expression: 'has(object.data.b)'}]");
            register("Mutating", "b", second.client(), "");
            calls.ok("POST", MAPS, map("x"));
            assertThat(webhook.requests()).as("it is not called again unless it was called").isEmpty();
            register("Validating", "c", webhook.client(), "matchConditions: [{name: a, expression: 'int(object.data.c) > 1'}]");
            assertThat(calls.refused("POST", MAPS, map("y"))).isEqualTo("403 configmaps \"y\" is forbidden: expression"
                    + " 'int(object.data.c) > 1' resulted in error: no such key: c");
            calls.ok("POST", MAPS, map("z").replace("\"a\"", "\"c\""));
            assertThat(webhook.requests()).isEmpty();
        }
        assertThat(calls.refused("POST", "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations",
                configuration("Validating", "d", ALL_MAPS, "{url: 'https://x/y'}", "matchConditions: [{name: a, expression: nothing}]")))
                .contains(" is invalid: webhooks[0].matchConditions[0].expression: Invalid value: \"nothing\": compilation failed: ERROR:");
    }

    @Test
    void allWebhooksAreAskedAndTheFirstRefusalIsTheAnswer() {
        try (FakeWebhook webhook = FakeWebhook.replying("{\"allowed\":false}")) {
            register("Validating", "a", webhook.client(), "");
            register("Validating", "b", webhook.client(), "");
            assertThat(calls.refused("POST", MAPS, map("x"))).contains("\"a.example.com\"");
            assertThat(webhook.requests()).hasSize(2);
        }
    }

    @Test
    void anEmptyPatchChangesNothingAndOthersAreOfAKnownType() {
        String foo = FakeWebhook.patch("[{\"op\":\"add\",\"path\":\"/data/b\",\"value\":\"2\"}]").replace("JSONPatch", "Foo");
        try (FakeWebhook webhook = FakeWebhook.replying(FakeWebhook.patch("[]")); FakeWebhook other = FakeWebhook.replying(foo)) {
            register("Mutating", "m", webhook.client(), "");
            calls.ok("POST", MAPS, map("x"));
            calls.ok("PATCH", MAPS + "/x", "{\"data\":{\"a\":\"3\"}}");
            calls.ok("DELETE", MAPS + "/x", "{\"propagationPolicy\":\"Background\",\"gracePeriodSeconds\":5}");
            assertThat(webhook.requests()).extracting(request -> request.path("options").path("kind").asString())
                    .containsExactly("CreateOptions", "UpdateOptions", "DeleteOptions");
            assertThat(webhook.requests().get(2).at("/options/gracePeriodSeconds").asInt()).isEqualTo(5);
            register("Mutating", "n", other.client(), "");
            assertThat(calls.refused("POST", MAPS, map("y")))
                    .endsWith("failed calling webhook \"n.example.com\": unsupported patch type \"Foo\"");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "503 | the server is currently unable to handle the request",
        "429 | the server has received too many requests and has asked us to try again later",
        "401 | the server has asked for the client to provide credentials",
        "418 | the server responded with the status code 418 but did not return more information",
        "500 | an error on the server (\"\") has prevented the request from succeeding",
    })
    void aStatusOfAWebhookIsToldInTheWordsOfTheServer(String code, String words) {
        try (FakeWebhook webhook = FakeWebhook.replying(code)) {
            register("Validating", "v", webhook.client(), "");
            assertThat(calls.refused("POST", MAPS, map("a"))).endsWith("\"v.example.com\": failed to call webhook: " + words);
        }
    }
}
