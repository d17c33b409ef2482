package io.reactiveinformer.view;

import io.reactiveinformer.delta.DeletionCause;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.store.Commit;
import io.reactiveinformer.store.Commit.Difference;
import io.reactiveinformer.store.Snapshot;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Laws 10 and 11, for every state of each row: all that happens waits in line, as it happened. */
final class EveryModel<K, T> extends Model<K, T> {

    private enum Kind {
        FREE, SINGLE
    }

    /** Whether an addition is an initial one is known when it is received. */
    private record Waiting<K, T>(@Nullable K key, Supplier<Change<K, T>> change) {}

    /** Changes that came at once. */
    private record Group<K, T>(Kind kind, ArrayDeque<Waiting<K, T>> left) {}

    private final boolean partial;
    private final ArrayDeque<Group<K, T>> line = new ArrayDeque<>();
    private @Nullable Snapshot<K, T> rows;
    private boolean begun;
    private boolean complete;
    private boolean synced;
    private boolean overflowed;
    private long added;

    EveryModel(boolean partial) {
        this.partial = partial;
    }

    @Override
    void begin(Snapshot<K, T> snapshot) {
        rows = snapshot;
        if (partial || snapshot.complete()) {
            begun = true;
            List<Waiting<K, T>> first = new ArrayList<>();
            snapshot.forEach((key, row) -> first.add(new Waiting<>(key, () -> new Change.Added<>(key, row, true))));
            wait(Kind.FREE, first);
            complete(snapshot);
        }
    }

    private void complete(Snapshot<K, T> snapshot) {
        if (snapshot.complete() && !complete) {
            complete = true;
            wait(Kind.FREE, List.of(new Waiting<>(null, () -> {
                synced = true;
                return new Change.Synced<>(snapshot.resourceVersion().orElse(null), added);
            })));
        }
    }

    private void wait(Kind kind, List<Waiting<K, T>> changes) {
        if (!changes.isEmpty()) {
            line.add(new Group<>(kind, new ArrayDeque<>(changes)));
        }
    }

    @Override
    void file(Commit<K, T> commit) {
        if (!begun) {
            begin(commit.snapshot());
            return;
        }
        rows = commit.snapshot();
        commit.differences().forEach(difference -> due.remove(difference.key()));
        wait(commit.batch() ? Kind.FREE : Kind.SINGLE, commit.differences().stream().map(this::changes).flatMap(List::stream).toList());
        overflowed |= line.stream().filter(group -> group.kind == Kind.SINGLE).count() > DeliveryOptions.LIMIT;
        complete(commit.snapshot());
    }

    private List<Waiting<K, T>> changes(Difference<K, T> difference) {
        K key = difference.key();
        Versioned<T> before = difference.before();
        Versioned<T> after = difference.after();
        if (before != null && after != null && !before.recreatedAs(after)) {
            return List.of(new Waiting<>(key, () -> new Change.Updated<>(key, before, after)));
        }
        List<Waiting<K, T>> changes = new ArrayList<>();
        if (before != null) {
            String at = difference.deletedAt() == null ? before.resourceVersion() : difference.deletedAt();
            DeletionCause cause = difference.cause() == null ? DeletionCause.OBSERVED : difference.cause();
            changes.add(new Waiting<>(key, () -> new Change.Deleted<>(key, before, cause, at)));
        }
        if (after != null) {
            changes.add(new Waiting<>(key, () -> new Change.Added<>(key, after, !synced)));
        }
        return changes;
    }

    @Override
    void resync() {
        if (synced) {
            rows.forEach((key, row) -> due.add(key));
            line.forEach(group -> group.left.forEach(waiting -> due.remove(waiting.key)));
        }
    }

    @Override
    Change<K, T> again(K key) {
        return new Change.Updated<>(key, rows.find(key), rows.find(key));
    }

    @Override
    @Nullable Change<K, T> next() {
        Group<K, T> group = line.peek();
        if (group == null || overflowed) {
            return null;
        }
        Change<K, T> next = group.left.remove().change.get();
        added += next instanceof Change.Added<K, T> && !synced ? 1 : 0;
        if (group.left.isEmpty()) {
            line.remove();
        }
        return next;
    }

    @Override
    long waiting() {
        return line.stream().map(Group::left).mapToLong(ArrayDeque::size).sum();
    }

    @Override
    boolean overflowed() {
        return overflowed;
    }
}
