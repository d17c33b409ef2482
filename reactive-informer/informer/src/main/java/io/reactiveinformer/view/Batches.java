package io.reactiveinformer.view;

import io.reactiveinformer.store.Commit;
import io.reactiveinformer.store.Snapshot;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Combines the elements of another backlog into lists, and keeps no elements itself. */
final class Batches<K, T, E> implements PendingChanges<K, T, List<E>> {

    private final PendingChanges<K, T, E> changes;
    private final int most;

    Batches(PendingChanges<K, T, E> changes, int most) {
        this.changes = changes;
        this.most = most;
    }

    @Override
    public void begin(Snapshot<K, T> rows) {
        changes.begin(rows);
    }

    @Override
    public void file(Commit<K, T> commit) {
        changes.file(commit);
    }

    @Override
    public boolean needsEachCommit() {
        return changes.needsEachCommit();
    }

    @Override
    public void resync() {
        changes.resync();
    }

    @Override
    public @Nullable List<E> next() {
        E first = changes.next();
        if (first == null) {
            return null;
        }
        List<E> batch = new ArrayList<>(Math.min(changes.size() + 1, most));
        for (E next = first; next != null; next = batch.size() < most ? changes.next() : null) {
            batch.add(next);
        }
        return Collections.unmodifiableList(batch);
    }

    @Override
    public int weight(List<E> batch) {
        return batch.size();
    }

    @Override
    public boolean isEmpty() {
        return changes.isEmpty();
    }

    @Override
    public int size() {
        return changes.size();
    }

    @Override
    public long conflated() {
        return changes.conflated();
    }

    @Override
    public void clear() {
        changes.clear();
    }
}
