package io.reactiveinformer.apiserver.internal.cluster;

import io.reactiveinformer.apiserver.internal.cluster.StoredObject.Owner;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Deletes objects whose owners are absent, releases dependents that are to be orphaned, and keeps owners that are deleted in the foreground
 * until the dependents that block them are gone. Its state is guarded by the cluster's lock. A cascade takes the lock for each object anew,
 * so that others can read and write meanwhile, and reads each object again before it changes it.
 *
 * @see <a href="https://kubernetes.io/docs/concepts/architecture/garbage-collection/#cascading-deletion">Cascading deletion</a>
 */
final class GarbageCollector {

    private static final String FOREGROUND = "foregroundDeletion";
    private static final String ORPHAN = "orphan";

    /** The number of removed objects that are remembered, for dependents whose owner's type was removed with it. */
    private static final int REMEMBERED = 10_000;

    private final Cluster cluster;
    private final Writes writes;

    /** Uids that owner references have named. Most objects own nothing; then no search is needed. */
    private final Set<String> owners = new HashSet<>();

    /** Uids of the latest removed objects. */
    private final Set<String> gone = new LinkedHashSet<>();

    /** Uids of absent owners whose dependents are not processed yet. */
    private final Set<String> ownersGone = new LinkedHashSet<>();

    /** Uids of owners that exist, although this cluster does not have them. */
    private final Set<String> elsewhere = new HashSet<>();

    /** By uid, the objects that are being deleted in the foreground. */
    private final Map<String, StoredObject> waiting = new HashMap<>();

    /** Uids of the objects for which {@link #cascade} is about to be called. */
    private final Set<String> due = new HashSet<>();

    GarbageCollector(Cluster cluster, Writes writes) {
        this.cluster = cluster;
        this.writes = writes;
    }

    /** Remembers the owners of this object. True if {@link #cascade} is to be called later. Within a write. */
    boolean stored(StoredObject object) {
        object.owners().forEach(owner -> owners.add(owner.uid()));
        boolean foreground = object.awaited().contains(FOREGROUND);
        if (foreground) {
            waiting.put(object.uid(), object);
        } else {
            waiting.remove(object.uid());
        }
        return (foreground || object.awaited().contains(ORPHAN)) && due.add(object.uid());
    }

    /** From now on, the owners of this object that are absent count as present. Within a write. */
    void presumeOwners(StoredObject object) {
        object.owners().stream().filter(owner -> isAbsent(owner, object)).map(Owner::uid).forEach(elsewhere::add);
    }

    /** Forgets all state, but for uids: the store has been replaced. Within a write. */
    void forget() {
        owners.clear();
        gone.clear();
        ownersGone.clear();
        waiting.clear();
        due.clear();
    }

    /**
     * Notes that {@link #letDependentsGo} is to be called for this owner, until that is done; false if there is nothing to do. Within a
     * write.
     */
    boolean ownerGone(String uid) {
        waiting.remove(uid);
        elsewhere.remove(uid);
        gone.add(uid);
        if (gone.size() > REMEMBERED) {
            gone.remove(gone.iterator().next());
        }
        return owners.contains(uid) && ownersGone.add(uid);
    }

    /** The uids of the object's absent owners: {@link #letDependentsGo} is to be called later for these. Within a write. */
    List<String> absentOf(StoredObject object) {
        return object.owners().stream().filter(owner -> isAbsent(owner, object)).map(Owner::uid).filter(ownersGone::add).toList();
    }

    /**
     * Whether there is no such owner: none of this kind and name where the dependent may have one, that is in its own namespace or in none,
     * or one with another uid. The collector cannot know of an owner of an unknown type, unless it was removed, nor of an owner with a
     * namespace if the dependent has none.
     */
    private boolean isAbsent(Owner owner, StoredObject dependent) {
        if (elsewhere.contains(owner.uid())) {
            return false;
        }
        ResourceDefinition type = cluster.types().of(owner.apiVersion(), owner.kind()).orElse(null);
        if (type == null) {
            return gone.contains(owner.uid());
        }
        if (type.namespaced() && dependent.namespace() == null) {
            return false;
        }
        StoredObject found = cluster.get(type, type.namespaced() ? dependent.namespace() : null, owner.name());
        return found == null || !found.uid().equals(owner.uid());
    }

    private boolean isAbsent(String uid, StoredObject dependent) {
        return dependent.owners().stream().anyMatch(owner -> owner.uid().equals(uid) && isAbsent(owner, dependent));
    }

    /** Within the cluster's lock. */
    List<String> ownersGone() {
        return List.copyOf(ownersGone);
    }

