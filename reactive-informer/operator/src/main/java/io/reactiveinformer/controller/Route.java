package io.reactiveinformer.controller;

import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.PartialObjectMetadata;
import io.reactiveinformer.resource.ResourceType;
import java.util.Collection;
import java.util.List;

/**
 * Maps a row to the keys it concerns. For an update it is called for the row before and after, so that keys that the row no longer concerns
 * are woken too. If it throws, that is reported in {@link ControllerStatus.OfView#failure} and the row is skipped.
 *
 * @param <L> the key of a row
 * @param <T> the row
 * @param <K> the keys that the controller works on
 */
@FunctionalInterface
public interface Route<L, T, K> {

    /**
     * The keys that this row concerns; empty for none, no null elements. Called on the thread that delivers changes, so it must not block.
     */
    Collection<K> keys(L key, T row);

    /** The key of the row itself. */
    static <T, K> Route<K, T, K> self() {
        return (key, row) -> List.of(key);
    }

    /**
     * The key of the object that controls the row: of its owner reference with {@code controller: true}, if that has the group and kind of
     * {@code owner}, in any version.
     *
     * @param owner the type of the owner; if it is namespaced, the owner's namespace is that of the row
     * @throws IllegalArgumentException if {@code owner} has no {@link ResourceType#kind}
     */
    static <T> Route<ObjectKey, T, ObjectKey> toController(ResourceType<?> owner) {
        return Owner.route(owner, true);
    }

    /** As {@link #toController}, but the keys of all owners of that group and kind. */
    static <T> Route<ObjectKey, T, ObjectKey> toOwners(ResourceType<?> owner) {
        return Owner.route(owner, false);
    }

    /**
     * The key of the object in the row's namespace whose name is the value of this label of the row; none if the row has no such label or
     * it is empty.
     */
    static <T> Route<ObjectKey, T, ObjectKey> toNamedBy(String label) {
        return (key, row) -> {
            String name = PartialObjectMetadata.labels(row).get(label);
            return name == null || name.isEmpty() ? List.of() : List.of(ObjectKey.of(key.namespace(), name));
        };
    }
}
