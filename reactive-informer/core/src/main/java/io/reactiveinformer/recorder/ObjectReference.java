package io.reactiveinformer.recorder;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1ObjectReference;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import org.jspecify.annotations.Nullable;

/**
 * Which object an Event is about.
 *
 * @param namespace null for a cluster-scoped object
 * @param uid tells it from another one of the same name; null where it is not known
 * @param resourceVersion its state that is meant; no part of a series, which goes on over several
 * @param fieldPath a part of it, such as {@code spec.containers{web}}
 */
public record ObjectReference(
        String apiVersion,
        String kind,
        @Nullable String namespace,
        String name,
        @Nullable String uid,
        @Nullable String resourceVersion,
        @Nullable String fieldPath) {

    /** Takes an empty namespace, which is how the server writes "none", for null. */
    public ObjectReference {
        namespace = namespace == null || namespace.isEmpty() ? null : namespace;
    }

    /** @throws IllegalArgumentException if the object does not tell its kind, and its class does not either */
    public static ObjectReference of(KubernetesObject object) {
        V1ObjectMeta metadata = object.getMetadata();
        if (metadata == null || metadata.getName() == null) {
            throw new IllegalArgumentException("an object needs a name to be referred to, was a " + object.getClass().getSimpleName() + " without");
        }
        boolean told = object.getApiVersion() != null && object.getKind() != null; // objects of a list do not
        ResourceType<?> type = told ? null : ResourceType.of(object.getClass());
        String apiVersion = type == null ? object.getApiVersion() : type.apiVersion();
        String kind = type == null || type.kind() == null ? object.getKind() : type.kind();
        return new ObjectReference(
                apiVersion, kind, metadata.getNamespace(), metadata.getName(), metadata.getUid(), metadata.getResourceVersion(), null);
    }

    public static ObjectReference of(String apiVersion, String kind, ObjectKey key) {
        return new ObjectReference(apiVersion, kind, key.namespace(), key.name(), null, null, null);
    }

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
