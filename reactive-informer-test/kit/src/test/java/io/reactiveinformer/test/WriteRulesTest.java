package io.reactiveinformer.test;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.transport.HttpRequest.Headers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.test.scheduler.VirtualTimeScheduler;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Refusals of writes by foreign clients that do not know each rule. */
class WriteRulesTest {

    private static final String MAPS = "/api/v1/namespaces/default/configmaps";
    private static final String PODS = "/api/v1/namespaces/default/pods";
    private static final String WIDGETS = "/apis/example.com/v1/widgets";
    private static final Headers JSON = Headers.of("Content-Type", "application/json");
    private static final Headers APPLY = Headers.of("Content-Type", "application/apply-patch+yaml");

    private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
    private final FakeApiServer server = FakeApiServer.builder().scheduler(time).with(Widgets.DEFINITION).build();
    private final Requests asked = new Requests(server.transport());

    @AfterEach
    void close() {
        server.close();
    }

    private static String named(String name, String rest) {
        return "{\"metadata\":{\"name\":\"" + name + "\"}" + rest + "}";
    }

    private JsonNode get(String path) {
        return asked.get(path).json();
    }

    private void pod(String name) {
        assertThat(asked.post(PODS, named(name, ",\"spec\":{\"containers\":[{\"name\":\"c\",\"image\":\"i\"}]}")).status()).isEqualTo(201);
    }

