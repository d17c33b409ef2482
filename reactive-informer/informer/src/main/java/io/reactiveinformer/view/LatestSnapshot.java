package io.reactiveinformer.view;

import io.reactiveinformer.store.Commit;
import io.reactiveinformer.store.Snapshot;
import org.jspecify.annotations.Nullable;

/** A backlog of snapshots: keeps the newest only. */
final class LatestSnapshot<K, T> implements PendingChanges<K, T, Snapshot<K, T>> {

    private @Nullable Snapshot<K, T> untold;

    @Override
    public void begin(Snapshot<K, T> rows) {
        untold = rows;
    }

    @Override
    public void file(Commit<K, T> commit) {
        untold = commit.snapshot();
    }

    @Override
    public void resync() {}

    @Override
    public @Nullable Snapshot<K, T> next() {
        Snapshot<K, T> next = untold;
        untold = null;
        return next;
    }

    @Override
    public boolean isEmpty() {
        return untold == null;
    }

    @Override
    public int size() {
        return untold == null ? 0 : 1;
    }

    @Override
    public long conflated() {
        return -1;
    }

    @Override
    public void clear() {
        untold = null;
    }
}
