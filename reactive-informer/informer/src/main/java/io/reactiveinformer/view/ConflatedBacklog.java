package io.reactiveinformer.view;

import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.store.Commit;
import io.reactiveinformer.store.Commit.Difference;
import io.reactiveinformer.store.Snapshot;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the latest state of each row: at most one entry for each row that exists or that the subscriber has received, and one for
 * {@link Change.Synced}. If brief rows are wanted, also one for each key of them.
 *
 * <pre>
 *  WAITING ──first complete rows──▶ OPENING ──walked to the end──▶ LIVE
 * </pre>
 */
final class ConflatedBacklog<K, T> implements PendingChanges<K, T> {

    /*
     * Each commit has an immutable snapshot of all rows, which all subscribers share. So the backlog does not keep states to emit. It only
     * notes which rows the subscriber does not know in their current state, and reads that state from the latest snapshot when it emits:
     *
     *   opening  a cursor over the snapshot at the beginning, for all initial rows. A row ahead of the cursor needs no note of its changes.
     *   fresh    a position in the differences of one commit. A subscriber that keeps up needs nothing else.
     *   dirty    for each row that has changed since it was emitted, the state that the subscriber received last. Further changes of the
     *            row need no note, except how the object was deleted.
     *   resync   a cursor over a snapshot, and the keys that it skips.
     *
     *   emitted: opening ──▶ rows that became dirty meanwhile ──▶ Synced ──▶ fresh, then dirty and resync by turns
     *
     * If a commit arrives before fresh is emitted, the rest of fresh becomes dirty. A dirty row that returns to the state that the
     * subscriber knows is clean again, unless the subscriber also wants brief rows, and it was one. As the present row may then be
     * another, equal instance, "received" keeps the instance that was emitted: it is the "before" of the next update.
     */

    private enum Stage {
        WAITING, OPENING, LIVE
    }

    private static final long NOWHERE = Long.MAX_VALUE;

    private final boolean partial;
    private final boolean brief;

    /**
     * The differences of one commit, shared with other subscribers. Those from {@link #freshNext} on are not emitted yet; they are
     * conflated into {@link #dirty} before anything else is noted.
     */
    private List<Difference<K, T>> fresh = List.of();

    private int freshNext;

    /** In the order in which the rows became dirty; those of {@link #fresh} precede them. */
    private final LinkedHashMap<K, DirtyRow<K, T>> dirty = new LinkedHashMap<>();

    /**
     * For rows that changed, and changed back before that was emitted: the instance that was emitted. The present row may be another, equal
     * instance.
     */
    private final Map<K, Versioned<T>> received = new HashMap<>();

    private Stage stage = Stage.WAITING;
    private @Nullable Snapshot<K, T> latest;
    private Snapshot.@Nullable Cursor<K, T> opening;

    /** The number of rows that the walk has not reached yet, and that still exist. */
    private int ahead;

    private long places;

    /** The place of Synced in the order of dirty rows: rows with a smaller place are emitted before it. */
    private long syncedPlace = NOWHERE;

    private boolean synced;
    private @Nullable String syncedVersion;
    private long added;
    private long conflated;
    private final ResyncWalk<K, T> resync = new ResyncWalk<>(received);
    private boolean resyncsTurn;

    /**
     * @param partial whether to begin with the present rows even if they are not complete; Synced then waits for the first complete rows
     * @param brief whether to emit rows that were added and deleted before they were emitted
     */
    ConflatedBacklog(boolean partial, boolean brief) {
        this.partial = partial;
        this.brief = brief;
    }

    @Override
    public void begin(Snapshot<K, T> rows) {
        latest = rows;
        if (partial || rows.complete()) {
            stage = Stage.OPENING;
            opening = rows.cursor();
            ahead = rows.size();
            placeSynced(rows);
        }
    }

    private void placeSynced(Snapshot<K, T> rows) {
        if (syncedPlace == NOWHERE && rows.complete()) {
            syncedPlace = places;
            syncedVersion = rows.resourceVersion().orElse(null);
        }
    }

    @Override
    public void file(Commit<K, T> commit) {
        if (stage == Stage.WAITING) {
            begin(commit.snapshot());
            return;
        }
        latest = commit.snapshot();
        if (synced && size() == 0) {
            fresh = commit.differences();
            freshNext = 0;
            return;
        }
        conflateFresh();
        for (Difference<K, T> difference : commit.differences()) {
            if (opening != null && opening.isAhead(difference.key())) {
                ahead += (difference.after() == null ? 0 : 1) - (difference.before() == null ? 0 : 1);
                conflated++;
            } else {
                conflate(difference);
            }
        }
        placeSynced(commit.snapshot());
    }

    private void conflateFresh() {
        List<Difference<K, T>> left = fresh.subList(freshNext, fresh.size());
        forgetFresh();
        if (!left.isEmpty()) {
            Map<K, DirtyRow<K, T>> rests = new LinkedHashMap<>(dirty); // of recreated rows, whose turn comes after all others
            dirty.clear();
            left.forEach(this::conflate);
            dirty.putAll(rests);
        }
    }

    private void forgetFresh() {
        fresh = List.of();
        freshNext = 0;
    }

