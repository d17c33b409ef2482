package io.reactiveinformer.view;

import io.reactiveinformer.store.Commit;
import io.reactiveinformer.store.Commit.Difference;
import io.reactiveinformer.store.Snapshot;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Keeps each state of each row, in order, up to a limit. The initial rows, and the differences of a batch, such as a list of the server,
 * are shared by all subscribers, and do not count. Batches end the subscription only if they would fill the memory.
 */
final class EveryBacklog<K, T> implements PendingChanges<K, T> {

    /**
     * The number of differences of several batches that may wait, or four times the number of rows if that is more. A difference takes
     * about 100 bytes.
     */
    private static final int MOST_BATCHED = 65_536;

    private final int limit;
    private final boolean partial;

    /** The initial rows that are not emitted yet. */
    private Snapshot.@Nullable Cursor<K, T> opening;

    private int ahead;

    /** The changes after the initial rows, in order. */
    private final ArrayDeque<Run<K, T>> runs = new ArrayDeque<>();

    private final ResyncWalk<K, T> resync = new ResyncWalk<>(Map.of());
    private boolean resyncsTurn;

    private boolean begun;
    private boolean syncedFiled;
    private boolean synced;
    private long added;
    private int inRuns;
    private int singles;
    private long batched;
    private @Nullable Snapshot<K, T> latest;

    /** The differences of one commit, shared with other subscribers; or Synced. */
    private static final class Run<K, T> {

        private final List<Difference<K, T>> differences;
        private final boolean batch;
        private final @Nullable Snapshot<K, T> synced;
        private int next;
        private @Nullable Difference<K, T> rest;

        Run(Commit<K, T> commit) {
            differences = commit.differences();
            batch = commit.batch();
            synced = null;
        }

        Run(Snapshot<K, T> complete) {
            differences = List.of();
            batch = true;
            synced = complete;
        }

        int changes() {
            return synced != null ? 1 : differences.size()
                    + (int) differences.stream().filter(difference -> DifferenceToChange.rest(difference) != null)
                    .count();
        }

        Difference<K, T> next() {
            Difference<K, T> difference = rest == null ? differences.get(next++) : rest;
            rest = DifferenceToChange.rest(difference);
            return difference;
        }

        boolean isOver() {
            return next == differences.size() && rest == null;
        }

        /** The remaining differences, including one of whose two changes the first was emitted. */
        List<Difference<K, T>> left() {
            return differences.subList(rest == null ? next : next - 1, differences.size());
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
            opening = rows.cursor();
            ahead = rows.size();
            fileSynced(rows);
        }
    }

    private void fileSynced(Snapshot<K, T> rows) {
        if (!syncedFiled && rows.complete()) {
            syncedFiled = true;
            add(new Run<>(rows));
        }
    }

    @Override
    public void file(Commit<K, T> commit) {
        if (!begun) {
            begin(commit.snapshot());
            return;
        }
        latest = commit.snapshot();
        if (!commit.differences().isEmpty()) {
            count(commit);
            commit.differences().forEach(difference -> resync.takeOut(difference.key()));
            add(new Run<>(commit));
        }
        fileSynced(commit.snapshot());
    }

    private void count(Commit<K, T> commit) {
        int differences = commit.differences().size();
        if (!commit.batch()) {
            singles++;
            if (singles > limit) {
                throw new BacklogOverflowException(limit, (int) (singles + batched));
            }
            return;
        }
        boolean first = batched == 0;
        batched += differences;
        if (!first && batched > Math.max(MOST_BATCHED, 4L * Math.max(differences, commit.snapshot().size()))) {
            throw BacklogOverflowException.ofLists(limit, (int) (singles + batched));
        }
    }

    private void add(Run<K, T> run) {
        inRuns += run.changes();
        runs.add(run);
    }

    @Override
    public boolean needsEachCommit() {
        return true;
    }

    /** No effect before Synced, when no rows can be emitted again. A row with a waiting change is not emitted in addition to it. */
    @Override
    public void resync() {
        if (synced && latest != null) {
            resync.begin(latest);
            for (Run<K, T> run : runs) {
                run.left().forEach(difference -> resync.takeOut(difference.key()));
            }
        }
    }

    @Override
    public @Nullable Change<K, T> next() {
        Change<K, T> next = ahead > 0 ? nextOfOpening() : resyncsTurn || runs.isEmpty() ? nextOfResync() : null;
        next = next == null ? nextInLine() : next;
        added += next instanceof Change.Added<K, T> && !synced ? 1 : 0;
        return next;
    }

    private @Nullable Change<K, T> nextOfOpening() {
        ahead--;
        Snapshot.Cursor<K, T> walk = opening;
        opening = ahead == 0 ? null : walk;
        return walk != null && walk.advance() ? new Change.Added<>(walk.key(), walk.row(), true) : null;
    }

    private @Nullable Change<K, T> nextOfResync() {
        resyncsTurn = false; // so that neither starves the other
        return resync.next();
    }

    private @Nullable Change<K, T> nextInLine() {
        Run<K, T> run = runs.peek();
        if (run == null) {
            return null;
        }
        resyncsTurn = true;
        inRuns--;
        Change<K, T> next;
        if (run.synced == null) {
            next = DifferenceToChange.first(run.next(), !synced);
        } else {
            synced = true;
            next = new Change.Synced<>(run.synced.resourceVersion().orElse(null), added);
        }
        if (run.isOver()) {
            runs.remove();
            singles -= run.batch ? 0 : 1;
            batched -= run.batch ? run.differences.size() : 0;
        }
        return next;
    }

    @Override
    public boolean isEmpty() {
        return size() == 0;
    }

    @Override
    public int size() {
        return ahead + inRuns + resync.ahead();
    }

    @Override
    public long conflated() {
        return 0;
    }

    @Override
    public void clear() {
        runs.clear();
        resync.clear();
        opening = null;
        begun = false;
        ahead = 0;
        inRuns = 0;
        latest = null;
    }
}
