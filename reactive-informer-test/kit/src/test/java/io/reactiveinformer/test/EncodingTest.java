package io.reactiveinformer.test;

import io.reactiveinformer.apiserver.internal.cluster.Json;
import io.reactiveinformer.apiserver.internal.cluster.YamlText;
import io.reactiveinformer.transport.HttpRequest.Headers;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/** Which encoding a client gets, by what it accepts; recording 41 is the judge of the bytes. */
class EncodingTest {

    private static final String PROTOBUF = "application/vnd.kubernetes.protobuf";
    private static final String YAML = "application/yaml";
    private static final String JSON = "application/json";
    private static final String CONFIG_MAPS = "/api/v1/configmaps";

    private final FakeApiServer server = FakeApiServer.builder()
            .with("{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {k: v}}")
            .with("""
                    apiVersion: apiextensions.k8s.io/v1
                    kind: CustomResourceDefinition
                    metadata: {name: widgets.example.com}
                    spec:
                      group: example.com
                      names: {plural: widgets, kind: Widget}
                      scope: Namespaced
                      versions:
                      - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}
                    """)
            .build();
    private final Requests requests = new Requests(server.transport());

    @AfterEach
    void close() {
        server.close();
    }

    private Requests.Answered get(String uri, String accept) {
        return requests.send("GET", uri, Headers.of("Accept", accept), null);
    }

    private String type(String uri, String accept) {
        return get(uri, accept).headers().first("Content-Type").orElse("");
    }

    @Test
    void givesTheFirstThatItCan() {
        assertThat(type(CONFIG_MAPS, PROTOBUF)).isEqualTo(PROTOBUF);
        assertThat(type(CONFIG_MAPS, PROTOBUF + "," + JSON)).isEqualTo(PROTOBUF);
        assertThat(type(CONFIG_MAPS, JSON + "," + PROTOBUF)).isEqualTo(JSON);
        assertThat(type(CONFIG_MAPS, YAML)).isEqualTo(YAML);
        assertThat(type("/apis/example.com/v1/widgets", PROTOBUF + "," + JSON)).isEqualTo(JSON);
        assertThat(get("/apis/example.com/v1/widgets", PROTOBUF).status()).isEqualTo(406);
        assertThat(type("/apis/example.com/v1/widgets", PROTOBUF + ";as=PartialObjectMetadataList;v=v1;g=meta.k8s.io")).isEqualTo(PROTOBUF);
        assertThat(type(CONFIG_MAPS, PROTOBUF + ";as=Table;v=v1;g=meta.k8s.io," + JSON + ";as=Table;v=v1;g=meta.k8s.io")).isEqualTo(JSON);
        assertThat(get(CONFIG_MAPS + "?watch=true&timeoutSeconds=1", YAML).status()).isEqualTo(406);
    }

    @Test
    void saysTheSameInEach() {
        for (String uri : new String[] {CONFIG_MAPS, "/api/v1/namespaces/default/configmaps/a",
                CONFIG_MAPS + "?watch=true&resourceVersion=0&timeoutSeconds=1"}) {
            assertThat(Json.read(get(uri, PROTOBUF).body().getBytes(StandardCharsets.UTF_8)))
                    .as(uri)
                    .isEqualTo(Json.read(get(uri, JSON).body().getBytes(StandardCharsets.UTF_8)));
        }
        assertThat(get(CONFIG_MAPS, YAML).json()).isEqualTo(get(CONFIG_MAPS, JSON).json());
        assertThat(requests.send("POST", "/api/v1/namespaces/default/configmaps",
                        Headers.of("Accept", PROTOBUF).with("Content-Type", JSON), "{\"metadata\":{\"name\":\"b\"}}")
                                .json().path("kind").asString())
                .isEqualTo("ConfigMap");
    }

    @Test
    void showsAPodsLogAsText() {
        server.objects()
                .create("{apiVersion: v1, kind: Pod, metadata: {name: p, annotations: {simulation.reactiveinformer.io/log: hello}},"
                        + "spec: {containers: [{name: c, image: i}]}}");
        assertThat(get("/api/v1/namespaces/default/pods/p/log", JSON).body()).isEqualTo("hello");
        assertThat(type("/api/v1/namespaces/default/pods/p/log", PROTOBUF + "," + JSON)).startsWith("text/plain");
        assertThat(get("/api/v1/namespaces/default/pods/p/exec", JSON).status()).isEqualTo(501);
        assertThat(get("/api/v1/namespaces/default/pods/p?resourceVersion=abc", JSON).status()).isEqualTo(200);
    }

    @Test
    void writesYamlThatReadsAsItWas() {
        JsonNode tree = Json.read("""
                {"text": ["a b", "yes", "null", "", " x", "1", "1.5", "a: b", "a:b", "#c", "-", "two\\nlines", "2026-11-21T02:11:12Z", \
                "é", "~", "."],
                 "k:{\\"a\\":1}": {}, ".": [], "nested": [[1, [2]], {"a": {"b": [true, null]}, "c": [{"d": 1}]}], "n": 1.25}
                """.replace("\\\\", "\\").getBytes(StandardCharsets.UTF_8));
        String yaml = YamlText.write(tree);
        assertThat(YamlText.read(yaml)).as(yaml).containsExactly(tree);
        assertThat(YamlText.write(Json.read("{\"metadata\":{\"name\":\"a\",\"items\":[{\"x\":\"1\",\"w\":{\"z\":true}}]},\"kind\":\"Pod\"}"
                .getBytes(StandardCharsets.UTF_8))))
                .isEqualTo("kind: Pod\nmetadata:\n  items:\n  - w:\n      z: true\n    x: \"1\"\n  name: a\n");
    }
}
