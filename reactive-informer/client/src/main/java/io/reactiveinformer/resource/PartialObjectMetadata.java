package io.reactiveinformer.resource;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The metadata of an object. If only the metadata was requested from the server, {@code kind} and {@code apiVersion} are those of this
 * form, not those of the object.
 *
 * @param apiVersion such as {@code apps/v1}; null if the object has none, as in a list
 * @param kind such as {@code Deployment}; null if the object has none, as in a list
 * @param metadata the metadata; empty if the object has none
 */
public record PartialObjectMetadata(@Nullable String apiVersion, @Nullable String kind, V1ObjectMeta metadata) {

    /** Replaces missing metadata by empty metadata. */
    public PartialObjectMetadata {
        metadata = orEmpty(metadata);
    }

    /**
     * Reads the metadata of an object: a model class or another {@link KubernetesObject}, a JSON tree, a {@code PartialObjectMetadata}, or
     * a record or class of the user with a method {@code metadata()} or {@code getMetadata()} that returns a {@link V1ObjectMeta} or a JSON
     * tree. {@code apiVersion} and {@code kind} are read in the same way. The {@code managedFields} of a tree are not read.
     *
     * @return its metadata is empty if the object has none
     * @throws IllegalArgumentException if objects of this class have no such method, or it throws
     */
    public static PartialObjectMetadata of(Object object) {
        if (object instanceof PartialObjectMetadata partial) {
            return partial;
        }
        if (object instanceof KubernetesObject model) {
            return new PartialObjectMetadata(model.getApiVersion(), model.getKind(), model.getMetadata());
        }
        if (object instanceof JsonNode tree) {
            return new PartialObjectMetadata(
                    TreeMetadata.text(tree, "apiVersion"), TreeMetadata.text(tree, "kind"), TreeMetadata.of(tree.path("metadata")));
        }
        return OwnClass.of(object.getClass()).read(object);
    }

    /**
     * The labels of an object, as {@link #of} reads them; empty if it has none.
     *
     * @throws IllegalArgumentException as {@link #of}
     */
    public static Map<String, String> labels(Object object) {
        if (object instanceof JsonNode tree) {
            return TreeMetadata.texts(tree.path("metadata").path("labels"));
        }
        Map<String, String> labels = of(object).metadata().getLabels();
        return labels == null ? Map.of() : labels;
    }

    static V1ObjectMeta orEmpty(@Nullable V1ObjectMeta metadata) {
        return metadata == null ? new V1ObjectMeta() : metadata;
    }
}
