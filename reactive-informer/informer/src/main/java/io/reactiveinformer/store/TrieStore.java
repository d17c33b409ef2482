package io.reactiveinformer.store;

import io.reactiveinformer.client.Known.Stale;
import io.reactiveinformer.delta.DeletionCause;
import io.reactiveinformer.delta.Delta;
import io.reactiveinformer.internal.ResourceVersion;
import io.reactiveinformer.internal.trie.TrieWalk;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Versioned;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Decides which deltas are outdated; the {@link Table} keeps the rows. */
final class TrieStore<T> implements Store.Managed<T> {

    private final Table<ObjectKey, T> table;
    private final Lister<T> lister;

    private volatile StaleObjects stale = StaleObjects.none();

    TrieStore(Namespaces namespaces) {
        table = new Table<>(Positions.unknown(namespaces));
        lister = new SnapshotLister<>(table::committed, List.of());
    }

    /** Runs {@code step} atomically: if it throws, all of its edits are undone, so that it can be repeated. */
    private Commit<ObjectKey, T> whole(Supplier<Commit<ObjectKey, T>> step) {
        StaleObjects before = stale;
        try {
            return step.get();
        } catch (Throwable failure) { // of any edit; thrown again
            table.rollBack();
            stale = before;
            throw failure;
        }
    }

    @Override
    public Commit<ObjectKey, T> apply(Delta<T> delta) {
        return whole(() -> applied(delta));
    }

    private Commit<ObjectKey, T> applied(Delta<T> delta) {
        if (!positions().accepts(delta.part())) {
            return nothing(); // the part is no longer among the namespaces
        }
        if (delta instanceof Delta.Replaced<T> list) {
            return replace(list);
        }
        if (delta instanceof Delta.Progressed<T> progressed) {
            Positions next = positions().progressed(delta.part(), progressed.resourceVersion());
            return next == positions() ? nothing() : table.commit(next);
        }
        String version = versionOf(delta);
        if (ResourceVersion.isAtMost(version, positions().reached(delta.part())) || isOldOfObject(delta)) {
            return nothing();
        }
        edit(delta, DeletionCause.OBSERVED, false);
        Positions moved = positions().moved(delta.part(), version, delta.completeTo());
        boolean read = moved.isUnread(delta.part()) && (delta instanceof Delta.Upserted || !stale.hasAnyOf(delta.part()));
        return table.commit(read ? moved.read(delta.part()) : moved);
    }

    @Override
    public Commit<ObjectKey, T> restore(Namespaces part, Collection<? extends Delta<T>> rows, String resourceVersion) {
        if (positions().received(part) != null) {
            throw new IllegalStateException("cannot restore rows of " + part + ": changes were received already, up to version "
                    + positions().received(part));
        }
        if (!positions().accepts(part)) {
            return nothing();
        }
        return whole(() -> {
            rows.forEach(row -> edit(row, DeletionCause.INFERRED, true));
            return table.commit(positions().restored(part, resourceVersion), true);
        });
    }

    /**
     * Applies a complete list. The part is complete then; but not after a first list of several objects of which none can be read: then
     * the class is wrong, and not the one object that must not affect the others. In a new epoch it replaces the cached state even if that
     * has a higher version; otherwise a list that is older than the cached state changes nothing, and a single object that is cached in a
     * later version than the list's is kept.
     */
    private Commit<ObjectKey, T> replace(Delta.Replaced<T> list) {
        Namespaces part = list.part();
        boolean older = positions().listed(part) && ResourceVersion.isNewer(positions().received(part), list.resourceVersion());
        if (older && !list.newEpoch()) {
            return nothing();
        }
        StaleObjects before = stale;
        boolean unread = (positions().received(part) == null || positions().isUnread(part)) && list.differences().size() > 1
                && list.differences().stream().allMatch(difference -> difference instanceof Delta.Unreadable);
        stale = stale.withoutParts(part::equals);
        for (Delta<T> difference : list.differences()) {
            ObjectKey key = Objects.requireNonNull(difference.key(), "a difference of a list has a key");
            boolean foreign = list.newEpoch() || before.isForeign(key);
            if (foreign || !isHeldFromAfter(list, key)) {
                edit(difference, DeletionCause.INFERRED, foreign);
            }
        }
        return table.commit(unread ? positions().unread(part, list.resourceVersion())
                : positions().listed(part, list.resourceVersion(), list.newEpoch()), true);
    }

    /** The version to which a live delta moves its part; null if the server sent none for it. */
    private static @Nullable String versionOf(Delta<?> delta) {
        if (delta instanceof Delta.Upserted<?> upserted) {
            return upserted.entry().resourceVersion();
        }
        if (delta instanceof Delta.Deleted<?> deleted) {
            return deleted.cause() == DeletionCause.OBSERVED ? deleted.last().resourceVersion() : null;
        }
        return delta instanceof Delta.Unreadable<?> unreadable ? unreadable.resourceVersion() : null;
    }

