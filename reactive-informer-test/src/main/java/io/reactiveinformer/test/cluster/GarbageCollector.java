package io.reactiveinformer.test.cluster;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Deletes what has no owner any more, lets go of what is to be orphaned, and keeps owners that are deleted in the foreground until the
 * dependents that block them are gone. Guarded by the cluster's lock, which all is done under.
 *
 * @see <a href="https://kubernetes.io/docs/concepts/architecture/garbage-collection/#cascading-deletion">Cascading deletion</a>
 */
final class GarbageCollector {

    private static final String FOREGROUND = "foregroundDeletion";
    private static final String ORPHAN = "orphan";

    private final Cluster cluster;
    private final Writes writes;

    /** Uids that owner references have named: most objects are nobody's owner, and then there is nothing to look for. */
    private final Set<String> owners = new HashSet<>();

    /** Of those, they that are gone, and whose dependents are to follow. */
    private final Set<String> ownersGone = new LinkedHashSet<>();

    GarbageCollector(Cluster cluster, Writes writes) {
        this.cluster = cluster;
        this.writes = writes;
    }

    /** Remembers whose object this is; true if {@link #cascade} is to be called later. */
    boolean stored(StoredObject object) {
        owners.addAll(object.owners());
        return object.awaited().contains(FOREGROUND) || object.awaited().contains(ORPHAN);
    }

    /** Another store has taken the place of the one whose owners were known. */
    void forget() {
        owners.clear();
        ownersGone.clear();
    }

    /** Remembers, until {@link #deleteDependents} is called, that it is to be. */
    void ownerGone(String uid) {
        if (owners.contains(uid)) {
            ownersGone.add(uid);
        }
    }

    List<String> ownersGone() {
        return List.copyOf(ownersGone);
    }

    /** Does for the dependents of an object that is being deleted what its finalizer says. */
    void cascade(StoredObject owner) {
        if (owner.awaited().contains(ORPHAN)) {
            dependents(owner.uid()).forEach(dependent -> edit(dependent, tree -> without(tree, "ownerReferences", "uid", owner.uid())));
            release(owner, ORPHAN);
        } else if (dependents(owner.uid()).stream().noneMatch(dependent -> blocks(dependent, owner.uid()))) {
            release(owner, FOREGROUND);
        } else {
            dependents(owner.uid()).forEach(dependent -> delete(dependent, dependents(dependent.uid()).isEmpty() ? "Background" : "Foreground"));
        }
    }

    /** Deletes what only {@code last} owned, and looks again at the owners that waited for it. */
    void removed(StoredObject last) {
        deleteDependents(last.uid());
        if (!last.owners().isEmpty()) {
            all().stream().filter(owner -> last.owners().contains(owner.uid()) && owner.awaited().contains(FOREGROUND)).forEach(this::cascade);
        }
    }

    /** Deletes what only an owner that is gone has owned. */
    void deleteDependents(String uid) {
        if (ownersGone.remove(uid)) {
            dependents(uid).stream().filter(dependent -> dependent.owners().equals(List.of(uid))).forEach(dependent -> delete(dependent, ""));
        }
    }

    private static boolean blocks(StoredObject dependent, String uid) {
        for (JsonNode reference : dependent.tree().path("metadata").path("ownerReferences")) {
            if (Json.text(reference, "uid").equals(uid) && reference.path("blockOwnerDeletion").asBoolean(false)) {
                return true;
            }
        }
        return false;
    }

    private void release(StoredObject owner, String finalizer) {
        edit(owner, tree -> without(tree, "finalizers", "", finalizer));
    }

    /** Without the elements of a list in the metadata that are {@code value}, or have it under {@code key}. */
    private static ObjectNode without(ObjectNode tree, String list, String key, String value) {
        ObjectNode metadata = Json.child(tree, "metadata");
        ArrayNode kept = Json.array();
        metadata.path(list).forEach(element -> {
            if (!Json.text(key.isEmpty() ? element : element.path(key)).equals(value)) {
                kept.add(element);
            }
        });
        metadata.set(list, kept);
        if (kept.isEmpty()) {
            metadata.remove(list);
        }
        return tree;
    }

    private void edit(StoredObject object, UnaryOperator<ObjectNode> change) {
        if (isThere(object)) {
            writes.update(object.type(), object.namespace(), object.name(), "", change, WriteOptions.TRUSTED);
        }
    }

    private void delete(StoredObject object, String propagation) {
        if (isThere(object) && !object.tree().path("metadata").has("deletionTimestamp")) {
            writes.delete(object.type(), object.namespace(), object.name(), new DeleteOptions(false, null, propagation, object.uid(), ""));
        }
    }

    private boolean isThere(StoredObject object) {
        StoredObject current = cluster.get(object.type(), object.namespace(), object.name());
        return current != null && current.uid().equals(object.uid());
    }

    private List<StoredObject> dependents(String uid) {
        return all().stream().filter(object -> object.owners().contains(uid)).toList();
    }

    private List<StoredObject> all() {
        List<StoredObject> all = new ArrayList<>();
        for (ResourceDefinition type : List.copyOf(cluster.types().all())) {
            all.addAll(cluster.list(type, Selection.all(), null).objects());
        }
        return all;
    }
}
