package io.reactiveinformer.view;

import io.reactiveinformer.store.Commit;
import io.reactiveinformer.store.Commit.Difference;
import io.reactiveinformer.store.Snapshot;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps each state of each row, in order, up to a limit. The initial rows, and the differences of a batch, such as a list of the server,
 * are shared by all subscribers, and do not count. Batches overflow only if they would fill the memory.
 */
final class EveryBacklog<K, T> implements PendingChanges<K, T> {

    /**
     * The number of differences of several batches that may wait, or four times the number of rows if that is more. A difference takes
     * about 100 bytes.
     */
    private static final int MOST_BATCHED = 65_536;

    private final int limit;
    private final boolean partial;
    private final String subscriber;
    private final Supplier<Instant> clock;
    private final @Nullable AtomicLong missed; // null if the subscription fails instead

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
    private int marks; // of these
    private int singles;
    private long batched;
    private @Nullable Instant gapSince; // until its mark was received
    private @Nullable Snapshot<K, T> latest;

    /** The differences of one commit, shared with other subscribers; or Synced. */
    private static final class Run<K, T> {

        private final List<Difference<K, T>> differences;
        private final boolean batch;
        private final @Nullable Change<K, T> mark; // Synced, or the end of the rows after a gap
        private final Instant since;
        private int next;
        private @Nullable Difference<K, T> rest;

        Run(Commit<K, T> commit, Instant since) {
            differences = commit.differences();
            batch = commit.batch();
            mark = null;
            this.since = since;
        }

        Run(Change<K, T> mark) {
            differences = List.of();
            batch = true;
            this.mark = mark;
            since = Instant.MAX;
        }

        int changes() {
            return mark != null ? 1 : differences.size()
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

    /**
     * @param subscriber its name, for the failure
     * @param missed counts the changes that were dropped; what is kept then begins anew with {@link #gap}, the present rows and Synced. If
     *     null, the subscription fails instead
     */
    EveryBacklog(int limit, boolean partial, String subscriber, Supplier<Instant> clock, @Nullable AtomicLong missed) {
        this.limit = limit;
        this.partial = partial;
        this.subscriber = subscriber;
        this.clock = clock;
        this.missed = missed;
    }

    /** A mark, for {@link AuditedRows} only: what was received before is followed by a gap. The present rows follow, and {@link #rowsEnd}. */
    private static <K, T> Change<K, T> gap(long missed, Instant since) {
        return new Change.Synced<>(since.toString(), -missed);
    }

    private static <K, T> Change<K, T> rowsEnd() {
        return new Change.Synced<>(null, AuditedRows.ROWS_END);
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
            add(new Run<>(new Change.Synced<>(rows.resourceVersion().orElse(null), 0))); // counted when it is told
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
            var run = new Run<>(commit, clock.get());
            String overflow = count(commit);
            if (overflow != null) {
                restart(overflow, run, commit.snapshot());
                return;
            }
            commit.differences().forEach(difference -> resync.takeOut(difference.key()));
            add(run);
        }
        fileSynced(commit.snapshot());
    }

    private void restart(String overflow, Run<K, T> last, Snapshot<K, T> rows) {
        int dropped = inRuns - marks + last.changes();
        Instant since = runs.stream().filter(run -> run.mark == null).findFirst().orElse(last).since;
        if (missed == null) {
            throw new BacklogOverflowException(overflow, limit, subscriber, dropped, since);
        }
        missed.addAndGet(dropped);
        Instant first = gapSince == null ? since : gapSince;
        clear();
        gapSince = first;
        begun = true;
        latest = rows;
        opening = rows.cursor();
        ahead = rows.size();
        add(new Run<>(rowsEnd()));
        if (!synced) {
            added = 0;
            syncedFiled = false;
            fileSynced(rows);
        }
    }

    /** Returns what is too much; null if it is not. */
    private @Nullable String count(Commit<K, T> commit) {
        int differences = commit.differences().size();
        if (!commit.batch()) {
            singles++;
            return singles > limit ? "more than " + limit + " changes" : null;
        }
        boolean first = batched == 0;
        batched += differences;
        return !first && batched > Math.max(MOST_BATCHED, 4L * Math.max(differences, commit.snapshot().size()))
                ? "several lists of the server, which changed " + batched + " rows," : null;
    }

    private void add(Run<K, T> run) {
        inRuns += run.changes();
        marks += run.mark == null ? 0 : 1;
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
        if (gapSince != null && missed != null) {
            Change<K, T> mark = gap(missed.get(), gapSince);
            gapSince = null;
            return mark;
        }
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
        if (run.mark == null) {
            next = DifferenceToChange.first(run.next(), !synced);
        } else {
            marks--;
            next = run.mark instanceof Change.Synced<K, T> complete && complete.count() == 0 ? synced(complete) : run.mark;
        }
        if (run.isOver()) {
            runs.remove();
            singles -= run.batch ? 0 : 1;
            batched -= run.batch ? run.differences.size() : 0;
        }
        return next;
    }

    private Change<K, T> synced(Change.Synced<K, T> complete) {
        synced = true;
        return new Change.Synced<>(complete.resourceVersion(), added);
    }

    @Override
    public boolean isEmpty() {
        return size() == 0;
    }

    @Override
    public int size() {
        return ahead + inRuns + resync.ahead() + (gapSince == null ? 0 : 1);
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
        marks = 0;
        singles = 0;
        batched = 0;
        gapSince = null;
        latest = null;
    }
}
