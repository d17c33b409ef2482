package io.reactiveinformer.config;

import io.reactiveinformer.config.Renewable.Lease;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;
import reactor.test.scheduler.VirtualTimeScheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class RenewableTest {

    private final VirtualTimeScheduler clock = VirtualTimeScheduler.create();
    private final AtomicInteger loads = new AtomicInteger();

    private Mono<Lease<String>> loading(Duration fresh, Duration good) {
        return Mono.fromCallable(() -> {
            long now = clock.now(TimeUnit.MILLISECONDS);
            return new Lease<>("v" + loads.incrementAndGet(), now + fresh.toMillis(), now + fresh.toMillis(), now + good.toMillis());
        });
    }

    private static void gives(Renewable<String> renewable, String expected) {
        StepVerifier.create(renewable.get()).expectNext(expected).expectComplete().verify(Duration.ofSeconds(10));
    }

    @Test
    void loadsWhenItIsFirstNeededAndWhenItIsStale() {
        var renewable = new Renewable<>(loading(Duration.ofMinutes(1), Duration.ofHours(1)), clock);
        assertThat(loads).hasValue(0);
        gives(renewable, "v1");
        clock.advanceTimeBy(Duration.ofSeconds(59));
        gives(renewable, "v1");
        clock.advanceTimeBy(Duration.ofSeconds(1));
        gives(renewable, "v2");
    }

    /** The threads that would read it may all be taken, for long. */
    @Test
    void nobodyWaitsLongForANewValueWhileTheOldOneMayBeGood() {
        Sinks.One<Lease<String>> second = Sinks.one();
        var renewable = new Renewable<>(
                Mono.defer(() -> loads.get() == 0 ? loading(Duration.ofMinutes(1), Duration.ofHours(1)) : second.asMono()), clock);
        gives(renewable, "v1");
        clock.advanceTimeBy(Duration.ofMinutes(1));
        StepVerifier.create(renewable.get())
                .then(() -> clock.advanceTimeBy(Renewable.HELD_UP))
                .expectNext("v1").expectComplete().verify(Duration.ofSeconds(10));
        gives(renewable, "v1"); // at once, since somebody has waited already
        second.tryEmitValue(Lease.forEver("v2"));
        gives(renewable, "v2");
    }

    /** As one does whose thread could not be had. */
    @Test
    void aLoadThatNeverEndsIsTriedAgain() {
        var renewable = new Renewable<>(Mono.defer(() -> loads.incrementAndGet() == 1
                ? Mono.<Lease<String>>never() : Mono.just(Lease.forEver("v"))), clock);
        StepVerifier.create(renewable.get())
                .then(() -> clock.advanceTimeBy(Renewable.LONGEST))
                .expectErrorSatisfies(failure -> assertThat(failure).isInstanceOf(ConfigException.class)
                        .hasMessageContaining("within 90 s"))
                .verify(Duration.ofSeconds(10));
        gives(renewable, "v");
    }

    @Test
    void aLoadThatFailsWithoutAWordIsTriedAgain() {
        var renewable = new Renewable<>(Mono.<Lease<String>>from(subscriber -> {
            if (loads.incrementAndGet() == 1) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            Mono.just(Lease.forEver("v")).subscribe(subscriber);
        }), clock);
        assertThatThrownBy(() -> renewable.get().subscribe()).isInstanceOf(OutOfMemoryError.class);
        clock.advanceTimeBy(Renewable.LONGEST);
        gives(renewable, "v");
    }

    @Test
    void oneLoadServesAllWhoWait() {
        Sinks.One<Lease<String>> answer = Sinks.one();
        var subscriptions = new AtomicInteger();
        var renewable = new Renewable<>(answer.asMono().doOnSubscribe(s -> subscriptions.incrementAndGet()), clock);
        StepVerifier.create(Flux.range(0, 50).flatMap(i -> renewable.get(), 50).collectList())
                .then(() -> answer.tryEmitValue(Lease.forEver("v")))
                .assertNext(values -> assertThat(values).hasSize(50).containsOnly("v"))
                .expectComplete()
                .verify(Duration.ofSeconds(10));
        assertThat(subscriptions).hasValue(1);
    }

    @Test
    void aCallerWhoGoesAwayDoesNotStopTheLoadForTheOthers() {
        Sinks.One<Lease<String>> answer = Sinks.one();
        var renewable = new Renewable<>(answer.asMono(), clock);
        var first = renewable.get().subscribe();
        StepVerifier.create(renewable.get())
                .then(first::dispose)
                .then(() -> answer.tryEmitValue(Lease.forEver("v")))
                .expectNext("v").expectComplete().verify(Duration.ofSeconds(10));
    }

    @Test
    void keepsTheOldValueForAsLongAsItIsGoodWhenRenewingFails() {
        var renewable = new Renewable<>(
                Mono.defer(() -> loads.get() == 0 ? loading(Duration.ofMinutes(1), Duration.ofMinutes(5)) : broken()), clock);
        gives(renewable, "v1");
        clock.advanceTimeBy(Duration.ofMinutes(1));
        gives(renewable, "v1");
        assertThat(loads).as("one failed try").hasValue(2);
        clock.advanceTimeBy(Renewable.PAUSE.minusMillis(1));
        gives(renewable, "v1");
        assertThat(loads).as("no further try within the pause").hasValue(2);
        clock.advanceTimeBy(Duration.ofMinutes(4));
        StepVerifier.create(renewable.get()).expectErrorMessage("broken").verify(Duration.ofSeconds(10));
    }

    private Mono<Lease<String>> broken() {
        loads.incrementAndGet();
        return Mono.error(new ConfigException("broken"));
    }

    @Test
    void aRefusedValueIsLoadedAgainOnce() {
        var renewable = new Renewable<>(loading(Duration.ofHours(1), Duration.ofHours(1)), clock);
        gives(renewable, "v1");
        renewable.refused("v1");
        gives(renewable, "v2");
        renewable.refused("v1"); // by another request, sent before
        gives(renewable, "v2");
        assertThat(loads).hasValue(2);
    }

    @Test
    void aRefusedValueIsNotServedWhenRenewingFails() {
        var renewable = new Renewable<>(
                Mono.defer(() -> loads.get() == 0 ? loading(Duration.ofHours(1), Duration.ofHours(1)) : broken()), clock);
        gives(renewable, "v1");
        renewable.refused("v1");
        StepVerifier.create(renewable.get()).expectErrorMessage("broken").verify(Duration.ofSeconds(10));
    }

    @Test
    void nobodyWaitsForANewValueWhileTheOldOneIsSureToBeGood() {
        Sinks.One<Lease<String>> slow = Sinks.one();
        var renewable = new Renewable<>(
                Mono.defer(() -> loads.incrementAndGet() == 1
                        ? Mono.just(Lease.until("v1", clock.now(TimeUnit.MILLISECONDS) + 60_000, clock.now(TimeUnit.MILLISECONDS) + 90_000))
                        : slow.asMono()), clock);
        gives(renewable, "v1");
        clock.advanceTimeBy(Duration.ofSeconds(60));
        gives(renewable, "v1");
        gives(renewable, "v1");
        assertThat(loads).as("renewed by one load").hasValue(2);

        clock.advanceTimeBy(Duration.ofSeconds(30));
        StepVerifier.create(renewable.get())
                .then(() -> slow.tryEmitValue(Lease.forEver("v2")))
                .expectNext("v2").expectComplete().verify(Duration.ofSeconds(10));
        assertThat(loads).hasValue(2);
    }

    @Test
    void aFailureToRenewIsEmittedOnceTheOldValueHasExpired() {
        var renewable = new Renewable<>(
                Mono.defer(() -> loads.get() == 0
                        ? loading(Duration.ZERO, Duration.ZERO)
                                .map(lease -> Lease.until(lease.value(), lease.freshUntil() + 60_000, lease.freshUntil() + 90_000))
                        : broken()), clock);
        gives(renewable, "v1");
        clock.advanceTimeBy(Duration.ofSeconds(60));
        gives(renewable, "v1");
        gives(renewable, "v1");
        assertThat(loads).as("one try within the pause").hasValue(2);
        clock.advanceTimeBy(Duration.ofSeconds(30));
        StepVerifier.create(renewable.get()).expectErrorMessage("broken").verify(Duration.ofSeconds(10));
    }

    @Test
    void thePauseAfterAFailureDoesNotOutliveTheOldValue() {
        var renewable = new Renewable<>(
                Mono.defer(() -> loads.get() == 0 ? loading(Duration.ofSeconds(60), Duration.ofSeconds(65)) : broken()), clock);
        gives(renewable, "v1");
        clock.advanceTimeBy(Duration.ofSeconds(60));
        gives(renewable, "v1");
        clock.advanceTimeBy(Duration.ofSeconds(5));
        StepVerifier.create(renewable.get()).expectErrorMessage("broken").verify(Duration.ofSeconds(10));
    }

    @Test
    void oneThatIsRefusedAgainAndAgainIsLoadedNowAndThen() {
        var renewable = new Renewable<>(Mono.fromCallable(() -> {
            loads.incrementAndGet();
            return Lease.forEver("same");
        }), clock);
        for (int request = 0; request < 100; request++) {
            gives(renewable, "same");
            renewable.refused("same");
        }
        gives(renewable, "same");
        assertThat(loads).as("at first, and once for a refusal").hasValue(2);
        clock.advanceTimeBy(Renewable.PAUSE);
        renewable.refused("same");
        gives(renewable, "same");
        assertThat(loads).hasValue(3);
    }

    @Test
    void manyThreadsWhoFindItStaleRenewItOnce() {
        for (int round = 0; round < 500; round++) {
            loads.set(0);
            var renewable = new Renewable<>(loading(Duration.ofHours(1), Duration.ofHours(1)), clock);
            StepVerifier.create(Flux.range(0, 4).flatMap(i -> renewable.get().subscribeOn(Schedulers.parallel())).distinct())
                    .expectNext("v1").expectComplete().verify(Duration.ofSeconds(10));
            assertThat(loads).hasValue(1);
        }
    }
}
