package io.reactiveinformer.delta;

import io.reactiveinformer.client.Known;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Versioned;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Operators;
import reactor.test.publisher.TestPublisher;
import reactor.util.context.Context;

import static io.reactiveinformer.delta.DeltaSteps.text;
import static io.reactiveinformer.delta.DeltaSteps.upserted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Laws 7 and 24: however a stage ends, it ends once, its source ends with it, and nothing is left waiting in it. */
class DeltaStageEndTest {

    private final TestPublisher<ReflectorEvent<String>> events = TestPublisher.create();
    private final Known<String> known = new MapStore();

    /** Takes what it asks for and nothing more, as no operator of Reactor would. */
    private static final class Taker implements CoreSubscriber<Delta<String>> {

        private final List<String> received = new ArrayList<>();
        private final List<Object> discarded = new ArrayList<>();
        private @Nullable Throwable thrown;
        private @Nullable Subscription subscription;

        @Override
        public Context currentContext() {
            return Operators.enableOnDiscard(Context.empty(), discarded::add);
        }

        @Override
        public void onSubscribe(Subscription subscription) {
            this.subscription = subscription;
        }

        @Override
        public void onNext(Delta<String> delta) {
            received.add(text(delta));
            fail();
        }

        @Override
        public void onError(Throwable failure) {
            received.add(failure.getClass().getSimpleName()
                    + (failure.getCause() == null ? "" : " of " + failure.getCause().getClass().getSimpleName()));
            fail();
        }

        @Override
        public void onComplete() {
            received.add("end");
            fail();
        }

        private void fail() {
            if (thrown instanceof Error error) {
                throw error;
            }
        }

        void request(long n) {
            Objects.requireNonNull(subscription).request(n);
        }

        void cancel() {
            Objects.requireNonNull(subscription).cancel();
        }
    }

    private Taker taker(Known<String> known) {
        var taker = new Taker();
        events.flux().transform(DeltaStage.over(known)).subscribe(taker);
        return taker;
    }

    /** Nothing can be compared with it. */
    private static Known<String> failing(Supplier<? extends Versioned<String>> find) {
        return new Known<>() {
            @Override
            public @Nullable Versioned<String> find(ObjectKey key) {
                return find.get();
            }

            @Override
            public void forEachKey(Namespaces part, Consumer<ObjectKey> action) {}

            @Override
            public @Nullable String reached(Namespaces part) {
                return null;
            }

            @Override
            public @Nullable String received(Namespaces part) {
                return null;
            }
        };
    }

    @Test
    void aRequestForNothingEndsItAtOnce() {
        for (long n : new long[] {0, -1}) {
            var source = TestPublisher.<ReflectorEvent<String>>create();
            var taker = new Taker();
            source.flux().transform(DeltaStage.over(known)).subscribe(taker);
            source.next(upserted("a", 1));
            taker.request(n);
            source.assertCancelled();
            assertThat(taker.received).as("%d", n).containsExactly("IllegalArgumentException");
            assertThat(taker.discarded).hasSize(1);
            taker.request(n);
            taker.request(1);
            assertThat(taker.received).hasSize(1);
        }
    }

    /** §3.9 holds until the end was emitted. */
    @Test
    void aRequestForNothingEndsWhatWaitsAfterTheEndOfTheSource() {
        Taker taker = taker(known);
        events.next(upserted("a", 1)).complete();
        taker.request(0);
        assertThat(taker.received).containsExactly("IllegalArgumentException");
    }

    @Test
    void aRequestForNothingAfterACancellationIsNoMatter() {
        Taker taker = taker(known);
        taker.cancel();
        taker.request(0);
        assertThat(taker.received).isEmpty();
    }

    @Test
    void aCancellationLetsGoOfWhatWaits() {
        Taker taker = taker(known);
        events.next(upserted("a", 1), upserted("b", 2));
        taker.cancel();
        taker.cancel();
        assertThat(taker.discarded).hasSize(2);
        taker.request(5);
        assertThat(taker.received).isEmpty();
    }

    @Test
    void whatWaitsIsEmittedBeforeTheEnd() {
        Taker taker = taker(known);
        events.next(upserted("a", 1), upserted("b", 2)).complete();
        taker.request(1);
        assertThat(taker.received).containsExactly("+a@1");
        taker.request(1);
        assertThat(taker.received).containsExactly("+a@1", "+b@2", "end");
        taker.request(1);
        assertThat(taker.received).hasSize(3);
    }

    /** Of the failures that Reactor passes on, and of others. */
    @Test
    void whatWhoTakesThemThrowsEndsIt() {
        for (Error error : List.of(new OutOfMemoryError("planned"), new AssertionError("planned"))) {
            var source = TestPublisher.<ReflectorEvent<String>>create();
            var taker = new Taker();
            source.flux().transform(DeltaStage.over(known)).subscribe(taker);
            source.next(upserted("a", 1), upserted("b", 2), upserted("c", 3));
            taker.thrown = error;
            assertThatThrownBy(() -> taker.request(5)).as("onError throws it too").isSameAs(error);
            assertThat(taker.received).containsExactly("+a@1", error instanceof OutOfMemoryError
                    ? "IllegalStateException of OutOfMemoryError" : "AssertionError");
            source.assertCancelled();
            assertThat(taker.discarded).as("b and c").hasSize(2);
            taker.thrown = null;
            taker.request(5);
            assertThat(taker.received).hasSize(2);
        }
    }

    /** A comparison fails, and then the hook that is to look at the failure. */
    @Test
    void aHookThatThrowsDoesNotHideTheFailure() {
        Taker taker = taker(failing(() -> {
            throw new IllegalArgumentException("planned");
        }));
        events.next(upserted("a", 1), upserted("b", 2));
        Hooks.onOperatorError("planned", (failure, data) -> {
            throw new IllegalStateException("the hook");
        });
        try {
            assertThatThrownBy(() -> taker.request(5)).hasMessage("the hook");
        } finally {
            Hooks.resetOnOperatorError("planned");
        }
        assertThat(taker.received).containsExactly("IllegalArgumentException");
        events.assertCancelled();
    }

    @Test
    void whatIsThrownAtTheEndReachesNobodyElse() {
        Taker taker = taker(known);
        taker.thrown = new LinkageError("planned");
        assertThatThrownBy(events::complete).isSameAs(taker.thrown);
        assertThat(taker.received).containsExactly("end");
    }

    @Test
    void whatCannotBeJudgedIsLetGoOf() {
        Taker taker = taker(failing(() -> {
            throw new StackOverflowError("planned");
        }));
        events.next(upserted("a", 1), upserted("b", 2));
        taker.request(1);
        assertThat(taker.received).containsExactly("IllegalStateException of StackOverflowError");
        assertThat(taker.discarded).as("b, since nobody can judge it").hasSize(1);
        events.assertCancelled();
    }

    /** A source that goes on after its end, or after it was cancelled. */
    @Test
    void nothingIsEmittedAfterTheEnd() {
        TestPublisher<ReflectorEvent<String>> source = TestPublisher.createNoncompliant(TestPublisher.Violation.CLEANUP_ON_TERMINATE);
        var taker = new Taker();
        source.flux().transform(DeltaStage.over(known)).subscribe(taker);
        taker.request(9);
        source.complete();
        Flux.just(upserted("a", 1)).subscribe(source::next);
        assertThat(taker.received).containsExactly("end");
    }
}
