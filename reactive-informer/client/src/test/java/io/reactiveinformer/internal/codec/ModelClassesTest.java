package io.reactiveinformer.internal.codec;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.JSON;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.reactiveinformer.internal.codec.ModelBodies.Kind;
import io.reactiveinformer.resource.ModelClasses;
import io.reactiveinformer.resource.ObjectEvent;
import io.reactiveinformer.resource.Reading;
import io.reactiveinformer.resource.ResourceType;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/** Every model class, against the official decoder. */
class ModelClassesTest {

    private static final ObjectCodec CODEC = ObjectCodec.create();
    private static final JsonMapper PLAIN = new JsonMapper();

    static List<Class<? extends KubernetesObject>> models() {
        return ModelClasses.objects();
    }

    @ParameterizedTest
    @MethodSource("models")
    <T extends KubernetesObject> void readsWhatTheOfficialDecoderReads(Class<T> model) {
        String body = ModelBodies.of(model, Kind.FULL).toString();
        T expected = JSON.deserialize(body, model);
        isEqual(CODEC.object(Bodies.of(body), type(model)).block().object(), expected);
        isEqual(cached(body, model), expected);
        assertThat(JSON.serialize(cached(body, model))).isEqualTo(JSON.serialize(expected));
    }

    @ParameterizedTest
    @MethodSource("models")
    <T extends KubernetesObject> void ignoresUnknownFieldsAtEveryDepth(Class<T> model) {
        T known = cached(ModelBodies.of(model, Kind.FULL).toString(), model);
        String withUnknown = ModelBodies.of(model, Kind.WITH_UNKNOWN_FIELDS).toString();
        assertThat(withUnknown).contains("unknownField");
        isEqual(cached(withUnknown, model), known);
    }

    @ParameterizedTest
    @MethodSource("models")
    <T extends KubernetesObject> void readsZeroValues(Class<T> model) {
        String zero = ModelBodies.of(model, Kind.NULLS).toString();
        assertThat(CODEC.watch(Bodies.of("{\"type\":\"BOOKMARK\",\"object\":" + zero + "}"), type(model), Reading.anew(), "watch")
                .collectList().block())
                .containsExactly(new ObjectEvent.Bookmark<>("4711", false));
        T object = cached(zero, model);
        assertThat(object.getMetadata().getName()).isEqualTo("name-1");
        assertThat(object.getMetadata().getLabels()).isEmpty();
        assertThat(object.getMetadata().getFinalizers()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("models")
    <T extends KubernetesObject> void readsWhatItHasWritten(Class<T> model) {
        JsonNode body = ModelBodies.of(model, Kind.FULL);
        T object = CODEC.object(Bodies.of(body.toString()), type(model)).block().object();
        String written = new String(CODEC.write(object), StandardCharsets.UTF_8);
        isEqual(cached(written, model), object);
        isEqual(JSON.deserialize(written, model), object);
        assertThat(PLAIN.readTree(written).propertyNames()).containsExactlyInAnyOrderElementsOf(body.propertyNames());
    }

    /** V1ConfigMap compares its byte arrays by identity, so that no two of them are equal. */
    private static void isEqual(Object actual, Object expected) {
        if (actual instanceof V1ConfigMap) {
            assertThat(actual).usingRecursiveComparison().isEqualTo(expected);
        } else {
            assertThat(actual).isEqualTo(expected);
        }
    }

    /** As it comes out of a watch. */
    private static <T> T cached(String body, Class<T> model) {
        var event = CODEC.watch(Bodies.of("{\"type\":\"ADDED\",\"object\":" + body + "}"), type(model), Reading.anew(), "watch")
                .blockLast();
        assertThat(event).isInstanceOf(ObjectEvent.Applied.class);
        return ((ObjectEvent.Applied<T>) event).entry().object();
    }

    private static <T> ResourceType<T> type(Class<T> model) {
        return ResourceType.of("", "v1", "things", ResourceType.Scope.NAMESPACED, model);
    }
}
