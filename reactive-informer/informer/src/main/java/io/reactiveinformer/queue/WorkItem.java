package io.reactiveinformer.queue;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;
import reactor.util.context.Context;

/** One key that was given to a subscriber to work on. Ends exactly once: finished, or given back. */
final class WorkItem<K> {

    private enum State {
        GIVEN, STARTING, STARTED,
        /** Given back, but {@code subscribe} of its work has not returned yet. */
        LEFT, OVER
    }

    private final KeyState<K> keyState;
    private final KeyedWorkQueue<K> queue;
    private final AtomicReference<State> state = new AtomicReference<>(State.GIVEN);

    WorkItem(KeyState<K> keyState, KeyedWorkQueue<K> queue) {
        this.keyState = keyState;
        this.queue = queue;
    }

    K key() {
        return keyState.key;
    }

    /**
     * Begins {@code work}, which emits to {@code sink}, unless the item was given back before. The item stays taken
     * until {@code subscribe} of the work has returned. If that throws, as for errors that Reactor treats as fatal, the
     * work has failed: a {@link LinkageError} or {@link StackOverflowError} must not keep a key forever.
     */
    void begin(Mono<Result> work, MonoSink<Result> sink) {
        if (!state.compareAndSet(State.GIVEN, State.STARTING)) {
            sink.success();
            return;
        }
        var signals = new Signals(sink);
        sink.onDispose(signals);
        try {
            queue.begins(keyState);
            work.subscribe(signals);
        } catch (Throwable broken) { // the work has failed, unless it has emitted a signal already
            sink.error(new IllegalStateException("the work on " + key() + " threw an Error: " + broken, broken));
        } finally {
            if (!state.compareAndSet(State.STARTING, State.STARTED) && end(State.LEFT)) {
                queue.givenBack(keyState);
            }
        }
    }

    /** Passes a result on when the work has completed: a sink cancels what has not ended. */
    private static final class Signals extends BaseSubscriber<Result> {

        private final MonoSink<Result> sink;
        private Result result = Result.done();

        Signals(MonoSink<Result> sink) {
            this.sink = sink;
        }

        @Override
        public Context currentContext() {
            return Context.of(sink.contextView());
        }

        @Override
        protected void hookOnNext(Result value) {
            result = value;
        }

        @Override
        protected void hookOnComplete() {
            sink.success(result);
        }

        @Override
        protected void hookOnError(Throwable failure) {
            sink.error(failure);
        }
    }

    /**
     * Finishes the item; null if it was given back meanwhile. Work that was rejected before it began has a result too.
     */
    WorkQueue.@Nullable Outcome<K> finish(Result result) {
        // in the order in which the state may advance meanwhile
        return end(State.GIVEN) || end(State.STARTING) || end(State.STARTED) ? queue.finished(keyState, result) : null;
    }

    private boolean end(State from) {
        return state.compareAndSet(from, State.OVER);
    }

    /** Gives the item back because its subscriber has cancelled; no effect if its work has begun. */
    void giveBackUnlessStarted() {
        if (end(State.GIVEN)) {
            queue.givenBack(keyState);
        }
    }

    /**
     * Gives an unfinished item back to the queue, for other subscribers; not before {@code subscribe} of its work has
     * returned.
     */
    void giveBack() {
        if (end(State.GIVEN) || !state.compareAndSet(State.STARTING, State.LEFT) && end(State.STARTED)) {
            queue.givenBack(keyState);
        }
    }
}