    /** The owners that may have waited for a removed object: {@link #cascade} is to be called later for these. Within a write. */
    List<StoredObject> waitingFor(StoredObject last) {
        return last.owners().stream().map(owner -> waiting.get(owner.uid()))
                .filter(Objects::nonNull)
                .filter(owner -> due.add(owner.uid()))
                .toList();
    }

    /** Deletes or orphans the dependents of an object that is being deleted, as its finalizer says. */
    void cascade(StoredObject owner, Controllers.Steps steps) {
        String uid = owner.uid();
        steps.take(() -> due.remove(uid));
        List<StoredObject> all = all();
        List<StoredObject> dependents = all.stream().filter(object -> object.isOwnedBy(uid))
                .filter(object -> object.namespace() != null || owner.namespace() == null).toList();
        if (owner.awaited().contains(ORPHAN)) {
            dependents.forEach(dependent -> steps.take(() -> edit(dependent, tree -> without(tree, "ownerReferences", "uid", uid))));
            steps.take(() -> release(owner, ORPHAN));
        } else if (dependents.stream().noneMatch(dependent -> blocks(dependent, uid))) {
            steps.take(() -> release(owner, FOREGROUND));
        } else {
            Set<String> ownersThemselves = new HashSet<>();
            all.forEach(object -> object.owners().forEach(each -> ownersThemselves.add(each.uid())));
            dependents.forEach(
                    dependent -> steps.take(
                            () -> letGo(dependent, uid, ownersThemselves.contains(dependent.uid()) ? "Foreground" : "Background")));
            steps.take(() -> {
                if (dependents.stream().map(cluster::current).noneMatch(dependent -> dependent != null && blocks(dependent, uid))) {
                    release(owner, FOREGROUND); // none is left: dependents with another owner no longer refer to this one
                }
            });
        }
    }

    /** Deletes or releases the dependents for which this owner is absent. */
    void letDependentsGo(String uid, Controllers.Steps steps) {
        boolean[] more = {true};
        while (more[0]) {
            more[0] = false; // stays false if no more steps are carried out
            all().stream().filter(object -> isAbsent(uid, object)).forEach(dependent -> steps.take(() -> letGo(dependent, uid, "")));
            steps.take(() -> {
                more[0] = all().stream().anyMatch(object -> isAbsent(uid, object) && !isLeaving(object)); // stored meanwhile
                if (!more[0]) {
                    ownersGone.remove(uid);
                }
            });
        }
    }

    private static boolean isLeaving(StoredObject object) {
        return object.storedTree().path("metadata").has("deletionTimestamp");
    }

    /** Deletes a dependent of this owner. If it has another owner that stays, only removes the reference to this one. */
    private void letGo(StoredObject dependent, String owner, String propagation) {
        StoredObject current = cluster.current(dependent);
        if (current == null || !current.isOwnedBy(owner)) {
            return;
        }
        if (current.owners().stream().anyMatch(other -> !other.uid().equals(owner) && !waiting.containsKey(other.uid())
                && !isAbsent(other, current))) {
            edit(current, tree -> without(tree, "ownerReferences", "uid", owner));
        } else if (!isLeaving(current)) {
            writes.delete(current.type(), current.namespace(), current.name(),
                    new DeleteOptions(false, null, propagation, current.uid(), ""));
        }
    }

    private static boolean blocks(StoredObject dependent, String uid) {
        return dependent.owners().stream().anyMatch(owner -> owner.uid().equals(uid) && owner.blocks());
    }

    private void release(StoredObject owner, String finalizer) {
        edit(owner, tree -> without(tree, "finalizers", "", finalizer));
    }

    /** Removes the elements of a list in the metadata that are {@code value}, or have it under {@code key}. */
    static ObjectNode without(ObjectNode tree, String list, String key, String value) {
        ObjectNode metadata = Json.child(tree, "metadata");
        ArrayNode kept = metadata.withArray(list);
        kept.removeIf(element -> Json.text(key.isEmpty() ? element : element.path(key)).equals(value));
        if (kept.isEmpty()) {
            metadata.remove(list);
        }
        return tree;
    }

    private void edit(StoredObject object, UnaryOperator<ObjectNode> change) {
        if (cluster.current(object) != null) {
            writes.update(Writes.Target.of(object.type(), object.namespace(), object.name()), change, WriteOptions.TRUSTED);
        }
    }

    private List<StoredObject> all() {
        return cluster.types().stored().stream().flatMap(type -> cluster.list(type, Selection.all(), null).objects().stream()).toList();
    }
}
