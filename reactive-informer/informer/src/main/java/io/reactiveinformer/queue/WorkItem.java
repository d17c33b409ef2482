package io.reactiveinformer.queue;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** One key that was given to a subscriber to work on. Ends exactly once: finished, or given back. */
final class WorkItem<K> {

    private enum State {
        GIVEN, STARTING, STARTED,
        /** Given back, but {@code subscribe} of its work has not returned yet. */
        LEFT, OVER
    }

    private final KeyState<K> keyState;
    private final KeyedWorkQueue<K> queue;
    private final KeySubscriber<K> subscriber;
    private final AtomicReference<State> state = new AtomicReference<>(State.GIVEN);

    WorkItem(KeyState<K> keyState, KeyedWorkQueue<K> queue, KeySubscriber<K> subscriber) {
        this.keyState = keyState;
        this.queue = queue;
        this.subscriber = subscriber;
    }

    K key() {
        return keyState.key;
    }

    /**
     * Begins the work; false if the item was given back meanwhile. Otherwise call {@link #started} when
     * {@code subscribe} of the work has returned.
     */
    boolean start() {
        boolean starts = state.compareAndSet(State.GIVEN, State.STARTING);
        if (starts) {
            queue.begins(keyState);
        }
        return starts;
    }

    void started() {
        if (!state.compareAndSet(State.STARTING, State.STARTED) && end(State.LEFT)) {
            release();
        }
    }

    /**
     * Finishes the item; null if it was given back meanwhile. Work that was rejected before it began has a result too.
     */
    WorkQueue.@Nullable Outcome<K> finish(Result result) {
        // in the order in which the state may advance meanwhile
        if (!end(State.GIVEN) && !end(State.STARTING) && !end(State.STARTED)) {
            return null;
        }
        subscriber.over(this);
        return queue.finished(keyState, result);
    }

    private boolean end(State from) {
        return state.compareAndSet(from, State.OVER);
    }

    /** Gives the item back because its subscriber has cancelled; no effect if its work has begun. */
    void giveBackUnlessStarted() {
        if (end(State.GIVEN)) {
            release();
        }
    }

    /**
     * Gives an unfinished item back to the queue, for other subscribers; not before {@code subscribe} of its work has
     * returned.
     */
    void giveBack() {
        if (end(State.GIVEN) || !state.compareAndSet(State.STARTING, State.LEFT) && end(State.STARTED)) {
            release();
        }
    }

    private void release() {
        subscriber.over(this);
        queue.givenBack(keyState);
    }
}
