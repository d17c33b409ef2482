package io.reactiveinformer.controller;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.PartialObjectMetadata;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The metadata that a controller reads from an object. */
record Metadata(
        @Nullable ObjectKey key,
        @Nullable String resourceVersion,
        @Nullable Long generation,
        Map<String, String> labels,
        Map<String, String> annotations,
        List<V1OwnerReference> owners) {

    /** @throws IllegalArgumentException if no metadata can be read from an object of this type, or it is null */
    static Metadata of(@Nullable Object object) {
        if (object instanceof KubernetesObject model) {
            return of(model.getMetadata());
        }
        if (object instanceof PartialObjectMetadata partial) {
            return of(partial.metadata());
        }
        if (object instanceof JsonNode tree) {
            return of(tree.path("metadata"));
        }
        throw new IllegalArgumentException("a " + (object == null ? null : object.getClass().getName())
                + " does not say its metadata: let it implement KubernetesObject, or use a route or a filter of your own, (key, row) -> … or (before, after) -> …");
    }

    private static Metadata of(@Nullable V1ObjectMeta metadata) {
        return metadata == null
                ? new Metadata(null, null, null, Map.of(), Map.of(), List.of())
                : new Metadata(
                        key(metadata.getNamespace(), metadata.getName()),
                        metadata.getResourceVersion(),
                        metadata.getGeneration(),
                        metadata.getLabels() == null ? Map.of() : metadata.getLabels(),
                        metadata.getAnnotations() == null ? Map.of() : metadata.getAnnotations(),
                        metadata.getOwnerReferences() == null ? List.of() : metadata.getOwnerReferences());
    }

    private static Metadata of(JsonNode metadata) {
        List<V1OwnerReference> owners = new ArrayList<>();
        metadata.path("ownerReferences").forEach(reference -> owners.add(new V1OwnerReference()
                .apiVersion(reference.path("apiVersion").asString(""))
                .kind(reference.path("kind").asString(""))
                .name(reference.path("name").asString(""))
                .uid(reference.path("uid").asString(""))
                .controller(reference.path("controller").asBoolean(false))));
        JsonNode generation = metadata.path("generation");
        return new Metadata(
                key(metadata.path("namespace").asString(null), metadata.path("name").asString(null)),
                metadata.path("resourceVersion").asString(null),
                generation.isIntegralNumber() ? generation.asLong() : null,
                texts(metadata.path("labels")),
                texts(metadata.path("annotations")),
                owners);
    }

    private static @Nullable ObjectKey key(@Nullable String namespace, @Nullable String name) {
        return name == null || name.isEmpty() ? null : ObjectKey.of(namespace, name);
    }

    private static Map<String, String> texts(JsonNode object) {
        Map<String, String> texts = new LinkedHashMap<>();
        object.forEachEntry((name, value) -> texts.put(name, value.asString("")));
        return texts;
    }
}