    private void conflate(Difference<K, T> difference) {
        K key = difference.key();
        DirtyRow<K, T> row = dirty.get(key);
        if (row == null) {
            row = new DirtyRow<>(difference.from(received.remove(key)).before(), places++);
            dirty.put(key, row);
        } else {
            conflated++;
        }
        row.conflate(difference);
        if (resync.takeOut(key)) {
            row.resync();
        }
        if (brief && synced && row.isBrief(difference)) {
            row.endsBriefly(difference);
        } else if (row.briefEnd() == null && row.isClean(difference)) {
            dirty.remove(key);
            conflated++;
            remember(row.to(key, difference.after()));
        }
    }

    private void remember(Difference<K, T> nothing) {
        if (nothing.before() != null) {
            received.put(nothing.key(), nothing.before());
        }
    }

    /** No effect before Synced, when no rows can be emitted again. A dirty row is emitted once, for its change and for the resync. */
    @Override
    public void resync() {
        conflateFresh();
        if (synced && latest != null) {
            resync.begin(latest);
            dirty.forEach((key, row) -> {
                if (resync.takeOut(key)) {
                    row.resync();
                }
            });
        }
    }

    @Override
    public @Nullable Change<K, T> next() {
        Change<K, T> next = fresh.isEmpty() ? nextOfOpening() : nextFresh();
        if (next == null && stage == Stage.LIVE) {
            next = syncedIsNext() ? nextSynced() : resyncsTurn || dirty.isEmpty() ? nextOfResync() : null;
            return next == null ? nextDirty() : next;
        }
        return next;
    }

    private @Nullable Change<K, T> nextOfOpening() {
        while (opening != null && latest != null) {
            if (ahead == 0 || !opening.advance()) {
                opening = null;
                stage = Stage.LIVE;
                break;
            }
            Versioned<T> row = latest.find(opening.key());
            if (row != null) {
                ahead--;
                added++;
                return new Change.Added<>(opening.key(), row, true);
            }
        }
        return null;
    }

    private boolean syncedIsNext() {
        return !synced && syncedPlace != NOWHERE && (dirty.isEmpty() || first().place >= syncedPlace);
    }

    private Change<K, T> nextSynced() {
        synced = true;
        return new Change.Synced<>(syncedVersion, added);
    }

    private @Nullable Change<K, T> nextOfResync() {
        resyncsTurn = false; // so that neither starves the other
        return resync.next();
    }

    private @Nullable Change<K, T> nextFresh() {
        while (freshNext < fresh.size()) {
            Difference<K, T> shared = fresh.get(freshNext++);
            Difference<K, T> difference = received.isEmpty() ? shared : shared.from(received.remove(shared.key()));
            if (difference.isNothing()) {
                conflated++;
                remember(difference);
            } else {
                return next(difference);
            }
        }
        forgetFresh();
        return null;
    }

    private @Nullable Change<K, T> nextDirty() {
        resyncsTurn = true;
        if (latest == null || dirty.isEmpty()) {
            return null;
        }
        K key = dirty.keySet().iterator().next();
        DirtyRow<K, T> row = Objects.requireNonNull(dirty.remove(key));
        Difference<K, T> end = row.briefEnd();
        if (end == null) {
            return next(row.to(key, latest.find(key)));
        }
        return row.isKnown() ? nextBeforeBrief(row, end) : nextBrief(end, latest.find(key));
    }

    /**
     * The beginning of a row that has ended; its end is next, unless the same row is there again.
     *
     * @param now the present row; null if there is none
     */
    private Change<K, T> nextBrief(Difference<K, T> end, @Nullable Versioned<T> now) {
        Versioned<T> row = Objects.requireNonNull(end.before());
        var ended = new DirtyRow<K, T>(row, places++);
        ended.conflate(end);
        ended.conflate(new Difference<>(end.key(), null, now, end.cause(), end.deletedAt()));
        Difference<K, T> rest = ended.to(end.key(), now);
        if (rest.isNothing()) {
            remember(rest);
        } else {
            dirty.put(end.key(), ended);
        }
        return next(new Difference<>(end.key(), null, row, null, null));
    }

    /** The end of the row that the subscriber knows; the brief one is next. */
    private Change<K, T> nextBeforeBrief(DirtyRow<K, T> row, Difference<K, T> end) {
        var next = new DirtyRow<K, T>(null, places++);
        next.endsBriefly(end);
        dirty.put(end.key(), next);
        return DifferenceToChange.first(row.to(end.key(), null), false);
    }

    private Change<K, T> next(Difference<K, T> difference) {
        Change<K, T> next = DifferenceToChange.first(difference, !synced);
        Difference<K, T> rest = DifferenceToChange.rest(difference);
        if (rest != null) {
            dirty.put(rest.key(), new DirtyRow<>(null, places++));
        }
        if (next instanceof Change.Added<K, T>) { // counts until it is synced
            added++;
        }
        return next;
    }

    private DirtyRow<K, T> first() {
        return dirty.values().iterator().next();
    }

    @Override
    public boolean isEmpty() {
        return stage == Stage.WAITING || size() == 0;
    }

    @Override
    public int size() {
        return ahead + fresh.size() - freshNext + dirty.size() + (synced || syncedPlace == NOWHERE ? 0 : 1) + resync.ahead();
    }

    @Override
    public long conflated() {
        return conflated;
    }

    @Override
    public void clear() {
        stage = Stage.WAITING;
        latest = null;
        opening = null;
        resync.clear();
        forgetFresh();
        dirty.clear();
        received.clear();
        ahead = 0;
        synced = true;
    }
}
