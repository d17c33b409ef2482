package io.reactiveinformer.recorder;

import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1ObjectReference;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.PartialObjectMetadata;
import io.reactiveinformer.resource.ResourceType;
import org.jspecify.annotations.Nullable;

/**
 * A reference to the object of an Event.
 *
 * @param apiVersion its group and version, such as {@code apps/v1}
 * @param kind its kind
 * @param namespace null for a cluster-scoped object
 * @param name its name
 * @param uid distinguishes it from another object of the same name; null if unknown
 * @param resourceVersion the version of the object that is meant, or null. Occurrences of one series may have different versions
 * @param fieldPath a part of the object, such as {@code spec.containers{web}}; null for the whole object
 */
public record ObjectReference(
        String apiVersion,
        String kind,
        @Nullable String namespace,
        String name,
        @Nullable String uid,
        @Nullable String resourceVersion,
        @Nullable String fieldPath) {

    /** Replaces an empty namespace, which the server writes for none, by null. */
    public ObjectReference {
        namespace = namespace == null || namespace.isEmpty() ? null : namespace;
    }

    /**
     * A reference to {@code object} in its present version; the metadata is read as by {@link PartialObjectMetadata#of}. If the object has
     * no apiVersion or kind, as in a list, those of its model class are used. If {@code object} is an {@code ObjectReference}, it is
     * returned.
     *
     * @throws IllegalArgumentException if the object has no name, no metadata can be read from its class, neither the object nor its class
     *     has a kind, or only its metadata was requested
     */
    public static ObjectReference of(Object object) {
        if (object instanceof ObjectReference reference) {
            return reference;
        }
        PartialObjectMetadata known = PartialObjectMetadata.of(object);
        if ("PartialObjectMetadata".equals(known.kind())) {
            throw new IllegalArgumentException("an object of which only the metadata was requested has no kind of its own: use "
                    + "ObjectReference.of(type, object)");
        }
        String apiVersion = known.apiVersion();
        String kind = known.kind();
        if (apiVersion == null || kind == null) { // as in an object of a list
            return of(typeOf(object.getClass()), object);
        }
        return of(apiVersion, kind, known.metadata(), object);
    }

    /**
     * As {@link #of(Object)}, with the {@code apiVersion} and kind of {@code type}, for an object that does not have them.
     *
     * @throws IllegalArgumentException if the object has no name, no metadata can be read from its class, or {@code type} has no kind
     */
    public static ObjectReference of(ResourceType<?> type, Object object) {
        String kind = type.kind();
        if (kind == null) {
            throw new IllegalArgumentException("a reference needs a kind, but " + type + " has none: name it with type.kind(kind, scope)");
        }
        return of(type.apiVersion(), kind, PartialObjectMetadata.of(object).metadata(), object);
    }

    private static ObjectReference of(String apiVersion, String kind, V1ObjectMeta metadata, Object object) {
        if (metadata.getName() == null) {
            throw new IllegalArgumentException("a reference needs the name of the object, but a "
                    + object.getClass().getSimpleName() + " has none");
        }
        return new ObjectReference(
                apiVersion, kind, metadata.getNamespace(), metadata.getName(), metadata.getUid(), metadata.getResourceVersion(), null);
    }

    private static ResourceType<?> typeOf(Class<?> modelClass) {
        try {
            return ResourceType.of(modelClass);
        } catch (IllegalArgumentException noModel) {
            throw new IllegalArgumentException("a " + modelClass.getName() + " has no apiVersion and kind for a reference:"
                    + " set them, or use ObjectReference.of(type, object)", noModel);
        }
    }

    /** A reference without uid, version and field path. */
    public static ObjectReference of(String apiVersion, String kind, ObjectKey key) {
        return new ObjectReference(apiVersion, kind, key.namespace(), key.name(), null, null, null);
    }

    /** A copy with this {@link #fieldPath}. */
    public ObjectReference at(String otherFieldPath) {
        return new ObjectReference(apiVersion, kind, namespace, name, uid, resourceVersion, otherFieldPath);
    }

    ObjectReference withoutVersion() {
        return new ObjectReference(apiVersion, kind, namespace, name, uid, null, fieldPath);
    }

    ObjectReference whole() {
        return new ObjectReference(apiVersion, kind, namespace, name, uid, null, null);
    }

    V1ObjectReference model() {
        return new V1ObjectReference().apiVersion(apiVersion).kind(kind).namespace(namespace).name(name)
                .uid(uid).resourceVersion(resourceVersion).fieldPath(fieldPath);
    }
}
