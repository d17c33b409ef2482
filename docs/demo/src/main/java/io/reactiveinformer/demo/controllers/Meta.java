package io.reactiveinformer.demo.controllers;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import io.reactiveinformer.resource.ObjectKey;
import java.time.OffsetDateTime;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads the metadata of any object. */
final class Meta {

    /** The oldest first; objects of the same second by name. */
    static final Comparator<KubernetesObject> BY_AGE = Comparator
            .<KubernetesObject, OffsetDateTime>comparing(object -> object.getMetadata().getCreationTimestamp())
            .thenComparing(Meta::name);

    private Meta() {}

    static ObjectKey key(KubernetesObject object) {
        return ObjectKey.of(object.getMetadata().getNamespace(), name(object));
    }

    static String name(KubernetesObject object) {
        return Objects.requireNonNull(object.getMetadata().getName());
    }

    static String namespace(KubernetesObject object) {
        return Objects.requireNonNull(object.getMetadata().getNamespace());
    }

    static String uid(KubernetesObject object) {
        return Objects.requireNonNull(object.getMetadata().getUid());
    }

    static Map<String, String> labels(KubernetesObject object) {
        return orEmpty(object.getMetadata().getLabels());
    }

    static Map<String, String> annotations(KubernetesObject object) {
        return orEmpty(object.getMetadata().getAnnotations());
    }

    static boolean isLeaving(KubernetesObject object) {
        return object.getMetadata().getDeletionTimestamp() != null;
    }

    /** The owner reference of the object's controller; null if it has none. */
    static @Nullable V1OwnerReference controller(KubernetesObject object) {
        var owners = object.getMetadata().getOwnerReferences();
        return owners == null ? null : owners.stream().filter(owner -> Boolean.TRUE.equals(owner.getController())).findFirst().orElse(null);
    }

    static Map<String, String> orEmpty(@Nullable Map<String, String> map) {
        return map == null ? Map.of() : map;
    }

    static Map<String, String> with(@Nullable Map<String, String> map, String key, String value) {
        Map<String, String> more = new HashMap<>(orEmpty(map));
        more.put(key, value);
        return more;
    }

    /** The number; zero for null. */
    static int count(@Nullable Integer number) {
        return number == null ? 0 : number;
    }

    /** The number; null for zero, which the server leaves out. */
    static @Nullable Integer orNothing(int number) {
        return number == 0 ? null : number;
    }
}
