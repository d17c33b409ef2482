package io.reactiveinformer.view;

import io.reactiveinformer.internal.derived.SourceChanges;
import io.reactiveinformer.store.Commit;
import io.reactiveinformer.store.Commit.Difference;
import io.reactiveinformer.store.Snapshot;
import io.reactiveinformer.view.ChangeHub.Feed;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.Disposables;

/**
 * Receives the changes of one source of a derived view. Changes that are not processed yet are conflated into at most one difference for
 * each row, also for one that has changed back. If an object that was added is deleted before that is processed, another batch begins:
 * otherwise the derived view would never have it, and its subscribers would miss a {@linkplain Delivery#brief brief} row.
 */
final class Inlet<K, T> implements CommitListener<K, T>, SourceChanges<K, T> {

    /** More wait only if the worker of the view is far behind; then brief rows are conflated to nothing. */
    private static final int MOST_BATCHES = 100;

    private final Feed<K, T> feed;
    private final Runnable wake;

    // Guarded by this; no foreign code is called under the lock.
    private final ArrayDeque<CommitBatch<K, T>> batches = new ArrayDeque<>();
    private boolean tookBatch;
    private boolean keepsBrief;
    private boolean begun;
    private boolean ended;
    private @Nullable Throwable failure;
    private Disposable source = Disposables.disposed();

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
            left = ended && batches.isEmpty() ? source : Disposables.disposed();
        }
        left.dispose();
    }

    @Override
    public void begin(Snapshot<K, T> rows) {
        synchronized (this) {
            batches.add(new CommitBatch<>(new Commit<>(rows, List.of(), true)));
        }
        wake.run();
    }

    @Override
    public void file(Commit<K, T> commit) {
        synchronized (this) {
            CommitBatch<K, T> last = batches.peekLast();
            if (!begun) { // all rows are new anyway
                batches.clear();
                batches.add(new CommitBatch<>(new Commit<>(commit.snapshot(), List.of(), true)));
            } else if (last == null || keepsBrief && batches.size() < MOST_BATCHES && last.hasBrief(commit)) {
                batches.add(new CommitBatch<>(commit));
            } else {
                last.conflate(commit);
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
        return begun && !batches.isEmpty();
    }

    @Override
    public @Nullable Commit<K, T> take() {
        boolean first;
        Commit<K, T> commit;
        synchronized (this) {
            CommitBatch<K, T> next = batches.poll();
            if (next == null) {
                tookBatch = false;
                return null;
            }
            commit = next.all();
            tookBatch = commit.batch();
            first = !begun;
            begun = true;
        }
        return first ? new Commit<>(commit.snapshot(), additions(commit.snapshot()), true) : commit;
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
        return !batches.isEmpty();
    }

    synchronized boolean ended() {
        return ended;
    }

    synchronized @Nullable Throwable failure() {
        return failure;
    }
}
