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
 * The work on an item: begins unless the item was given back before, and keeps it until the work's subscription has returned. Where that throws, as it
 * does of what Reactor takes for fatal (and logs), the work has failed: a class that is missing, or a recursion too deep, is no reason to keep a key for ever.
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
            var begun = new Begun(actual);
            try {
                source.subscribe(begun);
            } catch (Throwable broken) {
                if (!begun.fail(new IllegalStateException("the work on " + item.key + " cannot be done: " + broken, broken))) {
                    throw broken; // of who takes what came of the work
                }
            } finally {
                item.started();
            }
        } else {
            Operators.complete(actual);
        }
    }

    /** Passes on what comes of the work, unless starting it has thrown before anything came. */
    private static final class Begun implements CoreSubscriber<Result> {

        private enum State {
            OPEN, TOLD, FAILED
        }

        private final CoreSubscriber<? super Result> actual;
        private final AtomicReference<State> state = new AtomicReference<>(State.OPEN);
        private @Nullable Subscription upstream; // set, and asked for by fail, on the thread that subscribes

        Begun(CoreSubscriber<? super Result> actual) {
            this.actual = actual;
        }

        private boolean tells() {
            return state.compareAndSet(State.OPEN, State.TOLD) || state.get() == State.TOLD;
        }

        /** False if something has come of the work already. */
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