    @Test
    void anEditReturnsTheWholeTreeOfTheSameObject() {
        server.objects().create("{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {x: y}}");
        ResourceType<V1ConfigMap> maps = ResourceType.of(V1ConfigMap.class);
        ObjectKey a = ObjectKey.of("default", "a");
        assertThatThrownBy(() -> server.objects().edit(maps, a, tree -> tree.withObject("/data").put("x", "z")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("cannot edit ConfigMap default/a: the function returned a tree without kind and name; return the whole tree"
                        + " that was given, not a part of it, and create another object by create(…)");
        assertThatThrownBy(() -> server.objects().edit(maps, a, tree -> {
            tree.withObject("/metadata").put("name", "b");
            return tree;
        })).isInstanceOf(IllegalArgumentException.class).hasMessageContaining("returned ConfigMap default/b;");
        assertThat(get(MAPS).path("items")).singleElement()
                .satisfies(only -> assertThat(only.at("/data/x").asString()).isEqualTo("y"));
    }

    @Test
    void anObjectHasOneControllerAtMost() {
        String reference = "{\"apiVersion\":\"no.such/v1\",\"kind\":\"Node\",\"name\":\"%s\",\"uid\":\"%s\",\"controller\":%s}";
        String first = reference.formatted("first", "u1", true);
        String metadata = "{\"metadata\":{\"name\":\"a\",\"ownerReferences\":[%s]}}";
        String other = reference.formatted("other", "u2", false);
        assertThat(asked.post(MAPS, metadata.formatted(first + "," + other)).status()).isEqualTo(201);
        var refused = asked.send("PATCH", MAPS + "/a?fieldManager=m&force=true", APPLY,
                "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"a\",\"ownerReferences\":["
                        + reference.formatted("third", "u3", true) + "]},\"data\":{\"a\":\"b\"}}");
        assertThat(refused.status()).isEqualTo(422);
        assertThat(refused.json().path("message").asString()).contains("metadata.ownerReferences",
                "Only one reference can have Controller set to true. Found \"true\" in references for Node/first and Node/third");
        assertThat(get(MAPS + "/a").has("data")).isFalse();
    }

    @Test
    void aCustomObjectIsNotReplacedWhateverItWas() {
        asked.post(WIDGETS, named("w", ""));
        String whole = "{\"apiVersion\":\"example.com/v1\",\"kind\":\"Widget\",\"metadata\":{\"name\":\"w\",\"labels\":{\"a\":\"b\"}RV}}";
        for (String version : new String[] {"", ",\"resourceVersion\":\"0\""}) {
            var refused = asked.send("PUT", WIDGETS + "/w", JSON, whole.replace("RV", version));
            assertThat(refused.status()).isEqualTo(422);
            assertThat(refused.json().path("message").asString())
                    .contains("metadata.resourceVersion: Invalid value: 0: must be specified for an update");
        }
        String version = get(WIDGETS + "/w").at("/metadata/resourceVersion").asString();
        assertThat(asked.send("PUT", WIDGETS + "/w", JSON, whole.replace("RV", ",\"resourceVersion\":\"" + version + "\"")).status())
                .isEqualTo(200);
        asked.post(MAPS, named("c", ""));
        assertThat(asked.send("PUT", MAPS + "/c", JSON, named("c", ",\"data\":{\"k\":\"v\"}")).status()).as("others may be").isEqualTo(200);
    }

    @Test
    void evictionDoesAsItsOptionsSay() {
        pod("p");
        String eviction = named("p", ",\"apiVersion\":\"policy/v1\",\"kind\":\"Eviction\",\"deleteOptions\":OPTIONS");
        assertThat(asked.post(PODS + "/p/eviction", eviction.replace("OPTIONS", "{\"dryRun\":[\"All\"]}")).status()).isEqualTo(201);
        assertThat(asked.post(PODS + "/p/eviction?dryRun=All", eviction.replace("OPTIONS", "{}")).status()).isEqualTo(201);
        assertThat(asked.post(PODS + "/p/eviction", eviction.replace("OPTIONS", "{\"preconditions\":{\"uid\":\"other\"}}")).status())
                .isEqualTo(409);
        assertThat(asked.get(PODS + "/p").status()).isEqualTo(200);
        assertThat(asked.post(PODS + "/p/eviction", eviction.replace("OPTIONS", "{}")).status()).isEqualTo(201);
        assertThat(asked.get(PODS + "/p").status()).isEqualTo(404);
    }

    @ParameterizedTest
    @CsvSource({"/p/binding, ", "'', bindings"})
    void ofTwoSchedulersTheSecondLearnsThatItIs(String own, String collection) {
        pod("p");
        String path = collection == null ? PODS + own : "/api/v1/namespaces/default/" + collection;
        String binding = named("p", ",\"target\":{\"kind\":\"Node\",\"name\":\"NODE\"}");
        assertThat(asked.post(path + "?dryRun=All", binding.replace("NODE", "n0")).status()).isEqualTo(201);
        assertThat(asked.post(path, binding.replace("NODE", "n1")).status()).isEqualTo(201);
        var second = asked.post(path, binding.replace("NODE", "n2"));
        assertThat(second.status()).isEqualTo(409);
        assertThat(second.json().path("message").asString())
                .isEqualTo("Operation cannot be fulfilled on pods/binding \"p\": pod p is already assigned to node \"n1\"");
        assertThat(get(PODS + "/p").at("/spec/nodeName").asString()).isEqualTo("n1");
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /api/v1/namespaces/default/nodes, 404", "POST, /api/v1/namespaces/default/nodes, 404",
        "GET, /apis/example.com/v1/namespaces/default/widgets, 404", "GET, /apis/example.com/v1/namespaces/default/widgets?watch=true, 404",
        "DELETE, /api/v1/pods, 405", "POST, /api/v1/pods, 405", "GET, /api/v1/pods, 200", "GET, /api/v1/pods/p, 404",
        "DELETE, /api/v1/namespaces/default/pods/p/proxy, 501", "DELETE, /api/v1/nodes/n/proxy, 501"})
    void pathsHaveANamespaceWhereTheirTypeHasOne(String method, String path, int status) {
        pod("p");
        asked.post("/api/v1/nodes", named("n", ""));
        assertThat(asked.send(method, path, JSON, method.equals("POST") ? named("n", "") : null).status()).isEqualTo(status);
        assertThat(asked.get(PODS + "/p").status()).as("nothing is gone").isEqualTo(200);
        assertThat(asked.get("/api/v1/nodes/n").status()).isEqualTo(200);
    }

    @Test
    void whatTakesTheirPlaceSaysWhichObjectItIs() {
        asked.post(MAPS, named("c", ""));
        var nameless = asked.send("PUT", MAPS + "/c", JSON, "{\"data\":{}}");
        assertThat(nameless.status()).isEqualTo(400);
        assertThat(nameless.json().path("message").asString())
                .isEqualTo("the name of the object (c based on URL) was undeterminable: name must be provided");
        var elsewhere = asked.send("PUT", MAPS + "/c", JSON, "{\"metadata\":{\"name\":\"c\",\"namespace\":\"prod\"}}");
        assertThat(elsewhere.status()).isEqualTo(400);
        assertThat(elsewhere.json().path("message").asString())
                .isEqualTo("the namespace of the provided object does not match the namespace sent on the request");
    }

    @Test
    void aNodeIsMadeWithAllThatItsMakerSays() {
        asked.post("/api/v1/nodes", named("n", ",\"status\":{\"conditions\":[{\"type\":\"Ready\",\"status\":\"True\"}]}"));
        assertThat(get("/api/v1/nodes/n").at("/status/conditions/0/type").asString()).isEqualTo("Ready");
    }

    @Test
    void anApprovalChangesTheStatusAlone() {
        String requests = "/apis/certificates.k8s.io/v1/certificatesigningrequests";
        asked.post(requests, named("r", ",\"spec\":{\"request\":\"eA==\",\"signerName\":\"example.com/s\",\"usages\":[\"client auth\"]}"));
        var approved = asked.send("PATCH", requests + "/r/approval", Headers.of("Content-Type", "application/merge-patch+json"),
                "{\"status\":{\"conditions\":[{\"type\":\"Approved\",\"status\":\"True\",\"reason\":\"r\"}]},"
                        + "\"spec\":{\"signerName\":\"example.com/other\"}}");
        assertThat(approved.status()).isEqualTo(200);
        assertThat(get(requests + "/r").at("/status/conditions/0/type").asString()).isEqualTo("Approved");
        assertThat(get(requests + "/r").at("/spec/signerName").asString()).isEqualTo("example.com/s");
    }

    @ParameterizedTest
    @CsvSource({
        "/api/v1/nodes?fieldSelector=spec.unschedulable=false, plain", "/api/v1/nodes?fieldSelector=spec.unschedulable=true, cordoned",
        "/api/v1/nodes?fieldSelector=spec.unschedulable!=true, plain", "/apis/apps/v1/replicasets?fieldSelector=status.replicas=0, plain",
        "/apis/batch/v1/jobs?fieldSelector=status.successful=1, done", "/apis/batch/v1/jobs?fieldSelector=status.successful=0, plain",
        "/api/v1/nodes?labelSelector=v>1, plain", "/api/v1/nodes?labelSelector=v<9, plain"})
    void fieldsThatNobodySaidAreSelectedByWhatTheyMean(String path, String found) {
        server.objects().create("""
                {apiVersion: v1, kind: Node, metadata: {name: plain, labels: {v: "5"}}}
                ---
                {apiVersion: v1, kind: Node, metadata: {name: cordoned, labels: {v: abc}}, spec: {unschedulable: true}}
                ---
                {apiVersion: apps/v1, kind: ReplicaSet, metadata: {name: plain, namespace: default}, spec: {selector: {matchLabels: {a: b}},
                  template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c, image: i}]}}}}
                ---
                {apiVersion: batch/v1, kind: Job, metadata: {name: plain, namespace: default}, spec: {template: {spec: {
                  restartPolicy: Never, containers: [{name: c, image: i}]}}}}
                ---
                {apiVersion: batch/v1, kind: Job, metadata: {name: done, namespace: default}, spec: {template: {spec: {
                  restartPolicy: Never, containers: [{name: c, image: i}]}}}, status: {succeeded: 1}}
                """);
        assertThat(get(path.replace("<", "%3C").replace(">", "%3E")).path("items").valueStream()
                .map(item -> item.at("/metadata/name").asString()))
                .containsExactly(found);
    }

    @ParameterizedTest
    @CsvSource({"application/merge-patch+json, 422", "application/strategic-merge-patch+json, 422", "application/apply-patch+yaml, 400"})
    void aPatchCannotMakeASecretThatIsNoBase64(String patch, int status) {
        String secrets = "/api/v1/namespaces/default/secrets";
        asked.post(secrets, named("s", ",\"data\":{\"k\":\"djE=\"}"));
        var refused = asked.send("PATCH", secrets + "/s?fieldManager=m", Headers.of("Content-Type", patch),
                "{\"apiVersion\":\"v1\",\"kind\":\"Secret\",\"metadata\":{\"name\":\"s\"},\"data\":{\"k\":\"no base64!\"}}");
        assertThat(refused.status()).isEqualTo(status);
        assertThat(refused.json().path("message").asString()).contains("illegal base64 data at input byte 2");
        assertThatThrownBy(() -> server.objects().create("{apiVersion: v1, kind: Secret, metadata: {name: t}, data: {k: v1}}"))
                .hasMessage("Secret in version \"v1\" cannot be handled as a Secret: illegal base64 data at input byte 0");
        assertThat(asked.send("GET", secrets, Headers.of("Accept", "application/vnd.kubernetes.protobuf"), null).status()).isEqualTo(200);
    }

    /** A controller applies its object and its status again and again. */
    @Test
    void anApplyThatChangesNothingChangesNothing() {
        String applied = "{\"apiVersion\":\"example.com/v1\",\"kind\":\"Widget\",\"metadata\":{\"name\":\"w\"},\"spec\":{\"a\":1}}";
        String other = "{\"apiVersion\":\"example.com/v1\",\"kind\":\"Widget\",\"metadata\":{\"name\":\"w\"},\"spec\":{\"b\":2}}";
        String version = "";
        for (int round = 0; round < 4; round++) {
            assertThat(asked.send("PATCH", WIDGETS + "/w?fieldManager=me", APPLY, applied).status()).isBetween(200, 201);
            assertThat(asked.send("PATCH", WIDGETS + "/w?fieldManager=you", APPLY, other).status()).isEqualTo(200);
            JsonNode now = get(WIDGETS + "/w");
            if (round > 0) {
                assertThat(now.at("/metadata/resourceVersion").asString()).isEqualTo(version);
            }
            version = now.at("/metadata/resourceVersion").asString();
            time.advanceTimeBy(Duration.ofSeconds(5));
        }
        JsonNode changed = asked.send("PATCH", WIDGETS + "/w?fieldManager=me", APPLY, applied.replace("1}", "3}")).json();
        assertThat(changed.at("/metadata/resourceVersion").asString()).isNotEqualTo(version);
        assertThat(changed.at("/spec/b").asInt()).isEqualTo(2);
    }

    @Test
    void anApplyWithAVersionCreatesAndThenConflicts() {
        String map = "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"v\",\"resourceVersion\":\"1\"},"
                + "\"data\":{\"a\":\"b\"}}";
        var created = asked.send("PATCH", MAPS + "/v?fieldManager=m&force=true", APPLY, map);
        assertThat(created.status()).isEqualTo(201);
        assertThat(created.json().at("/metadata/resourceVersion").asString()).isNotEqualTo("1");
        var again = asked.send("PATCH", MAPS + "/v?fieldManager=m&force=true", APPLY, map.replace("\"b\"", "\"c\""));
        assertThat(again.status()).isEqualTo(409);
        assertThat(again.json().path("reason").asString()).isEqualTo("Conflict");
        assertThat(asked.post(MAPS, "{\"metadata\":{\"name\":\"w\",\"resourceVersion\":\"1\"}}").status()).as("a POST").isEqualTo(500);
        var gone = asked.send("PATCH", MAPS + "/u?fieldManager=m", APPLY,
                "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"u\",\"uid\":\"u1\"}}");
        assertThat(gone.status()).as("of an object that is no more").isEqualTo(409);
    }

    @ParameterizedTest
    @CsvSource({"deployments, Deployment", "replicasets, ReplicaSet", "statefulsets, StatefulSet", "daemonsets, DaemonSet"})
    void aPortOfATemplateHasTheProtocolByWhichItIsNamed(String plural, String kind) {
        String path = "/apis/apps/v1/namespaces/default/" + plural + "/a";
        String ports = "[{\"name\":\"c\",\"image\":\"c\",\"ports\":[{\"containerPort\":80}]}]";
        String object = "{\"apiVersion\":\"apps/v1\",\"kind\":\"" + kind + "\",\"metadata\":{\"name\":\"a\"},\"spec\":{"
                + "\"selector\":{\"matchLabels\":{\"a\":\"b\"}},\"template\":{\"metadata\":{\"labels\":{\"a\":\"b\"}},\"spec\":{"
                + "\"initContainers\":" + ports.replaceFirst("\"c\"", "\"d\"") + ",\"containers\":" + ports + "}}}}";
        for (int status : new int[] {201, 200}) {
            JsonNode stored = asked.send("PATCH", path + "?fieldManager=m", APPLY, object).json();
            assertThat(stored.at("/spec/template/spec/containers/0/ports/0/protocol").asString()).as("%s", status).isEqualTo("TCP");
            assertThat(stored.at("/spec/template/spec/initContainers/0/ports/0/protocol").asString()).isEqualTo("TCP");
            assertThat(stored.at("/metadata/managedFields/0/fieldsV1").toString())
                    .contains("k:{\\\"containerPort\\\":80,\\\"protocol\\\":\\\"TCP\\\"}").doesNotContain("f:protocol");
        }
    }

    @Test
    void aPortOfAServiceHasProtocolAndTarget() {
        JsonNode stored = asked.send("PATCH", "/api/v1/namespaces/default/services/a?fieldManager=m", APPLY,
                "{\"apiVersion\":\"v1\",\"kind\":\"Service\",\"metadata\":{\"name\":\"a\"},\"spec\":{\"ports\":[{\"port\":80}]}}").json();
        assertThat(stored.at("/spec/ports/0").toString()).isEqualTo("{\"protocol\":\"TCP\",\"port\":80,\"targetPort\":80}");
        assertThat(stored.at("/metadata/managedFields/0/fieldsV1/f:spec/f:ports").toString())
                .isEqualTo("{\"k:{\\\"port\\\":80,\\\"protocol\\\":\\\"TCP\\\"}\":{\".\":{},\"f:port\":{}}}");
    }

    @Test
    void whatIsAppliedDoesNotSayWhoManagesIt() {
        var refused = asked.send("PATCH", MAPS + "/c?fieldManager=me", APPLY,
                "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"c\",\"managedFields\":[{\"manager\":\"x\"}]}}");
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.json().path("message").asString()).isEqualTo("metadata.managedFields must be nil");
    }

