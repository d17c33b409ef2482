package io.reactiveinformer.internal.informer;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Disposable;
import reactor.core.Scannable.Attr;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Hooks;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.test.publisher.TestPublisher;
import reactor.test.scheduler.VirtualTimeScheduler;

import static org.assertj.core.api.Assertions.assertThat;

/** The emission that all subscriptions share, and the lifetime of their workers and sources. */
class WorkerSubscriptionTest {

    private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
    private final List<Object> signals = new ArrayList<>();

    @AfterEach
    void forgetTheHook() {
        Hooks.resetOnErrorDropped();
    }

    /** The numbers up to a limit. */
    private static final class Numbers extends WorkerSubscription<Integer> {

        private final Scheduler.Worker worker;
        private final int limit;
        private int next;
        private int released;
        private Runnable meanwhile = () -> {};
        private @Nullable RuntimeException broken;

        Numbers(CoreSubscriber<? super Integer> actual, Scheduler.Worker worker, int limit) {
            super(actual, worker);
            this.worker = worker;
            this.limit = limit;
            endInOrder();
        }

        @Override
        protected @Nullable Integer poll() {
            if (broken != null) {
                throw broken;
            }
            meanwhile.run();
            return next < limit ? next++ : null;
        }

        @Override
        protected boolean isEmpty() {
            return next == limit;
        }

        @Override
        protected void release() {
            released++;
            next = limit;
        }

        @Override
        protected int size() {
            return limit - next;
        }
    }

    private class Received extends BaseSubscriber<Object> {

        @Override
        protected void hookOnSubscribe(Subscription subscription) {
            // demand is up to the test
        }

        @Override
        protected void hookOnNext(Object value) {
            signals.add(value);
        }

        @Override
        protected void hookOnError(Throwable failure) {
            signals.add(failure);
        }

        @Override
        protected void hookOnComplete() {
            signals.add("complete");
        }
    }

    private final Received received = new Received();

    private Numbers numbers(Scheduler scheduler, int limit) {
        var numbers = new Numbers(received, scheduler.createWorker(), limit);
        received.onSubscribe(numbers);
        return numbers;
    }

    @Test
    void emitsNoMoreThanIsDemandedInAnyNumberOfTurns() {
        Numbers numbers = numbers(time, 10_000);
        received.request(WorkerSubscription.TURN * 3L + 1);
        time.advanceTime();
        assertThat(signals).hasSize(WorkerSubscription.TURN * 3 + 1);
        received.request(WorkerSubscription.TURN);
        time.advanceTime();
        assertThat(signals).hasSize(WorkerSubscription.TURN * 4 + 1);
        assertThat(numbers.scanUnsafe(Attr.REQUESTED_FROM_DOWNSTREAM)).isEqualTo(0L);
    }

    /** The stack would not suffice if each turn was within the one before. */
    @Test
    void takesTurnsWithoutGoingDeeperWhereTheSchedulerRunsTasksAtOnce() {
        int many = WorkerSubscription.TURN * 20_000;
        var last = new AtomicInteger();
        var counting = new Received() {
            @Override
            protected void hookOnNext(Object value) {
                last.set((Integer) value);
            }
        };
        counting.onSubscribe(new Numbers(counting, Schedulers.immediate().createWorker(), many));
        counting.request(Long.MAX_VALUE);
        assertThat(last).hasValue(many - 1);
        assertThat(signals).containsExactly("complete");
    }

    @Test
    void aSourceThatThrowsFailsItsSubscriberAndEndsTheWorker() {
        Numbers numbers = numbers(time, 10);
        numbers.broken = new IllegalStateException("no next number");
        received.request(1);
        time.advanceTime();
        received.request(1);
        time.advanceTime();
        assertThat(signals).containsExactly(numbers.broken);
        assertThat(numbers.worker.isDisposed()).isTrue();
        assertThat(numbers.released).isEqualTo(1);
    }

    /** Another thread cancels between two steps of the emission: nothing is left then, but it has not completed. */
    @Test
    void aCancellationIsNoCompletion() {
        Numbers numbers = numbers(time, 10);
        received.request(1);
        numbers.meanwhile = numbers::cancel;
        received.request(1);
        assertThat(signals).containsExactly(0);
        assertThat(numbers.released).isEqualTo(1);
    }

    @Test
    void whoCancelsReleasesTheWorkerOnce() {
        Numbers numbers = numbers(time, 10);
        received.cancel();
        received.cancel();
        assertThat(numbers.worker.isDisposed()).isTrue();
        assertThat(numbers.released).isEqualTo(1);
    }

