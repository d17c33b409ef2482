package io.reactiveinformer.view;

import io.reactiveinformer.internal.derived.SourceChanges;
import io.reactiveinformer.store.Commit;
import io.reactiveinformer.store.Commit.Difference;
import io.reactiveinformer.store.Snapshot;
import io.reactiveinformer.view.ChangeHub.Feed;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.Disposables;

/**
 * Receives the changes of one source of a derived view. Changes that are not processed yet are conflated into at most one difference for
 * each row. If an object that was added is deleted before that is processed, another batch begins: otherwise the derived view would
 * never have it, and its subscribers would miss a {@linkplain Delivery#brief brief} row.
 */
final class Inlet<K, T> implements CommitListener<K, T>, SourceChanges<K, T> {

    /** More wait only if the worker of the view is far behind; then brief rows are conflated to nothing. */
    private static final int MOST_BATCHES = 100;

    private final Feed<K, T> feed;
    private final Runnable wake;

    // Guarded by this; no foreign code is called under the lock.
    private Map<K, Difference<K, T>> changed = new LinkedHashMap<>();
    private @Nullable Snapshot<K, T> news;
    private boolean changedByBatch;
    private boolean tookBatch;
    private final ArrayDeque<Pending<K, T>> earlier = new ArrayDeque<>();
    private boolean keepsBrief;
    private boolean begun;
    private boolean ended;
    private @Nullable Throwable failure;
    private Disposable source = Disposables.disposed();

    /** What a batch is made of: the changes before another one began. */
    private record Pending<K, T>(Snapshot<K, T> rows, Map<K, Difference<K, T>> changed, boolean byBatch) {}

    /**
     * @param feed where changes come from
     * @param wake called after each change of this inlet, outside of the lock
     */
    Inlet(Feed<K, T> feed, Runnable wake) {
        this.feed = feed;
        this.wake = wake;
    }

    /** Follows the feed from now on, until the result is disposed of. */
    Disposable attach() {
        Disposable attached = feed.attach(this);
        boolean endedMeanwhile;
        synchronized (this) {
            source = attached;
            endedMeanwhile = ended;
        }
        if (endedMeanwhile) {
            wake.run(); // now there is a source to leave
        }
        return attached;
    }

    /** Detaches from a source that has ended and whose changes have all been taken, so that it does not wait for this inlet. */
    void leaveIfDone() {
        Disposable left;
        synchronized (this) {
            left = ended && news == null ? source : Disposables.disposed();
        }
        left.dispose();
    }

    @Override
    public void begin(Snapshot<K, T> rows) {
        synchronized (this) {
            news = rows;
        }
        wake.run();
    }

    @Override
    public void file(Commit<K, T> commit) {
        synchronized (this) {
            if (keepsBrief && news != null && earlier.size() < MOST_BATCHES
                    && DifferenceToChange.anyIsBrief(changed, commit.differences())) {
                earlier.add(new Pending<>(news, changed, changedByBatch));
                changed = new LinkedHashMap<>();
                changedByBatch = false;
            }
            news = commit.snapshot();
            changedByBatch |= commit.batch();
            if (begun) { // otherwise all rows are new anyway
                commit.differences().forEach(this::conflate);
            }
        }
        wake.run();
    }

    @Override
    public synchronized boolean wantsBriefRows() {
        return keepsBrief;
    }

    /** False: commits are conflated here anyway. */
    @Override
    public boolean needsEachCommit() {
        return false;
    }

    private void conflate(Difference<K, T> difference) {
        changed.merge(difference.key(), difference, (noted, next) -> {
            Difference<K, T> both = noted.then(next);
            return both.isNothing() ? null : both;
        });
    }

    @Override
    public void end(@Nullable Throwable cause) {
        synchronized (this) {
            ended = true;
            failure = failure == null ? cause : failure; // a failure of this inlet counts, also if the source ends later
        }
        wake.run();
    }

    /** From now on a brief row begins another batch. */
    synchronized void keepBriefRows() {
        keepsBrief = true;
    }

    /** Whether another batch waits after the one that was taken. There may have been one wake-up for both. */
    synchronized boolean hasMore() {
        return begun && news != null;
    }

    @Override
    public @Nullable Batch<K, T> take() {
        Snapshot<K, T> rows;
        List<Difference<K, T>> differences;
        boolean first;
        synchronized (this) {
            Pending<K, T> before = earlier.poll();
            if (before != null) {
                tookBatch = before.byBatch;
                return new Batch<>(before.rows, List.copyOf(before.changed.values()));
            }
            rows = news;
            differences = List.copyOf(changed.values());
            first = !begun;
            begun |= rows != null;
            news = null;
            tookBatch = changedByBatch || first;
            changedByBatch = false;
            changed = new LinkedHashMap<>(); // a cleared map would keep its largest size forever
        }
        return rows == null ? null : new Batch<>(rows, first ? additions(rows) : differences);
    }

    private static <K, T> List<Difference<K, T>> additions(Snapshot<K, T> rows) {
        List<Difference<K, T>> additions = new ArrayList<>(rows.size());
        rows.forEach((key, row) -> additions.add(new Difference<>(key, null, row, null, null)));
        return additions;
    }

    /** Whether the changes taken last include those of a {@linkplain Commit#batch batch}. */
    synchronized boolean tookBatch() {
        return tookBatch;
    }

    @Override
    public synchronized boolean hasNews() {
        return news != null;
    }

    synchronized boolean ended() {
        return ended;
    }

    synchronized @Nullable Throwable failure() {
        return failure;
    }
}
