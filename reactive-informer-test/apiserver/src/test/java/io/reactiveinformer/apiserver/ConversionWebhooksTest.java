package io.reactiveinformer.apiserver;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClient;
import reactor.test.StepVerifier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

/** Custom objects that a webhook converts: v1 has a size in feet, v2 has inches too. */
class ConversionWebhooksTest {

    private static final String V1 = "/apis/example.com/v1/namespaces/default/widgets";
    private static final String V2 = "/apis/example.com/v2/namespaces/default/widgets";

    private final ApiServer server = ApiServer.builder().build().start(0);
    private final ApiCalls calls = new ApiCalls(server);
    private final List<AutoCloseable> open = new ArrayList<>(List.of(server));

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
    }

    private FakeWebhook define(Function<JsonNode, Mono<String>> reply) {
        var webhook = new FakeWebhook(reply, true);
        open.add(webhook);
        server.objects().create(Definitions.WIDGETS.formatted(strategy(webhook)));
        return webhook;
    }

    private static String strategy(FakeWebhook webhook) {
        return "{strategy: Webhook, webhook: {conversionReviewVersions: [v1], clientConfig: " + webhook.client() + "}}";
    }

    /** A response with the converted objects of a request. */
    private static Mono<String> converted(JsonNode request) {
        ObjectNode response = JsonMapper.shared().createObjectNode();
        response.putObject("result").put("status", "Success");
        var objects = response.putArray("convertedObjects");
        String version = request.path("desiredAPIVersion").asString();
        for (JsonNode object : request.path("objects")) {
            ObjectNode tree = ((ObjectNode) object.deepCopy()).put("apiVersion", version);
            ObjectNode spec = (ObjectNode) tree.path("spec");
            if (version.endsWith("v2")) {
                spec.put("inches", spec.path("size").asInt() * 12);
            } else {
                spec.remove("inches");
            }
            tree.withObject("/metadata/labels").put("from", object.path("apiVersion").asString().replace("example.com/", ""));
            objects.add(tree);
        }
        return Mono.just(response.toString());
    }

    private static String widget(String version, String name) {
        return "{\"apiVersion\":\"example.com/%s\",\"kind\":\"Widget\",\"metadata\":{\"name\":\"%s\"},\"spec\":{\"size\":2}}"
                .formatted(version, name);
    }

    private static String inches(JsonNode widget) {
        return widget.path("apiVersion").asString() + " " + widget.path("spec").path("inches").asString("none") + " "
                + widget.path("metadata").path("labels").path("from").asString("");
    }

    @Test
    void readsAndWritesAreConverted() {
        FakeWebhook webhook = define(ConversionWebhooksTest::converted);
        assertThat(inches(calls.ok("POST", V1, widget("v1", "a")))).isEqualTo("example.com/v1 none ");
        assertThat(webhook.requests()).as("v1 is stored").isEmpty();
        assertThat(inches(calls.ok("GET", V2 + "/a", ""))).isEqualTo("example.com/v2 24 v1");
        assertThat(inches(calls.ok("POST", V2, widget("v2", "b")))).isEqualTo("example.com/v2 24 v1");
        assertThat(inches(calls.ok("GET", V1 + "/b", ""))).isEqualTo("example.com/v1 none v2");
        JsonNode patched = calls.ok("PATCH", V2 + "/a", "{\"spec\":{\"size\":3}}");
        assertThat(inches(patched)).isEqualTo("example.com/v2 36 v1");
        assertThat(calls.ok("GET", V1 + "/a", "").path("spec").toString()).isEqualTo("{\"size\":3}");
        assertThat(calls.ok("DELETE", V2 + "/a", "").path("status").asString()).isEqualTo("Success");
        assertThat(server.objects().list(io.reactiveinformer.resource.ResourceType.dynamic("example.com", "v2", "widgets")))
                .extracting(ConversionWebhooksTest::inches).containsExactly("example.com/v2 24 v1");
    }

    @Test
    void aListIsConvertedByOneCall() {
        FakeWebhook webhook = define(ConversionWebhooksTest::converted);
        List.of("a", "b", "c").forEach(name -> calls.ok("POST", V1, widget("v1", name)));
        assertThat(calls.ok("GET", V2, "").path("items")).extracting(ConversionWebhooksTest::inches)
                .containsOnly("example.com/v2 24 v1").hasSize(3);
        assertThat(webhook.requests()).hasSize(1);
        assertThat(webhook.requests().get(0).path("desiredAPIVersion").asString()).isEqualTo("example.com/v2");
        assertThat(webhook.requests().get(0).path("objects")).hasSize(3);
        calls.ok("GET", V2, "");
        assertThat(webhook.requests()).hasSize(1);
    }

    @Test
    void metadataIsThatOfTheConvertedObjects() {
        define(ConversionWebhooksTest::converted);
        List.of("a", "b").forEach(name -> calls.ok("POST", V1, widget("v1", name)));
        String list = HttpClient.newConnection()
                .headers(headers -> headers.set("Accept", "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1"))
                .get().uri(server.url() + V2).responseContent().aggregate().asString().block();
        assertThat(JsonMapper.shared().readTree(list).path("items")).hasSize(2)
                .allMatch(item -> item.path("metadata").path("labels").path("from").asString().equals("v1"));
    }

    @Test
    void aWatchIsConverted() {
        define(ConversionWebhooksTest::converted);
        calls.ok("POST", V1, widget("v1", "a"));
        var lines = HttpClient.newConnection().get().uri(server.url() + V2 + "?watch=true").responseContent().asString()
                .map(line -> JsonMapper.shared().readTree(line))
                .map(event -> event.path("type").asString() + " " + inches(event.path("object")));
        StepVerifier.create(lines, 10).expectNext("ADDED example.com/v2 24 v1")
                .then(() -> calls.ok("POST", V1, widget("v1", "b")))
                .expectNext("ADDED example.com/v2 24 v1")
                .then(() -> calls.ok("DELETE", V1 + "/b", ""))
                .expectNext("DELETED example.com/v2 24 v1").thenCancel().verify(java.time.Duration.ofSeconds(20));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "{\"result\":{\"status\":\"Failed\",\"message\":\"cannot\"}} |  failed: cannot",
        "{\"result\":{\"status\":\"Failed\"}} | ' failed: response.result.status was ''Failed'', not ''Success'''",
        "{\"result\":{\"status\":\"Success\"},\"convertedObjects\":[]} | returned 0 objects, expected 1",
        "{\"result\":{\"status\":\"Success\"},\"convertedObjects\":[{\"apiVersion\":\"example.com/v1\"}]} | returned invalid object:"
                + " invalid groupVersion (expected example.com/v2, received example.com/v1)",
        "{\"result\":{\"status\":\"Success\"},\"convertedObjects\":[{\"apiVersion\":\"example.com/v2\",\"kind\":\"Widget\",\"metadata\":"
                + "{\"name\":\"b\"}}]} | returned invalid object: must have the same name: a != b",
        "{\"result\":{\"status\":\"Success\"},\"uid\":\"x\"} | failed: expected response.uid=\"U\", got \"x\"",
    })
    void aFailureIsInTheWordsOfTheServer(String response, String why) {
        FakeWebhook webhook = define(request -> Mono.just(response));
        calls.ok("POST", V1, widget("v1", "a"));
        String refused = calls.refused("GET", V2 + "/a", "");
        assertThat(refused.replace(webhook.requests().get(0).path("uid").asString(), "U"))
                .isEqualTo("500 conversion webhook for example.com/v1, Kind=Widget " + why.strip());
        assertThat(calls.refused("POST", V2, widget("v2", "b"))).startsWith("500 conversion webhook for example.com/v2, Kind=Widget ");
        assertThat(calls.send("GET", V1 + "/b", "").statusCode()).as("nothing is stored").isEqualTo(404);
    }

    @Test
    void anObjectStaysInTheVersionInWhichItWasStored() {
        FakeWebhook webhook = define(ConversionWebhooksTest::converted);
        calls.ok("POST", V1, widget("v1", "a"));
        server.objects().update(Definitions.WIDGETS.formatted(strategy(webhook))
                .replace("storage: true", "storage: x").replace("storage: false", "storage: true").replace("storage: x", "storage: false"));
        assertThat(inches(calls.ok("GET", V1 + "/a", ""))).isEqualTo("example.com/v1 none ");
        assertThat(webhook.requests()).isEmpty();
        assertThat(inches(calls.ok("GET", V2 + "/a", ""))).isEqualTo("example.com/v2 24 v1");
        calls.ok("PATCH", V2 + "/a", "{\"metadata\":{\"annotations\":{\"touched\":\"\"}}}");
        int before = webhook.requests().size();
        assertThat(inches(calls.ok("GET", V2 + "/a", ""))).as("stored in v2 now").isEqualTo("example.com/v2 24 v1");
        assertThat(webhook.requests()).hasSize(before);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "{strategy: Webhook} | spec.conversion.webhookClientConfig: Required value: required when strategy is set to Webhook",
        "{strategy: Webhook, webhook: {conversionReviewVersions: [v1], clientConfig: {url: 'http://x/y'}}} | spec.conversion"
                + ".webhookClientConfig.url: Invalid value: \"http\": 'https' is the only allowed URL scheme; desired format:"
                + " https://host[/path]",
        "{strategy: Webhook, webhook: {conversionReviewVersions: [v1], clientConfig: {}}} | spec.conversion.webhookClientConfig:"
                + " Required value: exactly one of url or service is required",
        "{strategy: Other} | spec.conversion.strategy: Unsupported value: \"Other\": supported values: \"None\", \"Webhook\"",
        "{strategy: None, webhook: {conversionReviewVersions: [v1], clientConfig: {url: 'https://x/y'}}} |"
                + " spec.conversion.webhookClientConfig: Forbidden: should not be set when strategy is not set to Webhook",
    })
    void aDefinitionWithAWrongWebhookIsRefused(String conversion, String refusal) {
        String path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
        assertThat(calls.refused("POST", path, Definitions.WIDGETS.formatted(conversion)))
                .isEqualTo("422 CustomResourceDefinition.apiextensions.k8s.io \"widgets.example.com\" is invalid: " + refusal);
    }

    @Test
    void aVersionInWhichObjectsMayBeStoredStays() {
        String definition = Definitions.WIDGETS.formatted("{strategy: None}");
        String path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
        calls.ok("POST", path, definition);
        String one = path + "/widgets.example.com";
        String switched = calls.ok("GET", one, "").toString().replace("\"storage\":true", "\"storage\":x")
                .replace("\"storage\":false", "\"storage\":true").replace("\"storage\":x", "\"storage\":false");
        assertThat(calls.ok("PUT", one, switched).at("/status/storedVersions").toString()).isEqualTo("[\"v1\",\"v2\"]");
        ObjectNode without = (ObjectNode) calls.ok("GET", one, "");
        without.withArray("/spec/versions").remove(0);
        assertThat(calls.refused("PUT", one, without.toString())).isEqualTo("422 CustomResourceDefinition.apiextensions.k8s.io"
                + " \"widgets.example.com\" is invalid: status.storedVersions[0]: Invalid value: \"v1\": missing from spec.versions; v1 was"
                + " previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains"
                + " persisted in v1 and removes v1 from status.storedVersions");
        calls.ok("PATCH", one + "/status", "{\"status\":{\"storedVersions\":[\"v2\"]}}");
        ((ObjectNode) without.path("metadata")).set("resourceVersion", calls.ok("GET", one, "").at("/metadata/resourceVersion"));
        assertThat(calls.ok("PUT", one, without.toString()).at("/status/storedVersions").toString()).isEqualTo("[\"v2\"]");
    }

    @Test
    void definitionsDoNotShareNames() {
        String path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
        String definition = Definitions.WIDGETS.formatted("{strategy: None}");
        calls.ok("POST", path, definition);
        calls.ok("POST", path, definition.replace("widgets", "gadgets").replace("names: {", "names: {singular: widget, "));
        JsonNode second = calls.ok("GET", path + "/gadgets.example.com", "");
        assertThat(second.path("status").path("conditions")).extracting(each -> String.join(" ", each.path("type").asString(),
                each.path("status").asString(), each.path("reason").asString(), each.path("message").asString())).containsExactly(
                "NamesAccepted False ListKindConflict \"WidgetList\" is already in use",
                "Established False NotAccepted not all names are accepted");
        assertThat(second.at("/status/acceptedNames").toString()).isEqualTo("{\"plural\":\"gadgets\",\"kind\":\"\"}");
        assertThat(calls.send("GET", V1.replace("widgets", "gadgets"), "").statusCode()).isEqualTo(404);
        calls.ok("DELETE", path + "/widgets.example.com", "");
        calls.ok("GET", V1.replace("widgets", "gadgets"), "");
    }
}
