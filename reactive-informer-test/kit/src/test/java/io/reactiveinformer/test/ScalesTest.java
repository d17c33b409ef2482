package io.reactiveinformer.test;

import io.reactiveinformer.transport.HttpRequest.Headers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.test.scheduler.VirtualTimeScheduler;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

class ScalesTest {

    private static final Headers MERGE = Headers.of("Content-Type", "application/merge-patch+json");
    private static final String WIDGETS = "/apis/example.com/v1/widgets";

    private final FakeApiServer server = FakeApiServer.builder()
            .scheduler(VirtualTimeScheduler.create())
            .with(Widgets.definition("Cluster", """
                    - name: v1
                      served: true
                      storage: true
                      subresources:
                        scale: {specReplicasPath: .spec.size.wanted, statusReplicasPath: .status.size, labelSelectorPath: .status.selector}
                      schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
                    """))
            .build();
    private final Requests requests = new Requests(server.transport());

    @AfterEach
    void close() {
        server.close();
    }

    private JsonNode get(String path) {
        return requests.get(path).json();
    }

    private static JsonNode json(String text) {
        return JsonMapper.shared().readTree(text.replace('\'', '"'));
    }

    @Test
    void ofACustomObjectIsWhereItsDefinitionSays() {
        requests.post(WIDGETS,
                "{\"metadata\":{\"name\":\"w\"},\"spec\":{\"size\":{\"wanted\":3}},\"status\":{\"size\":2,\"selector\":\"a=b\"}}");
        JsonNode scale = get(WIDGETS + "/w/scale");
        assertThat(scale.path("kind").asString()).isEqualTo("Scale");
        assertThat(scale.path("spec")).isEqualTo(json("{'replicas':3}"));
        assertThat(scale.path("status")).isEqualTo(json("{'replicas':2,'selector':'a=b'}"));
        assertThat(requests.send("PATCH", WIDGETS + "/w/scale", MERGE, "{\"spec\":{\"replicas\":7}}").json().path("spec"))
                .isEqualTo(json("{'replicas':7}"));
        assertThat(get(WIDGETS + "/w").path("spec")).isEqualTo(json("{'size':{'wanted':7}}"));
    }

    @Test
    void whatACustomObjectDoesNotSayHasNoScaleYet() {
        requests.post(WIDGETS, "{\"metadata\":{\"name\":\"w\"}}");
        var unsaid = requests.get(WIDGETS + "/w/scale");
        assertThat(unsaid.status()).isEqualTo(500);
        assertThat(unsaid.json().path("message").asString())
                .isEqualTo("Internal error occurred: the spec replicas field \".spec.size.wanted\" does not exist");
        var unset = requests.send("PATCH", WIDGETS + "/w/scale", MERGE, "{\"metadata\":{\"labels\":{\"a\":\"b\"}}}");
        assertThat(unset.status()).isEqualTo(400);
        assertThat(unset.json().path("message").asString()).isEqualTo("the spec replicas field \".spec.size.wanted\" cannot be empty");
        assertThat(requests.send("PATCH", WIDGETS + "/w/scale", MERGE, "{\"spec\":{\"replicas\":0}}").status()).isEqualTo(200);
        assertThat(get(WIDGETS + "/w").path("spec")).isEqualTo(json("{'size':{'wanted':0}}"));
    }

    @Test
    void lessThanNoneIsRefused() {
        requests.post(WIDGETS, "{\"metadata\":{\"name\":\"w\"},\"spec\":{\"size\":{\"wanted\":3}}}");
        assertThat(requests.send("PATCH", WIDGETS + "/w/scale", MERGE, "{\"spec\":{\"replicas\":-1}}").json().path("message").asString())
                .isEqualTo("Widget.example.com \"w\" is invalid: .spec.size.wanted: Invalid value: -1: should be a non-negative integer");
        server.objects().create("{apiVersion: apps/v1, kind: Deployment, metadata: {name: d}, spec: {selector: {matchLabels: {a: b}},"
                + " template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c, image: i}]}}}}");
        assertThat(requests.send("PATCH", "/apis/apps/v1/namespaces/default/deployments/d/scale", MERGE, "{\"spec\":{\"replicas\":-2}}")
                .json().path("message").asString())
                .isEqualTo("Scale.autoscaling \"d\" is invalid: spec.replicas: Invalid value: -2: must be greater than or equal to 0");
    }

