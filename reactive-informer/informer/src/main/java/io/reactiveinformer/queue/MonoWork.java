package io.reactiveinformer.queue;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoOperator;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * The work on an item. It begins unless the item was given back before, and the item stays taken until
 * {@code subscribe} of the work has returned. If {@code subscribe} throws, as it does for errors that Reactor treats as fatal
 * (and logs), the work has failed: a {@link LinkageError} or {@link StackOverflowError} must not keep a key forever.
 */
final class MonoWork<K> extends MonoOperator<Result, Result> {

    private final WorkItem<K> item;

    MonoWork(WorkItem<K> item, Mono<Result> work) {
        super(work);
        this.item = item;
    }

    @Override
    public void subscribe(CoreSubscriber<? super Result> actual) {
        if (item.start()) {
            var signals = new Signals(actual);
            try {
                source.subscribe(signals);
            } catch (Throwable broken) {
                if (!signals.fail(new IllegalStateException(
                        "the work on " + item.key() + " threw an Error: " + broken, broken))) {
                    throw broken; // thrown by the subscriber, which has received a signal of the work already
                }
            } finally {
                item.started();
            }
        } else {
            Operators.complete(actual);
        }
    }

    /** Passes on the signals of the work, unless {@code subscribe} has thrown before the first one. */
    private static final class Signals implements CoreSubscriber<Result> {

        private enum State {
            OPEN, ENDED, FAILED
        }

        private final CoreSubscriber<? super Result> actual;
        private final AtomicReference<State> state = new AtomicReference<>(State.OPEN);
        private @Nullable Subscription upstream; // written, and read by fail, on the thread that subscribes

        Signals(CoreSubscriber<? super Result> actual) {
            this.actual = actual;
        }

        private boolean tells() {
            return state.compareAndSet(State.OPEN, State.ENDED) || state.get() == State.ENDED;
        }

        /** Fails the work; false if it has already emitted a signal. */
        boolean fail(Throwable failure) {
            if (!state.compareAndSet(State.OPEN, State.FAILED)) {
                return false;
            }
            if (upstream == null) {
                Operators.error(actual, failure);
            } else {
                upstream.cancel();
                actual.onError(failure);
            }
            return true;
        }

        @Override
        public void onSubscribe(Subscription subscription) {
            upstream = subscription;
            actual.onSubscribe(subscription);
        }

        @Override
        public void onNext(Result result) {
            if (tells()) {
                actual.onNext(result);
            } else {
                Operators.onNextDropped(result, currentContext());
            }
        }

        @Override
        public void onError(Throwable failure) {
            if (tells()) {
                actual.onError(failure);
            } else {
                Operators.onErrorDropped(failure, currentContext());
            }
        }

        @Override
        public void onComplete() {
            if (tells()) {
                actual.onComplete();
            }
        }

        @Override
        public Context currentContext() {
            return actual.currentContext();
        }
    }
}
