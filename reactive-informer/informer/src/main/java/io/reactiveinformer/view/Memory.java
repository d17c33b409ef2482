package io.reactiveinformer.view;

import io.reactiveinformer.delta.DeletionCause;
import io.reactiveinformer.internal.informer.Contained;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.store.Snapshot;
import io.reactiveinformer.view.ChangeHub.Feed;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

/**
 * Remembers in which order the rows of a view have changed, so that a subscriber that was disconnected receives only what has changed
 * meanwhile: for streams to browsers, and for other clients that come back. Made by {@link View#remembering}. Thread-safe.
 *
 * <p>The memory follows the view from the moment it is made until it is closed; a derived view is in use for so long. It refers to the
 * present states and copies none: it needs about 110 bytes a row, and the last state of each deleted row for the {@link Retention}. Of a
 * row that changes often, only the last change is remembered, unless the retention has a {@linkplain Retention#withHistory history}. A
 * subscriber costs the same at any pace, however many rows have changed.
 *
 * <p>A <em>position</em> says up to which change a subscriber has received the rows. It holds in this memory only: never in another
 * process, nor after a restart of this one, also not after a warm start. It does not hold any more when a deletion after it was forgotten, and
 * after a failure of the view; while no rows are deleted it holds for any time. A position that does not hold is no failure: the subscriber
 * receives {@link Remembered.Reset} and all rows. So positions may come from clients that nobody trusts, as text of any length: whatever it
 * is, a subscriber receives rows of this view, and nothing else.
 *
 * @param <K> the keys, which identify rows
 * @param <T> the rows
 */
public final class Memory<K, T> implements AutoCloseable {

    private final View<K, T> view;
    private final Retention retention;
    private volatile RememberedRows<K, T> rows; // written under this
    private volatile boolean closed; // written under this

    /**
     * A row that is no longer there.
     *
     * @param last its last state, with uid and version
     * @param cause how the deletion is known; never {@link DeletionCause#LEFT}
     * @param at when the memory received it, by the clock of this process
     */
    public record Deletion<T>(Versioned<T> last, DeletionCause cause, Instant at) {}

    Memory(View<K, T> view, Retention retention) {
        this.view = view;
        this.retention = retention;
        this.rows = new RememberedRows<>(retention);
        rows.follow(Feed.of(view));
    }

    /**
     * Emits what has changed since {@code position}: at most one {@link Remembered.Row} for each row, in its present state, and before it a
     * {@link Remembered.Gone} if the subscriber had another object with this key; then {@link Remembered.Synced}; then what happens, in the
     * same way. Elements are in the order of the last changes of their rows. If the position does not hold, or is null, as that of a
     * subscriber that comes for the first time, it emits {@link Remembered.Reset} first, and then all rows.
     *
     * <p>The position of each element is that of the subscriber once it has received the element, also within the first rows: one that is
     * cut off at any element continues after it.
     *
     * <p>The first emission waits for the first complete state of the view. Changes that are not requested are conflated by row: a
     * subscriber without demand costs nothing but its place. One that is so slow that a deletion it has not received is forgotten receives
     * {@code Reset} again, and all rows, then {@code Synced}. Subscribers are delivered on a worker of the scheduler of {@code delivery};
     * do not block on the shared threads (see {@link Delivery}). The other settings of the delivery have no effect.
     *
     * <p>Completes when the view is stopped, after all changes, or when this memory is closed, at once. Fails at once when the view fails,
     * as {@link View#changes} does; the next subscription or call follows the view anew, and positions from before do not hold then.
     *
     * @throws IllegalArgumentException if the delivery is {@link Delivery#every}: what is conflated cannot be kept
     */
    public Flux<Remembered<K, T>> changesSince(@Nullable String position, Delivery delivery) {
        return RememberedSubscription.flux(this::current, position, delivery, RememberedRows::next);
    }

    /**
     * As {@link #changesSince}, in the same order, but what there is at one time is emitted together, at most {@code most} in a list. Demand
     * counts lists. A list is emitted as soon as there is an element; it does not wait to become full.
     *
     * @throws IllegalArgumentException if {@code most} is less than 1, and as {@code changesSince} does
     */
    public Flux<List<Remembered<K, T>>> batchesSince(@Nullable String position, int most, Delivery delivery) {
        if (most < 1) {
            throw new IllegalArgumentException("most must be at least 1, was " + most);
        }
        return RememberedSubscription.flux(this::current, position, delivery, (rows, at) -> rows.next(at, most));
    }

    /**
     * What has changed since {@code position}, as {@link #changesSince} would emit it now: {@link Remembered.Row}s and {@link
     * Remembered.Gone}s. Empty if the position does not hold, and before the first complete state. It does not say which states a row had
     * in between, nor what it was at the position: {@link #between} does, with a history.
     */
    public Optional<List<Remembered<K, T>>> since(String position) {
        return current().since(position);
    }

    /**
     * The rows at the moment of {@code position}: those of the view when it had come to that change, and had made all changes that this
     * memory received together with it. It needs a {@linkplain Retention#withHistory history}, and the rows of now are known without one.
     * Empty if the moment is before {@link #historySince}, and if the position is not of this memory, or is one within first rows, which are
     * of no moment. Whether deletions since then are forgotten does not matter here.
     *
     * <p>The rows are what the view had, also those that have left it: who may see them now is for the caller to check. They have no
     * resourceVersion as a whole, and no indexes. No rows are copied; it takes time for the changes since then, on the calling thread.
     */
    public Optional<Snapshot<K, T>> at(String position) {
        return current().at(position);
    }

    /**
     * What is different between the moments of two positions: for each row that is not the same at both, its state at {@code from} and that
     * at {@code to}, as {@link Change.Added}, {@link Change.Updated} or {@link Change.Deleted}; if its key is that of another object by
     * then, a deletion and, after it, an addition. In no particular order otherwise. Empty if {@link #at} is for one of the positions, and
     * if {@code from} is the later one.
     */
    public Optional<List<Change<K, T>>> between(String from, String to) {
        return current().between(from, to);
    }

    /**
     * The time from which on the rows of each moment are known, by the clock of this process: when the last change was received before
     * which they are not. Without a history that is the last change of all.
     */
    public Instant historySince() {
        return current().historySince();
    }

    /** The position after the last change that was received. */
    public String position() {
        return current().position();
    }

    /**
     * The last deletion of a row with this key, whether or not another object has the key by now. Empty if none is known since {@link
     * #knownSince}, and if the last such row {@linkplain DeletionCause#LEFT left} the view, since it may exist. The state is as the view
     * had it: who may see it now is for the caller to check.
     */
    public Optional<Deletion<T>> last(K key) {
        return current().last(key);
    }

    /** The time from which on all deletions are known, by the clock of this process: earlier ones were not received, or are forgotten. */
    public Instant knownSince() {
        return current().knownSince();
    }

    /** The number of subscribers at this moment. */
    public int subscribers() {
        return rows.subscribers();
    }

    /** Ends the memory: it leaves the view, forgets everything, and completes its subscribers, also later ones. */
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
        }
        rows.close();
    }

    /** The rows that follow the view, for which it is not in use any more once they have failed. */
    private RememberedRows<K, T> current() {
        RememberedRows<K, T> failed = rows;
        if (!failed.hasFailed() || closed) {
            return failed;
        }
        RememberedRows<K, T> next;
        synchronized (this) {
            if (rows != failed || closed) {
                return rows;
            }
            next = new RememberedRows<>(retention);
            rows = next;
        }
        Contained.call((one, other) -> one.follow(Feed.of(other)), next, view, next::end); // without the lock: the view may be the user's
        return next;
    }
}
