package io.reactiveinformer.client;

import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Scannable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.FluxOperator;
import reactor.core.scheduler.Scheduler;
import reactor.util.context.Context;

/**
 * Measures how long each {@code onNext} of the downstream takes. No composition of operators can do that: {@code doOnNext} runs before the
 * downstream, and no hook runs right after it. All other signals pass unchanged.
 */
final class FluxTimed<T> extends FluxOperator<T, T> {

    private final Scheduler clock;
    private final LongConsumer took;

    /** @param took receives nanoseconds, on the thread that delivers */
    FluxTimed(Flux<T> source, Scheduler clock, LongConsumer took) {
        super(source);
        this.clock = clock;
        this.took = took;
    }

    @Override
    public void subscribe(CoreSubscriber<? super T> actual) {
        source.subscribe(new TimedSubscriber<>(actual, clock, took));
    }

    private record TimedSubscriber<T>(CoreSubscriber<? super T> actual, Scheduler clock, LongConsumer took)
            implements CoreSubscriber<T>, Scannable {

        @Override
        public void onNext(T chunk) {
            long began = clock.now(TimeUnit.NANOSECONDS);
            try {
                actual.onNext(chunk);
            } finally {
                took.accept(Math.max(0, clock.now(TimeUnit.NANOSECONDS) - began));
            }
        }

        @Override
        public void onSubscribe(Subscription subscription) {
            actual.onSubscribe(subscription);
        }

        @Override
        public void onError(Throwable failure) {
            actual.onError(failure);
        }

        @Override
        public void onComplete() {
            actual.onComplete();
        }

        @Override
        public Context currentContext() {
            return actual.currentContext();
        }

        @Override
        @SuppressWarnings("rawtypes")
        public @Nullable Object scanUnsafe(Attr key) {
            return key == Attr.ACTUAL ? actual : key == Attr.RUN_STYLE ? Attr.RunStyle.SYNC : null;
        }
    }
}
