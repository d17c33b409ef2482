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

    /** Changes that are told one after the other. */
    private static final class Run<K, T> {

        private final Supplier<Change<K, T>> next;
        private final Runnable told;
        private int left;

        /** @param told called when the last of them has been told */
        Run(int left, Supplier<Change<K, T>> next, Runnable told) {
            this.left = left;
            this.next = next;
            this.told = told;
        }

        Change<K, T> next() {
            Change<K, T> change = next.get();
            left--;
            return change;
        }
    }

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
            add(rows.size(), () -> {
                walk.advance();
                return new Change.Added<>(walk.key(), walk.row(), true);
            }, () -> {});
            fileSynced(rows);
        }
    }

    private void fileSynced(Snapshot<K, T> rows) {
        if (!syncedFiled && rows.complete()) {
            syncedFiled = true;
            add(1, () -> synced(rows.resourceVersion().orElse(null)), () -> {});
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
            Difference<K, T> difference = left.remove();
            Difference<K, T> rest = Step.rest(difference);
            if (rest != null) {
                left.addFirst(rest);
            }
            return Step.first(difference, !synced);
        }, told);
    }

    private void add(int changes, Supplier<Change<K, T>> next, Runnable told) {
        if (changes > 0) {
            size += changes;
            runs.add(new Run<>(changes, next, told));
        }
    }

    /** What is filed before this is told before it, so that all rows are known as they are here. */
    @Override
    public void resync() {
        if (synced && !resyncFiled && latest != null) {
            resyncFiled = latest.size() > 0;
            Snapshot.Cursor<K, T> walk = latest.cursor();
            add(latest.size(), () -> {
                walk.advance();
                return new Change.Updated<>(walk.key(), walk.row(), walk.row());
            }, () -> resyncFiled = false);
        }
    }

    @Override
    public @Nullable Change<K, T> next() {
        Run<K, T> run = runs.peek();
        if (run == null) {
            return null;
        }
        Change<K, T> next = run.next();
        size--;
        added += next instanceof Change.Added<K, T> && !synced ? 1 : 0;
        if (run.left == 0) {
            runs.remove();
            run.told.run();
        }
        return next;
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
    public long folded() {
        return 0;
    }

    @Override
    public void clear() {
        runs.clear();
        begun = false;
        size = 0;
        latest = null;
    }
}