    @Test
    void whatASubscriberThrowsAtTheEndIsDropped() {
        List<Throwable> dropped = new ArrayList<>();
        Hooks.onErrorDropped(dropped::add);
        var mistake = new IllegalStateException("mistake");
        Flux<String> one = LatestSubscription.of(Flux.just("a"), Schedulers.immediate());
        CoreSubscriber<String> throwing = new CoreSubscriber<>() {
            @Override
            public void onSubscribe(Subscription subscription) {
                subscription.request(Long.MAX_VALUE);
            }

            @Override
            public void onNext(String value) {
                signals.add(value);
            }

            @Override
            public void onError(Throwable failure) {
                signals.add(failure);
            }

            @Override
            public void onComplete() {
                throw mistake;
            }
        };
        one.subscribe(throwing);
        assertThat(signals).containsExactly("a");
        assertThat(dropped).containsExactly(mistake);
    }

    @Test
    void saysWhatReactorsToolsAskFor() {
        List<Runnable> tasks = new ArrayList<>();
        Numbers numbers = numbers(Schedulers.fromExecutor(tasks::add), 10);
        received.request(3);
        assertThat(numbers.scanUnsafe(Attr.ACTUAL)).isSameAs(received);
        assertThat(numbers.scanUnsafe(Attr.RUN_ON)).isSameAs(numbers.worker);
        assertThat(numbers.scanUnsafe(Attr.REQUESTED_FROM_DOWNSTREAM)).isEqualTo(3L);
        assertThat(numbers.scanUnsafe(Attr.PREFETCH)).isEqualTo(0);
        assertThat(numbers.scanUnsafe(Attr.RUN_STYLE)).isEqualTo(Attr.RunStyle.ASYNC);
        assertThat(numbers.scanUnsafe(Attr.BUFFERED)).isEqualTo(10);
        assertThat(numbers.scanUnsafe(Attr.ERROR)).isNull();
        assertThat(numbers.scanUnsafe(Attr.TERMINATED)).isEqualTo(false);
        assertThat(numbers.scanUnsafe(Attr.CANCELLED)).isEqualTo(false);
        assertThat(numbers.scanUnsafe(Attr.NAME)).isNull();
        var over = new IllegalStateException("over");
        numbers.fail(over);
        tasks.forEach(Runnable::run);
        assertThat(numbers.scanUnsafe(Attr.TERMINATED)).isEqualTo(true);
        assertThat(numbers.scanUnsafe(Attr.ERROR)).isSameAs(over);
    }

    /** Has no workers. */
    private record Poor(Throwable why) implements Scheduler {

        @Override
        public Disposable schedule(Runnable task) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Worker createWorker() {
            if (why instanceof Error error) {
                throw error;
            }
            throw (RuntimeException) why;
        }
    }

    @Test
    void whereThereIsNoWorkerTheSubscriberFails() {
        Flux<String> never = Flux.never();
        LatestSubscription.of(never, new Poor(new RejectedExecutionException("shut down"))).subscribe(received);
        LatestSubscription.of(never, new Poor(new OutOfMemoryError("unable to create native thread"))).subscribe(new Received());
        assertThat(signals).hasSize(2);
        assertThat(signals.get(0)).isInstanceOf(RejectedExecutionException.class);
        assertThat(signals.get(1)).isInstanceOf(IllegalStateException.class).asString()
                .contains("no worker to deliver on", "unable to create native thread");
    }

    @Test
    void whoCancelsLeavesAllSources() {
        TestPublisher<String> one = TestPublisher.create();
        TestPublisher<String> other = TestPublisher.create();
        List<Disposable> subscribers = List.of(
                LatestSubscription.of(one.flux(), time).subscribe(),
                LatestSubscription.both(one.flux(), other.flux(), time, (first, second) -> first + second).subscribe(),
                LatestSubscription.with(one.flux(), other.flux(), time, (first, second) -> first + second).subscribe());
        one.assertMinRequested(1).assertSubscribers(3);
        other.assertSubscribers(2);
        subscribers.forEach(Disposable::dispose);
        one.assertNoSubscribers();
        other.assertNoSubscribers();
    }

    @Test
    void whatIsSetAfterTheEndReplacesNothing() {
        LatestSubscription.<String>flux(1, time, latest -> {
            latest.set("last");
            latest.complete();
            latest.set("late");
            return () -> signals.add("released");
        }).subscribe(received);
        received.request(2);
        time.advanceTime();
        assertThat(signals).containsExactly("last", "complete", "released");
    }
}