    private boolean isOldOfObject(Delta<T> delta) {
        Versioned<T> held = written(Objects.requireNonNull(delta.key(), "a live delta has a key"));
        if (held == null) {
            return false;
        }
        return delta instanceof Delta.Deleted<T> deleted
                ? ResourceVersion.isNewer(held.resourceVersion(), deleted.last().resourceVersion())
                : ResourceVersion.isAtMost(versionOf(delta), held.resourceVersion());
    }

    private boolean isHeldFromAfter(Delta.Replaced<T> list, ObjectKey key) {
        Versioned<T> held = written(key);
        return held != null && ResourceVersion.isNewer(held.resourceVersion(), list.resourceVersion());
    }

    /**
     * @param replacing why the previous object counts as deleted, if another one has its name now
     * @param foreign whether a cached state that cannot be replaced, because the new state is unreadable, belongs to another epoch
     */
    private void edit(Delta<T> delta, DeletionCause replacing, boolean foreign) {
        if (delta instanceof Delta.Upserted<T> upserted) {
            stale = stale.without(upserted.key());
            table.put(upserted.key(), upserted.entry(), replacing);
        } else if (delta instanceof Delta.Deleted<T> deleted) {
            stale = stale.without(deleted.key());
            table.remove(deleted.key(), deleted.cause(), versionOf(deleted));
        } else if (delta instanceof Delta.Unreadable<T> unreadable) {
            stale = unreadable.deleted() ? stale.without(unreadable.key()) : stale.with(unreadable, foreign);
        }
    }

    @Override
    public Commit<ObjectKey, T> resize(Namespaces namespaces) {
        return whole(() -> resized(namespaces));
    }

    private Commit<ObjectKey, T> resized(Namespaces namespaces) {
        Positions resized = positions().over(namespaces);
        stale = stale.withoutParts(part -> !resized.accepts(part));
        for (TrieWalk<ObjectKey, Versioned<T>> walk = table.committed().rows().walk(); walk.advance(); ) {
            if (!namespaces.covers(walk.key())) {
                table.remove(walk.key(), DeletionCause.LEFT, null);
            }
        }
        return table.commit(resized, true);
    }

    @Override
    public Commit<ObjectKey, T> retain(Predicate<? super ObjectKey> which) {
        return whole(() -> retained(which));
    }

    private Commit<ObjectKey, T> retained(Predicate<? super ObjectKey> which) {
        for (ObjectKey key : stale.reasons().keySet()) {
            stale = which.test(key) ? stale : stale.without(key);
        }
        for (TrieWalk<ObjectKey, Versioned<T>> walk = table.committed().rows().walk(); walk.advance(); ) {
            if (!which.test(walk.key())) {
                table.remove(walk.key(), DeletionCause.LEFT, null);
            }
        }
        return table.commit(positions(), true);
    }

    @Override
    public Commit<ObjectKey, T> reopen(Namespaces part) {
        String received = positions().received(part);
        return received == null ? nothing() : table.commit(positions().restored(part, received));
    }

    @Override
    public Commit<ObjectKey, T> excuse(Namespaces part) {
        Positions next = positions().accepts(part) ? positions().excused(part) : positions();
        return next == positions() ? nothing() : table.commit(next);
    }

    @Override
    public Commit<ObjectKey, T> addIndex(Index<T, ?> index) {
        return whole(() -> {
            table.addIndex(index);
            return table.commit(positions());
        });
    }

    private Positions positions() {
        return table.committed().positions();
    }

    private Commit<ObjectKey, T> nothing() {
        return new Commit<>(table.committed(), List.of());
    }

    @Override
    public Snapshot<ObjectKey, T> snapshot() {
        return table.snapshot();
    }

    @Override
    public Lister<T> lister() {
        return lister;
    }

    @Override
    public Map<ObjectKey, Stale> stale() {
        return stale.reasons();
    }

    @Override
    public @Nullable Versioned<T> find(ObjectKey key) {
        return asKnown(key, table.committed().find(key));
    }

    /** As {@link #find}, for the writer: includes edits that are not committed yet. */
    private @Nullable Versioned<T> written(ObjectKey key) {
        return asKnown(key, table.find(key));
    }

    private @Nullable Versioned<T> asKnown(ObjectKey key, @Nullable Versioned<T> held) {
        return held != null && stale.isForeign(key) ? new Versioned<>(held.uid(), null, held.object()) : held;
    }

    @Override
    public void forEachKey(Namespaces namespaces, Consumer<ObjectKey> action) {
        TrieSnapshot<ObjectKey, T> snapshot = table.committed();
        if (namespaces.isAll()) {
            snapshot.forEach((key, row) -> action.accept(key));
        }
        for (String namespace : namespaces.names()) {
            snapshot.namespaces().of(namespace).forEach((key, row) -> action.accept(key));
        }
    }

    @Override
    public @Nullable String reached(Namespaces part) {
        return positions().completeTo(part);
    }

    @Override
    public @Nullable String received(Namespaces part) {
        return positions().hasState(part) ? positions().received(part) : null;
    }
}
