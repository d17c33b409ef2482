package io.reactiveinformer.recorder;

import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.PartialObjectMetadata;
import io.reactiveinformer.resource.ResourceType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ObjectReferenceTest {

    private static final V1ObjectMeta META = new V1ObjectMeta().namespace("shop").name("home").uid("u1").resourceVersion("7");

    private static final ResourceType<Website> WEBSITES =
            ResourceType.of("example.com", "v1", "websites", ResourceType.Scope.NAMESPACED, Website.class);

    private record Website(@Nullable String apiVersion, @Nullable String kind, V1ObjectMeta metadata) {}

    private static ObjectReference website(String kind) {
        return new ObjectReference("example.com/v1", kind, "shop", "home", "u1", "7", null);
    }

    @Test
    void refersToModelsTreesAndRecords() {
        assertThat(ObjectReference.of(new Website("example.com/v1", "Website", META))).isEqualTo(website("Website"));
        assertThat(ObjectReference.of(JsonMapper.shared().readTree("""
                {"apiVersion": "example.com/v1", "kind": "Website",
                 "metadata": {"namespace": "shop", "name": "home", "uid": "u1", "resourceVersion": "7"}}""")))
                .isEqualTo(website("Website"));
        assertThat(ObjectReference.of(new V1Pod().metadata(META))).as("as in a list")
                .isEqualTo(new ObjectReference("v1", "Pod", "shop", "home", "u1", "7", null));
        assertThat(ObjectReference.of(website("Website"))).isEqualTo(website("Website"));
        assertThat(ObjectReference.of(WEBSITES, new Website(null, null, META))).isEqualTo(website("Website"));
        assertThat(ObjectReference.of(WEBSITES, new PartialObjectMetadata("meta.k8s.io/v1", "PartialObjectMetadata", META)))
                .isEqualTo(website("Website"));
    }

    @Test
    void saysWhatIsMissing() {
        assertThatThrownBy(() -> ObjectReference.of(new Website(null, null, META)))
                .hasMessageContaining(
                        "Website has no apiVersion and kind for a reference: set them, or use ObjectReference.of(type, object)");
        assertThatThrownBy(() -> ObjectReference.of(WEBSITES, new Website(null, null, new V1ObjectMeta())))
                .hasMessageContaining("needs the name of the object");
        assertThatThrownBy(() -> ObjectReference.of(ResourceType.dynamic("example.com", "v1", "websites"), new Website(null, null, META)))
                .hasMessage("a reference needs a kind, but websites.v1.example.com has none: name it with type.kind(kind, scope)");
        assertThatThrownBy(() -> ObjectReference.of(new Website("v1", "x", new V1ObjectMeta())))
                .hasMessageContaining("needs the name of the object");
        assertThatThrownBy(() -> ObjectReference.of(ObjectKey.of("shop", "home")))
                .hasMessageContaining("ObjectKey has no metadata");
        assertThatThrownBy(() -> ObjectReference.of(new PartialObjectMetadata("meta.k8s.io/v1", "PartialObjectMetadata", META)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(
                        "only the metadata was requested has no kind of its own: use ObjectReference.of(type, object)");
    }
}
