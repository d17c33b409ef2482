package io.reactiveinformer.view;

import io.reactiveinformer.store.Commit;
import io.reactiveinformer.store.Commit.Difference;
import io.reactiveinformer.store.Snapshot;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.Disposables;

/**
 * Where a derived view takes in what changes above it: what it has not worked on yet is conflated, at most one difference a row.
 */
final class Inlet<K, T> implements Follower<K, T> {

    private final Runnable wake;

    // Guarded by this; no call leaves while it is held.
    private Map<K, Difference<K, T>> changed = new LinkedHashMap<>();
    private @Nullable Snapshot<K, T> news;
    private boolean changedByBatch;
    private boolean tookBatch;
    private boolean begun;
    private boolean ended;
    private @Nullable Throwable failure;
    private Disposable source = Disposables.disposed();

    /** The rows by now, and in what they differ from those of the batch before. */
    record Batch<K, T>(Snapshot<K, T> rows, List<Difference<K, T>> differences) {}

    /** @param wake called after each change of what is kept here */
    Inlet(Runnable wake) {
        this.wake = wake;
    }

    /** Is told of {@code feed} from now on, until that is disposed of. */
    Disposable attachTo(Feed<K, T> feed) {
        Disposable attached = feed.attach(this);
        boolean endedMeanwhile;
        synchronized (this) {
            source = attached;
            endedMeanwhile = ended;
        }
        if (endedMeanwhile) {
            wake.run(); // now there is something to leave
        }
        return attached;
    }

    /** Nobody is to wait for this one any more whose source has ended, and has been worked on. */
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
            news = commit.snapshot();
            changedByBatch |= commit.batch();
            if (begun) { // else all rows are news anyway
                commit.differences().forEach(this::conflate);
            }
        }
        wake.run();
    }

    /** What is conflated here may be conflated before. */
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
            failure = failure == null ? cause : failure; // what ended this one alone is not forgotten when the source ends, too
        }
        wake.run();
    }

    /** What has changed since it was taken last; null if nothing. */
    @Nullable Batch<K, T> take() {
        Snapshot<K, T> rows;
        List<Difference<K, T>> differences;
        boolean first;
        synchronized (this) {
            rows = news;
            differences = List.copyOf(changed.values());
            first = !begun;
            begun |= rows != null;
            news = null;
            tookBatch = changedByBatch || first;
            changedByBatch = false;
            changed = new LinkedHashMap<>(); // cleared, it would be as large for ever as it was once
        }
        return rows == null ? null : new Batch<>(rows, first ? additions(rows) : differences);
    }

    private static <K, T> List<Difference<K, T>> additions(Snapshot<K, T> rows) {
        List<Difference<K, T>> additions = new ArrayList<>(rows.size());
        rows.forEach((key, row) -> additions.add(new Difference<>(key, null, row, null, null)));
        return additions;
    }

    /** Whether what was taken last is, in part at least, what a {@link Commit#batch batch} changed. */
    synchronized boolean tookBatch() {
        return tookBatch;
    }

    synchronized boolean hasNews() {
        return news != null;
    }

    synchronized boolean ended() {
        return ended;
    }

    synchronized @Nullable Throwable failure() {
        return failure;
    }
}
