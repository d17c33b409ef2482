package io.reactiveinformer.resource;

import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Reads metadata from a JSON tree, without {@code managedFields}. A property that is missing, or has another type than the server writes,
 * is left as in a new model object.
 */
final class TreeMetadata {

    private TreeMetadata() {}

    static V1ObjectMeta of(JsonNode tree) {
        V1ObjectMeta metadata = new V1ObjectMeta()
                .name(text(tree, "name"))
                .generateName(text(tree, "generateName"))
                .namespace(text(tree, "namespace"))
                .uid(text(tree, "uid"))
                .resourceVersion(text(tree, "resourceVersion"))
                .selfLink(text(tree, "selfLink"))
                .generation(number(tree, "generation"))
                .creationTimestamp(time(tree, "creationTimestamp"))
                .deletionTimestamp(time(tree, "deletionTimestamp"))
                .deletionGracePeriodSeconds(number(tree, "deletionGracePeriodSeconds"));
        if (tree.path("labels").isObject()) {
            metadata.setLabels(texts(tree.path("labels")));
        }
        if (tree.path("annotations").isObject()) {
            metadata.setAnnotations(texts(tree.path("annotations")));
        }
        if (tree.path("finalizers").isArray()) {
            List<String> finalizers = new ArrayList<>();
            tree.path("finalizers").forEach(value -> finalizers.add(value.asString("")));
            metadata.setFinalizers(finalizers);
        }
        if (tree.path("ownerReferences").isArray()) {
            metadata.setOwnerReferences(owners(tree.path("ownerReferences")));
        }
        return metadata;
    }

    static @Nullable String text(JsonNode object, String property) {
        JsonNode value = object.path(property);
        return value.isString() ? value.asString() : null;
    }

    private static @Nullable Long number(JsonNode object, String property) {
        JsonNode value = object.path(property);
        return value.isIntegralNumber() && value.canConvertToLong() ? value.asLong() : null;
    }

    private static @Nullable OffsetDateTime time(JsonNode object, String property) {
        String text = text(object, property);
        try {
            return text == null ? null : OffsetDateTime.parse(text);
        } catch (DateTimeParseException notATime) {
            return null;
        }
    }

    private static @Nullable Boolean flag(JsonNode object, String property) {
        JsonNode value = object.path(property);
        return value.isBoolean() ? value.asBoolean() : null;
    }

    static Map<String, String> texts(JsonNode object) {
        Map<String, String> texts = new LinkedHashMap<>();
        object.forEachEntry((name, value) -> texts.put(name, value.asString("")));
        return texts;
    }

    private static List<V1OwnerReference> owners(JsonNode array) {
        List<V1OwnerReference> owners = new ArrayList<>();
        array.forEach(owner -> owners.add(new V1OwnerReference()
                .apiVersion(text(owner, "apiVersion"))
                .kind(text(owner, "kind"))
                .name(text(owner, "name"))
                .uid(text(owner, "uid"))
                .controller(flag(owner, "controller"))
                .blockOwnerDeletion(flag(owner, "blockOwnerDeletion"))));
        return owners;
    }
}
