package io.reactiveinformer.controller;

import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import java.util.Collection;
import java.util.List;

/**
 * Which keys a row concerns. Of a change, the row is asked about as it was before and as it is after, so that those that it no longer concerns
 * hear of it too. A row for which this throws is reported and passed over.
 *
 * @param <L> what names a row
 * @param <T> the row
 * @param <K> what is worked on
 */
@FunctionalInterface
public interface Route<L, T, K> {

    /** Called on the thread that delivers changes, so it must not block. */
    Collection<K> keys(L key, T row);

    /** The row itself. */
    static <T, K> Route<K, T, K> self() {
        return (key, row) -> List.of(key);
    }

    /**
     * The object that controls this one: its owner reference with {@code controller: true}, if that is of the group and kind of {@code owner}, in any version.
     *
     * @param owner says too whether owners live in namespaces, which then is that of the row
     * @throws IllegalArgumentException if {@code owner} has no {@link ResourceType#kind}
     */
    static <T> Route<ObjectKey, T, ObjectKey> toController(ResourceType<?> owner) {
        return new OwnerRoute<>(owner, true);
    }

    /** As {@link #toController}, all owners of that group and kind. */
    static <T> Route<ObjectKey, T, ObjectKey> toOwners(ResourceType<?> owner) {
        return new OwnerRoute<>(owner, false);
    }

    /** The object in the row's namespace that the row names in this label; none, where it has no such label. */
    static <T> Route<ObjectKey, T, ObjectKey> toNamedBy(String label) {
        return (key, row) -> {
            String name = Metadata.of(row).labels().get(label);
            return name == null || name.isEmpty() ? List.of() : List.of(ObjectKey.of(key.namespace(), name));
        };
    }
}
