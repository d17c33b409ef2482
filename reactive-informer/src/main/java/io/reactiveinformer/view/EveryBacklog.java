package io.reactiveinformer.view;

import io.reactiveinformer.store.Commit;
import io.reactiveinformer.store.Commit.Difference;
import io.reactiveinformer.store.Snapshot;
import java.util.ArrayDeque;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps every state of each row, in order, up to a limit. The rows to begin with, and the differences of a relist, are held once for
 * everybody, and do not count; but of relists no more than the limit are kept either.
 */
final class EveryBacklog<K, T> implements Backlog<K, T, Change<K, T>> {

    private final int limit;
    private final boolean partial;
    private final ArrayDeque<Run<K, T>> runs = new ArrayDeque<>();

    private boolean begun;
    private boolean syncedFiled;
    private boolean synced;
    private boolean resyncFiled;
    private long added;
    private int size;
    private int singles;
    private int relists;
    private @Nullable Snapshot<K, T> latest;

    /**
     * Changes that are told one after the other.
     *
     * @param next null at the end
     * @param told called when the last of them has been told
     */
    private record Run<K, T>(Supplier<@Nullable Change<K, T>> next, Runnable told) {}

    EveryBacklog(int limit, boolean partial) {
        this.limit = limit;
        this.partial = partial;
    }

    @Override
    public void begin(Snapshot<K, T> rows) {
        latest = rows;
        if (partial || rows.complete()) {
            begun = true;
            Snapshot.Cursor<K, T> walk = rows.cursor();
            add(rows.size(), () -> walk.advance() ? new Change.Added<>(walk.key(), walk.row(), true) : null, () -> {});
            fileSynced(rows);
        }
    }

    private void fileSynced(Snapshot<K, T> rows) {
        if (!syncedFiled && rows.complete()) {
            syncedFiled = true;
            add(1, () -> synced ? null : synced(rows.resourceVersion().orElse(null)), () -> {});
        }
    }

    private Change<K, T> synced(@Nullable String version) {
        synced = true;
        return new Change.Synced<>(version, added);
    }

    @Override
    public void file(Commit<K, T> commit) {
        if (!begun) {
            begin(commit.snapshot());
            return;
        }
        latest = commit.snapshot();
        List<Difference<K, T>> differences = commit.differences();
        if (differences.size() == 1) {
            singles = checked(singles + 1);
            add(differences, () -> singles--);
        } else if (!differences.isEmpty()) {
            relists = checked(relists + 1);
            add(differences, () -> relists--);
        }
        fileSynced(commit.snapshot());
    }

    @Override
    public boolean needsEachCommit() {
        return true;
    }

    private int checked(int kept) {
        if (kept > limit) {
            throw new BacklogOverflowException(limit);
        }
        return kept;
    }

    private void add(List<Difference<K, T>> differences, Runnable told) {
        ArrayDeque<Difference<K, T>> left = new ArrayDeque<>(differences);
        int halves = (int) differences.stream().filter(difference -> Step.rest(difference) != null).count();
        add(differences.size() + halves, () -> {
            Difference<K, T> difference = left.poll();
            if (difference == null) {
                return null;
            }
            Difference<K, T> rest = Step.rest(difference);
            if (rest != null) {
                left.addFirst(rest);
            }
            return Step.first(difference, !synced);
        }, told);
    }

    private void add(int changes, Supplier<@Nullable Change<K, T>> next, Runnable told) {
        size += changes;
        runs.add(new Run<>(next, told));
    }

    /** What is filed before this is told before it, so that all rows are known as they are here. */
    @Override
    public void resync() {
        if (synced && !resyncFiled && latest != null) {
            resyncFiled = true;
            Snapshot.Cursor<K, T> walk = latest.cursor();
            add(latest.size(), () -> walk.advance() ? new Change.Updated<>(walk.key(), walk.row(), walk.row()) : null, () -> resyncFiled = false);
        }
    }

    @Override
    public @Nullable Change<K, T> next() {
        for (Run<K, T> run = runs.peek(); run != null; run = runs.peek()) {
            Change<K, T> next = run.next.get();
            if (next != null) {
                size--;
                added += next instanceof Change.Added<K, T> && !synced ? 1 : 0;
                return next;
            }
            runs.remove();
            run.told.run();
        }
        return null;
    }

    @Override
    public boolean isEmpty() {
        return size == 0;
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public void clear() {
        runs.clear();
        begun = false;
        size = 0;
        latest = null;
    }
}
