package io.reactiveinformer.internal.informer;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.reactivestreams.Subscription;
import reactor.core.Disposable;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Hooks;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class LatestValuesTest {

    private static final Duration SOON = Duration.ofSeconds(5);

    private final LatestValues<String> states = LatestValues.ofStates(3);
    private final LatestValues<String> events = LatestValues.ofEvents(3);

    /** What one subscriber received. */
    private static class Received extends BaseSubscriber<String> {

        final List<Object> signals = new ArrayList<>();

        static Received of(Flux<String> values) {
            var received = new Received();
            values.subscribe(received);
            return received;
        }

        @Override
        protected void hookOnNext(String value) {
            signals.add(value);
        }

        @Override
        protected void hookOnError(Throwable failure) {
            signals.add(failure);
        }

        @Override
        protected void hookOnComplete() {
            signals.add("end");
        }
    }

    private static Flux<String> here(LatestValues<String> hub) {
        return hub.flux(Schedulers.immediate());
    }

    @Test
    void onlyStatesAreReplayed() {
        states.publish("a");
        states.publish("b");
        events.publish("a");
        Received state = Received.of(here(states));
        Received event = Received.of(here(events));
        states.publish("c");
        events.publish("c");
        states.complete();
        events.complete();

        assertThat(state.signals).containsExactly("b", "c", "end");
        assertThat(event.signals).containsExactly("c", "end");
        assertThat(Received.of(here(states)).signals).containsExactly("c", "end");
        assertThat(Received.of(here(events)).signals).containsExactly("end");
    }

    @Test
    void aSlowSubscriberReceivesTheLatestAndThenTheEnd() {
        StepVerifier.create(here(events), 0)
                .expectSubscription()
                .then(() -> Stream.of("a", "b", "c", "d", "e").forEach(events::publish))
                .thenRequest(1)
                .expectNext("c")
                .then(events::complete)
                .thenRequest(2)
                .expectNext("d", "e")
                .expectComplete()
                .verify(SOON);
    }

    @Test
    void aCancelledSubscriberReceivesNothingMore() {
        Received received = Received.of(here(events));
        events.publish("a");
        received.cancel();
        events.publish("b");
        events.complete();
        assertThat(received.signals).containsExactly("a");
    }

    @Test
    void aHubKeepsNoSubscriberThatIsGone() {
        Received first = Received.of(here(events));
        Received second = Received.of(here(events));
        first.cancel();
        events.publish("a");
        assertThat(events.subscribers()).isOne();
        assertThat(second.signals).containsExactly("a");
        events.complete();
        assertThat(events.subscribers()).isZero();
    }

    @Test
    void aValueThatCannotBeKeptIsAFailure() {
        Received received = Received.of(LatestSubscription.flux(1, Schedulers.immediate(), latest -> {
            latest.set(null); // as with no memory for it
            return () -> {};
        }));
        assertThat(received.signals).singleElement().isInstanceOf(NullPointerException.class);
    }

    @Test
    void aValueMayBePublishedBySubscribers() {
        Received other = Received.of(here(events));
        here(events).filter(value -> value.length() < 3).subscribe(value -> events.publish(value + value));
        events.publish("a");
        assertThat(other.signals).containsExactly("a", "aa", "aaaa");
    }

    @Test
    void aSubscriberThatBlocksDelaysNoOther() throws Exception {
        var entered = new CountDownLatch(1);
        var released = new CountDownLatch(1);
        Scheduler busy = Schedulers.newSingle("busy", true);
        try {
            events.flux(busy).subscribe(value -> {
                entered.countDown();
                await(released);
            });
            Received other = Received.of(here(events));
            events.publish("a");
            assertThat(entered.await(5, TimeUnit.SECONDS)).isTrue();
            events.publish("b");
            assertThat(other.signals).containsExactly("a", "b");
        } finally {
            released.countDown();
            busy.dispose();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    static Stream<Throwable> thrown() {
        return Stream.of(new IllegalStateException("1"), new OutOfMemoryError("2"), new StackOverflowError("3"), new LinkageError("4"));
    }

    /** Its last value may have been "all is well", so it must notice that there are no more. */
    @ParameterizedTest
    @MethodSource("thrown")
    void aSubscriberWithoutAThreadFails(Throwable noThread) {
        var broken = new Breaking(noThread);
        Received received = Received.of(states.flux(broken));
        Received other = Received.of(here(states));
        states.publish("well");
        broken.breaks = true;
        states.publish("not well");
        states.publish("well again");

        assertThat(received.signals).hasSize(2).startsWith("well").last().isInstanceOfSatisfying(IllegalStateException.class,
                failure -> assertThat(failure).hasMessageStartingWith("no thread to deliver on: " + noThread).hasCause(noThread));
        assertThat(other.signals).containsExactly("well", "not well", "well again");
    }

    /** As where there is no memory for a message, either. */
    @Test
    void aFailureThatCannotBeDescribedIsTheSignalItself() {
        var indescribable = new OutOfMemoryError("8") {
            @Override
            public String getMessage() {
                throw new OutOfMemoryError("9");
            }
        };
        var broken = new Breaking(indescribable);
        Received received = Received.of(states.flux(broken));
        broken.breaks = true;
        states.publish("a");
        assertThat(received.signals).hasSize(1).first().isSameAs(indescribable);
    }

    @Test
    void aSubscriberWhoseSchedulerWasShutDownFails() {
        var broken = new Breaking(new RejectedExecutionException("shut down"));
        Received received = Received.of(states.flux(broken));
        broken.breaks = true;
        states.publish("a");
        assertThat(received.signals).singleElement().isInstanceOf(RejectedExecutionException.class);
    }

    @ParameterizedTest
    @MethodSource("thrown")
    void aSubscriberThatThrowsEndsAlone(Throwable thrown) {
        List<Throwable> dropped = new ArrayList<>();
        Hooks.onErrorDropped(dropped::add);
        try {
            var throwing = new Received() {
                @Override
                protected void hookOnNext(String value) {
                    super.hookOnNext(value);
                    throw LatestValuesTest.rethrown(thrown);
                }
            };
            here(states).subscribe(throwing);
            Received other = Received.of(here(states));
            states.publish("a");
            states.publish("b");

            assertThat(throwing.signals).hasSize(2).startsWith("a").last().isInstanceOf(Throwable.class);
            assertThat(other.signals).containsExactly("a", "b");
        } finally {
            Hooks.resetOnErrorDropped();
        }
    }

    private static RuntimeException rethrown(Throwable thrown) {
        if (thrown instanceof Error error) {
            throw error;
        }
        return (RuntimeException) thrown;
    }

    @Test
    void zeroMayNotBeRequested() {
        var received = new Received() {
            @Override
            protected void hookOnSubscribe(Subscription subscription) {
                subscription.request(0);
            }
        };
        here(states).subscribe(received);
        assertThat(received.signals).singleElement().isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aSourceThatThrowsFailsItsSubscriber() {
        assertThatThrownBy(() -> LatestSubscription.of(Flux.<String>error(new OutOfMemoryError("5")), Schedulers.immediate())
                .blockFirst(SOON))
                .isInstanceOf(OutOfMemoryError.class);
        assertThatThrownBy(() -> LatestSubscription.<String>flux(1, Schedulers.immediate(), latest -> {
            throw new LinkageError("6");
        }).blockFirst(SOON)).isInstanceOf(LinkageError.class);
    }

    @Test
    void bothCompleteWhenTheLaterOneDoesAndWithWhenTheFirstDoes() {
        LatestValues<String> first = LatestValues.ofStates(1);
        LatestValues<String> second = LatestValues.ofStates(1);
        Received both = Received.of(LatestSubscription.both(here(first), here(second), Schedulers.immediate(), String::concat));
        Received with = Received.of(LatestSubscription.with(here(first), here(second), Schedulers.immediate(), String::concat));
        first.publish("a");
        second.publish("x");
        second.publish("x");
        first.complete();
        second.publish("y");
        second.complete();

        assertThat(both.signals).containsExactly("ax", "ay", "end");
        assertThat(with.signals).containsExactly("ax", "end");
    }

    @Test
    void aFunctionThatThrowsFailsItsSubscriber() {
        LatestValues<String> first = LatestValues.ofStates(1);
        first.publish("a");
        Received both = Received.of(LatestSubscription.both(here(first), here(first), Schedulers.immediate(), (a, b) -> {
            throw new OutOfMemoryError("7");
        }));
        assertThat(both.signals).singleElement().isInstanceOf(Throwable.class);
    }

    /** Runs tasks in place, until it breaks. */
    private static final class Breaking implements Scheduler {

        private final Throwable thrown;
        private boolean breaks;

        Breaking(Throwable thrown) {
            this.thrown = thrown;
        }

        @Override
        public Disposable schedule(Runnable task) {
            if (breaks) {
                throw LatestValuesTest.rethrown(thrown);
            }
            return Schedulers.immediate().schedule(task);
        }

        @Override
        public Worker createWorker() {
            return new Worker() {
                @Override
                public Disposable schedule(Runnable task) {
                    return Breaking.this.schedule(task);
                }

                @Override
                public void dispose() {}
            };
        }
    }
}