    /** As a kube-apiserver 1.36 answered; {@code ü} has two bytes. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            labels | a | 63 |
            labels | a | 64 | metadata.labels: Invalid value: "VALUE": must be no more than 63 bytes
            labels | ü | 40 | metadata.labels: Invalid value: "VALUE": must be no more than 63 bytes
            labels | ü | 1 | metadata.labels: Invalid value: "ü": a valid label must be an empty string or consist of alphanumeric
            annotations | a | 262143 |
            annotations | a | 262144 | metadata.annotations: Too long: may not be more than 262144 bytes
            annotations | ü | 131071 |
            annotations | ü | 131072 | metadata.annotations: Too long: may not be more than 262144 bytes
            """)
    void lengthsAreThoseOfBytes(String field, String letter, int times, String refusal) {
        String value = letter.repeat(times);
        String body = "{\"metadata\":{\"name\":\"a\",\"" + field + "\":{\"x\":\"" + value + "\"}}}";
        expectRefusal(asked.post(MAPS, body), refusal == null ? null : refusal.replace("VALUE", value));
        server.objects().create("{apiVersion: v1, kind: ConfigMap, metadata: {name: b}}");
        var patched = asked.send("PATCH", MAPS + "/b", Headers.of("Content-Type", "application/merge-patch+json"),
                body.replace("\"name\":\"a\",", ""));
        expectRefusal(patched, refusal == null ? null : refusal.replace("VALUE", value));
    }

    private static void expectRefusal(Requests.Answered answered, String refusal) {
        assertThat(answered.status()).isEqualTo(refusal != null ? 422 : answered.status() == 200 ? 200 : 201);
        if (refusal != null) {
            assertThat(answered.json().path("message").asString()).contains(refusal);
        }
    }

    @Test
    void aNameHasAtMost253Letters() {
        assertThat(asked.post(MAPS, named("a".repeat(253), "")).status()).isEqualTo(201);
        var refused = asked.post(MAPS, named("a".repeat(254), ""));
        assertThat(refused.status()).isEqualTo(422);
        assertThat(refused.json().path("message").asString()).endsWith("\": must be no more than 253 characters");
    }

    @ParameterizedTest
    @CsvSource({"note, message, 1024", "reason, reason, 128", "action, action, 128", "reportingInstance, reportingInstance, 128"})
    void theTextsOfAnEventAreMeasuredInBytes(String field, String called, int most) {
        String event = "{\"metadata\":{\"generateName\":\"e\"},\"eventTime\":\"2026-01-01T00:00:00.000000Z\",\"type\":\"Normal\","
                + "\"regarding\":{\"namespace\":\"default\"},\"reportingController\":\"example.com/c\",";
        for (String required : List.of("reason", "action", "reportingInstance")) {
            event += required.equals(field) ? "" : "\"" + required + "\":\"a\",";
        }
        event += "\"" + field + "\":\"%s\"}";
        String events = "/apis/events.k8s.io/v1/namespaces/default/events";
        for (String letter : new String[] {"a", "ü"}) {
            int size = letter.getBytes(StandardCharsets.UTF_8).length;
            assertThat(asked.post(events, event.formatted(letter.repeat(most / size))).status()).isEqualTo(201);
            var refused = asked.post(events, event.formatted(letter.repeat(most / size + 1)));
            assertThat(refused.status()).isEqualTo(422);
            assertThat(refused.json().path("message").asString())
                    .endsWith(called + ": Invalid value: \"\": can have at most " + most + " characters");
        }
    }
}
