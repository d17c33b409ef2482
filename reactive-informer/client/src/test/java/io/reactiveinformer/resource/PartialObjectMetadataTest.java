package io.reactiveinformer.resource;

import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import io.kubernetes.client.openapi.models.V1Pod;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class PartialObjectMetadataTest {

    private static final V1ObjectMeta META = new V1ObjectMeta().namespace("prod").name("web").uid("u1");

    private record Website(String apiVersion, String kind, @Nullable V1ObjectMeta metadata) {}

    private record Bare(V1ObjectMeta metadata) {}

    private record Tree(JsonNode metadata) {}

    private record Misnamed(String metadata) {}

    public static class Bean {
        public V1ObjectMeta getMetadata() {
            return META;
        }

        public String getKind() {
            return "Bean";
        }
    }

    private static final class Heir extends Bean {}

    private record Thrower(String missing) {
        @SuppressWarnings("UnusedMethod") // called by reflection
        V1ObjectMeta metadata() {
            if (missing.isEmpty()) {
                throw new UnsupportedOperationException("not today");
            }
            return META;
        }
    }

    @Test
    void readsRecordsBeansAndModels() {
        assertThat(PartialObjectMetadata.of(new Website("example.com/v1", "Website", META)))
                .isEqualTo(new PartialObjectMetadata("example.com/v1", "Website", META));
        assertThat(PartialObjectMetadata.of(new Bare(META))).isEqualTo(new PartialObjectMetadata(null, null, META));
        assertThat(PartialObjectMetadata.of(new Bean())).isEqualTo(new PartialObjectMetadata(null, "Bean", META));
        assertThat(PartialObjectMetadata.of(new Heir())).isEqualTo(new PartialObjectMetadata(null, "Bean", META));
        assertThat(PartialObjectMetadata.of(new V1Pod().kind("Pod").metadata(META)))
                .isEqualTo(new PartialObjectMetadata(null, "Pod", META));
        var itself = new PartialObjectMetadata("v1", "Pod", META);
        assertThat(PartialObjectMetadata.of(itself)).isSameAs(itself);
    }

    @Test
    void anObjectWithoutMetadataHasEmptyOnes() {
        assertThat(PartialObjectMetadata.of(new Website("v1", "x", null)).metadata()).isEqualTo(new V1ObjectMeta());
        assertThat(PartialObjectMetadata.of(new V1Pod()).metadata()).isEqualTo(new V1ObjectMeta());
        assertThat(PartialObjectMetadata.of(JsonMapper.shared().readTree("{}")).metadata()).isEqualTo(new V1ObjectMeta());
        assertThat(PartialObjectMetadata.of(JsonMapper.shared().readTree("[]")).metadata()).isEqualTo(new V1ObjectMeta());
    }

    private interface Row {
        @SuppressWarnings("UnusedMethod") // called by reflection
        default V1ObjectMeta metadata() {
            return META;
        }
    }

    private record Inheriting(int number) implements Row {}

    @Test
    void readsWhatAnInterfaceHas() {
        assertThat(PartialObjectMetadata.of(new Inheriting(1)).metadata()).isEqualTo(META);
    }

    @Test
    void anythingElseThanATextIsNoKind() {
        JsonNode tree = JsonMapper.shared().readTree("{\"apiVersion\": null, \"kind\": 7}");
        assertThat(PartialObjectMetadata.of(tree)).isEqualTo(new PartialObjectMetadata(null, null, new V1ObjectMeta()));
    }

    @Test
    void readsTrees() {
        JsonNode tree = JsonMapper.shared().readTree("""
                {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web", "namespace": "prod", "uid": "u1", \
                "resourceVersion": "7",
                 "generateName": "we", "generation": 3, "creationTimestamp": "2026-11-25T10:00:00Z", \
                "deletionTimestamp": "2026-11-25T11:00:00Z",
                 "deletionGracePeriodSeconds": 30, "labels": {"a": "1"}, "annotations": {"b": "2"}, "finalizers": ["example.com/x"],
                 "ownerReferences": [{"apiVersion": "v1", "kind": "Node", "name": "n", "uid": "u2", "controller": true, \
                "blockOwnerDeletion": false}]}}""");
        V1ObjectMeta expected = new V1ObjectMeta().name("web").namespace("prod").uid("u1")
                .resourceVersion("7").generateName("we").generation(3L)
                .creationTimestamp(OffsetDateTime.parse("2026-11-25T10:00:00Z"))
                .deletionTimestamp(OffsetDateTime.parse("2026-11-25T11:00:00Z"))
                .deletionGracePeriodSeconds(30L).labels(Map.of("a", "1")).annotations(Map.of("b", "2")).finalizers(List.of("example.com/x"))
                .addOwnerReferencesItem(new V1OwnerReference().apiVersion("v1").kind("Node")
                        .name("n").uid("u2").controller(true).blockOwnerDeletion(false));
        assertThat(PartialObjectMetadata.of(tree)).isEqualTo(new PartialObjectMetadata("apps/v1", "Deployment", expected));
        assertThat(PartialObjectMetadata.of(new Tree(tree.path("metadata"))).metadata()).isEqualTo(expected);
    }

    @Test
    void whatIsOfAnotherTypeThanTheServersIsMissing() {
        JsonNode tree = JsonMapper.shared().readTree("""
                {"metadata": {"name": 7, "generation": "x", "creationTimestamp": "yesterday", "labels": ["a"], "finalizers": {}, \
                "ownerReferences": "no"}}""");
        assertThat(PartialObjectMetadata.of(tree).metadata()).isEqualTo(new V1ObjectMeta());
    }

    @Test
    void saysWhatIsWrongWithAClass() {
        assertThatThrownBy(() -> PartialObjectMetadata.of("text"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(
                        "a java.lang.String has no metadata: give it a component or a getter \"metadata\" of type V1ObjectMeta");
        assertThatThrownBy(() -> PartialObjectMetadata.of(new Misnamed("x"))).hasMessageContaining("has no metadata");
        assertThatThrownBy(() -> PartialObjectMetadata.of(new Thrower("")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Thrower.metadata() failed: java.lang.UnsupportedOperationException: not today")
                .hasCauseInstanceOf(UnsupportedOperationException.class);
    }
}
