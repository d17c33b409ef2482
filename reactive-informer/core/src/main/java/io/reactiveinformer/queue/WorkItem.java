package io.reactiveinformer.queue;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** One key in the hands of someone who works on it. Ends once: finished, or given back. */
final class WorkItem<K> {

    private enum State {
        GIVEN, STARTING, STARTED,
        /** Nobody waits for what comes of it, but its work has yet to return from being started. */
        LEFT, OVER
    }

    final K key;
    private final DirtyQueue<K> queue;
    private final Taker<K> taker;
    private final AtomicReference<State> state = new AtomicReference<>(State.GIVEN);

    WorkItem(K key, DirtyQueue<K> queue, Taker<K> taker) {
        this.key = key;
        this.queue = queue;
        this.taker = taker;
    }

    /** False if it was given back meanwhile; else {@link #started} is to be called when the work has been subscribed to. */
    boolean start() {
        return state.compareAndSet(State.GIVEN, State.STARTING);
    }

    void started() {
        if (!state.compareAndSet(State.STARTING, State.STARTED) && end(State.LEFT)) {
            release();
        }
    }

    /** Null if it was given back meanwhile. Work that was refused before it began has a result too. */
    @Nullable Outcome<K> finish(Result result) {
        if (!end(State.GIVEN) && !end(State.STARTING) && !end(State.STARTED)) { // in the order in which they follow each other
            return null;
        }
        taker.over(this);
        return queue.finished(key, result);
    }

    private boolean end(State from) {
        return state.compareAndSet(from, State.OVER);
    }

    /** Who has it has left before its work began. */
    void giveBackUnlessStarted() {
        if (end(State.GIVEN)) {
            release();
        }
    }

    /** Nobody works on it any more, and it was not finished: somebody else shall, but not while its work is still being started. */
    void giveBack() {
        if (end(State.GIVEN) || !state.compareAndSet(State.STARTING, State.LEFT) && end(State.STARTED)) {
            release();
        }
    }

    private void release() {
        taker.over(this);
        queue.givenBack(key);
    }
}