    /** Go leaves a zero out. */
    @Test
    void aScaleThatSaysNothingIsNone() {
        requests.post(WIDGETS, "{\"metadata\":{\"name\":\"w\"},\"spec\":{\"size\":{\"wanted\":3}}}");
        String none = "{\"kind\":\"Scale\",\"apiVersion\":\"autoscaling/v1\",\"metadata\":{\"name\":\"w\"},\"spec\":{}}";
        assertThat(requests.send("PUT", WIDGETS + "/w/scale?fieldManager=hpa", Headers.of("Content-Type", "application/json"), none)
                .status()).isEqualTo(200);
        JsonNode widget = get(WIDGETS + "/w");
        assertThat(widget.path("spec")).isEqualTo(json("{'size':{'wanted':0}}"));
        JsonNode entry = widget.at("/metadata/managedFields").valueStream().filter(each -> each.path("manager").asString().equals("hpa"))
                .findFirst().orElseThrow();
        assertThat(entry.path("subresource").asString()).isEqualTo("scale");
        assertThat(entry.path("fieldsV1")).isEqualTo(json("{'f:spec':{'f:size':{'f:wanted':{}}}}"));
    }

    @Test
    void isAppliedToWhereItIs() {
        requests.post(WIDGETS, "{\"metadata\":{\"name\":\"w\"},\"spec\":{\"size\":{\"wanted\":3}}}");
        String wanted = "{\"kind\":\"Scale\",\"apiVersion\":\"autoscaling/v1\",\"metadata\":{\"name\":\"w\"},\"spec\":{\"replicas\":5}}";
        var applied = requests.send(
                "PATCH", WIDGETS + "/w/scale?fieldManager=hpa&force=true", Headers.of("Content-Type", "application/apply-patch+yaml"),
                wanted);
        assertThat(applied.json().path("kind").asString()).isEqualTo("Scale");
        assertThat(applied.json().path("spec")).isEqualTo(json("{'replicas':5}"));
        assertThat(get(WIDGETS + "/w").path("spec")).isEqualTo(json("{'size':{'wanted':5}}"));
        var none = requests.send(
                "PATCH", WIDGETS + "/w/scale?fieldManager=hpa", Headers.of("Content-Type", "application/apply-patch+yaml"),
                wanted.replace("\"replicas\":5", ""));
        assertThat(none.json().path("spec")).as("nothing said").isEqualTo(json("{'replicas':0}"));
        var stale = requests.send(
                "PATCH",
                WIDGETS + "/w/scale?fieldManager=hpa",
                Headers.of("Content-Type", "application/apply-patch+yaml"),
                wanted.replace("\"name\":\"w\"", "\"name\":\"w\",\"resourceVersion\":\"1\""));
        assertThat(stale.status()).isEqualTo(409);
        assertThat(stale.json().path("message").asString()).contains("the object has been modified");
    }

    @Test
    void theSelectorIsText() {
        String selector =
                "{\"matchLabels\":{\"z\":\"1\",\"b\":\"2\"},\"matchExpressions\":[{\"key\":\"c\",\"operator\":\"NotIn\",\"values\":[\"y\","
                + "\"x\"]},{\"key\":\"a\",\"operator\":\"DoesNotExist\"},{\"key\":\"d\",\"operator\":\"Exists\"}]}";
        String spec = "\"template\":{\"metadata\":{\"labels\":{\"z\":\"1\",\"b\":\"2\",\"d\":\"e\"}},"
                + "\"spec\":{\"containers\":[{\"name\":\"c\",\"image\":\"i\"}]}}}}";
        requests.post("/apis/apps/v1/namespaces/default/replicasets",
                "{\"metadata\":{\"name\":\"r\"},\"spec\":{\"selector\":" + selector + "," + spec);
        assertThat(get("/apis/apps/v1/namespaces/default/replicasets/r/scale").at("/status/selector").asString())
                .isEqualTo("!a,b=2,c notin (x,y),d,z=1");
        requests.post("/api/v1/namespaces/default/replicationcontrollers",
                "{\"metadata\":{\"name\":\"r\"},\"spec\":{\"selector\":{\"z\":\"1\"}," + spec);
        assertThat(get("/api/v1/namespaces/default/replicationcontrollers/r/scale").at("/status/selector").asString()).isEqualTo("z=1");
    }

    /** Of a type without {@code /status}, a status is a part of the object like any other. */
    @Test
    void aStatusCountsAsSpecificationWhereItHasNoPathOfItsOwn() {
        requests.post(WIDGETS, "{\"metadata\":{\"name\":\"w\"},\"spec\":{\"size\":{\"wanted\":3}}}");
        JsonNode changed = requests.send("PATCH", WIDGETS + "/w", MERGE, "{\"status\":{\"size\":1}}").json();
        assertThat(changed.at("/metadata/generation").asInt()).isEqualTo(2);
        assertThat(changed.at("/status/size").asInt()).isEqualTo(1);
        JsonNode labelled = requests.send("PATCH", WIDGETS + "/w", MERGE, "{\"metadata\":{\"labels\":{\"a\":\"b\"}}}").json();
        assertThat(labelled.at("/metadata/generation").asInt()).isEqualTo(2);
    }
}
