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
final class EveryModel<K, T> implements Model<K, T> {

    private enum Kind {
        FREE, SINGLE, RELIST, RESYNC
    }

    /** Changes that came at once; whether an addition is an initial one is known when it is told. */
    private record Group<K, T>(Kind kind, ArrayDeque<Supplier<Change<K, T>>> left) {}

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
    public void begin(Snapshot<K, T> snapshot) {
        rows = snapshot;
        if (partial || snapshot.complete()) {
            begun = true;
            wait(Kind.FREE, rows((key, row) -> new Change.Added<>(key, row, true)));
            complete(snapshot);
        }
    }

    private interface Told<K, T> {
        Change<K, T> of(K key, Versioned<T> row);
    }

    private List<Supplier<Change<K, T>>> rows(Told<K, T> told) {
        List<Supplier<Change<K, T>>> all = new ArrayList<>();
        rows.forEach((key, row) -> all.add(() -> told.of(key, row)));
        return all;
    }

    private void complete(Snapshot<K, T> snapshot) {
        if (snapshot.complete() && !complete) {
            complete = true;
            wait(Kind.FREE, List.of(() -> {
                synced = true;
                return new Change.Synced<>(snapshot.resourceVersion().orElse(null), added);
            }));
        }
    }

    private void wait(Kind kind, List<Supplier<Change<K, T>>> changes) {
        if (!changes.isEmpty()) {
            line.add(new Group<>(kind, new ArrayDeque<>(changes)));
        }
    }

    @Override
    public void file(Commit<K, T> commit) {
        if (!begun) {
            begin(commit.snapshot());
            return;
        }
        rows = commit.snapshot();
        Kind kind = commit.differences().size() == 1 ? Kind.SINGLE : Kind.RELIST;
        wait(kind, commit.differences().stream().map(this::changes).flatMap(List::stream).toList());
        overflowed |= waiting(kind) > Wishes.LIMIT;
        complete(commit.snapshot());
    }

    private List<Supplier<Change<K, T>>> changes(Difference<K, T> difference) {
        K key = difference.key();
        Versioned<T> before = difference.before();
        Versioned<T> after = difference.after();
        if (before != null && after != null && !before.recreatedAs(after)) {
            return List.of(() -> new Change.Updated<>(key, before, after));
        }
        List<Supplier<Change<K, T>>> changes = new ArrayList<>();
        if (before != null) {
            String at = difference.deletedAt() == null ? before.resourceVersion() : difference.deletedAt();
            changes.add(() -> new Change.Deleted<>(key, before, at, difference.cause() == null ? DeletionCause.OBSERVED : difference.cause()));
        }
        if (after != null) {
            changes.add(() -> new Change.Added<>(key, after, !synced));
        }
        return changes;
    }

    private long waiting(Kind kind) {
        return line.stream().filter(group -> group.kind == kind).count();
    }

    @Override
    public void resync() {
        if (synced && waiting(Kind.RESYNC) == 0) {
            wait(Kind.RESYNC, rows((key, row) -> new Change.Updated<>(key, row, row)));
        }
    }

    @Override
    public @Nullable Change<K, T> next() {
        Group<K, T> group = line.peek();
        if (group == null || overflowed) {
            return null;
        }
        Change<K, T> next = group.left.remove().get();
        added += next instanceof Change.Added<K, T> && !synced ? 1 : 0;
        if (group.left.isEmpty()) {
            line.remove();
        }
        return next;
    }

    @Override
    public long backlog() {
        return line.stream().map(Group::left).mapToLong(ArrayDeque::size).sum();
    }

    @Override
    public boolean overflowed() {
        return overflowed;
    }
}
