package io.reactiveinformer.store;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.reactiveinformer.resource.PartialObjectMetadata;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads the labels of objects. */
final class Labels {

    private Labels() {}

    /** @throws IllegalArgumentException if objects of this class do not expose labels */
    static Map<String, String> of(Object object) {
        if (object instanceof KubernetesObject model) {
            return of(model.getMetadata());
        }
        if (object instanceof PartialObjectMetadata partial) {
            return of(partial.metadata());
        }
        if (object instanceof JsonNode tree) {
            Map<String, String> labels = new LinkedHashMap<>();
            tree.path("metadata").path("labels").forEachEntry((name, value) -> labels.put(name, value.asString()));
            return labels;
        }
        throw new IllegalArgumentException("a " + object.getClass().getName()
                + " does not say its labels; select by a predicate or an index, or let the server select when the informer is made");
    }

    private static Map<String, String> of(@Nullable V1ObjectMeta metadata) {
        Map<String, String> labels = metadata == null ? null : metadata.getLabels();
        return labels == null ? Map.of() : labels;
    }
}
