package io.reactiveinformer.leader;

import io.reactiveinformer.leader.Leadership.Following;
import io.reactiveinformer.leader.Leadership.Leading;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.test.StepVerifier;

import static org.assertj.core.api.Assertions.assertThat;

/** How a lease is given back. Numbers are those of the scenarios of client-go's tests, client-go-semantics §8.12. */
class LeaseGivingBackTest extends LeaderElectorFixture {

    @Test
    void s205givesTheLeaseBackWhenCancelledAfterTheWorkHasEnded() {
        server.faults().on("update", "leases").delay(Duration.ZERO).occurrences().subscribe(update -> tell("given back"));
        Disposable working = work(elector("a"));
        pass(1);
        server.requests().clear();
        working.dispose();
        clock.advanceTime();
        assertThat(story).containsExactly("0s a begins 0", "1s a ends 0", "1s given back");
        assertThat(verbs()).containsExactly("get", "update");
        assertThat(spec().has("holderIdentity")).isFalse();
        assertThat(spec().path("leaseDurationSeconds").asInt()).isEqualTo(1);
        assertThat(spec().path("leaseTransitions").asInt(-1)).isZero();
    }

    /** Reactor takes it for fatal; the lease must not stay with one that does not work. */
    @Test
    void givesTheLeaseBackWhenTheWorkThrowsAnError() {
        List<Throwable> failures = new ArrayList<>();
        elector("a").whileLeading(term -> {
            throw new NoClassDefFoundError("planned");
        }).subscribe(done -> {}, failures::add);
        pass(3);
        assertThat(failures).singleElement().satisfies(failure -> assertThat(failure).hasMessageContaining("planned"));
        assertThat(spec().has("holderIdentity")).as("held").isFalse();
    }

    @Test
    void s205givesTheLeaseBackDespiteAConflict() {
        Disposable working = work(elector("a"));
        server.faults().on("update", "leases").times(2).status(409, "Conflict", "the object has been modified");
        working.dispose();
        pass(1);
        assertThat(verbs()).containsExactly("get", "create", "get", "update", "get", "update", "get", "update");
        assertThat(spec().has("holderIdentity")).isFalse();
    }

    @Test
    void s206givesBackWhatArrivedAfterItWasCancelled() {
        hold(null, 15, 3);
        server.faults().on("update", "leases").after(1).bytes().stall();
        Disposable working = work(elector("a"));
        clock.advanceTime();
        assertThat(spec().path("holderIdentity").asString()).as("carried out, but not answered").isEqualTo("a");
        working.dispose();
        clock.advanceTime();
        assertThat(spec().has("holderIdentity")).isFalse();
        assertThat(story).isEmpty();
    }

    @Test
    void s206asksNothingMoreWhenCancelledWhileLooking() {
        server.faults().on("get", "leases").stall();
        Disposable working = work(elector("a"));
        working.dispose();
        pass(60);
        assertThat(verbs()).containsExactly("get");
    }

    @Test
    void givesNothingBackThatIsAnothers() {
        hold("b", 15, 3);
        Disposable working = work(elector("a"));
        working.dispose();
        clock.advanceTime();
        assertThat(verbs()).containsExactly("get");
        assertThat(spec().path("holderIdentity").asString()).isEqualTo("b");
    }

    /** Another process of our name, which took it after us. */
    @Test
    void givesNothingBackThatIsANamesakes() {
        Disposable working = work(elector("a"));
        edit(lease -> {
            lease.withObject("spec").put("acquireTime", "2030-01-01T00:00:00.000000Z").put("leaseTransitions", 1);
            return lease;
        });
        working.dispose();
        clock.advanceTime();
        assertThat(spec().path("holderIdentity").asString()).isEqualTo("a");
    }

    @Test
    void resignsWithinTheRenewDeadlineThoughNobodyAnswers() {
        LeaderElector elector = elector("a");
        work(elector);
        pass(1);
        server.faults().onAny().always().stall();
        elector.resign().subscribe(null, null, () -> tell("resigned"));
        pass(10);
        assertThat(story).containsExactly("0s a begins 0", "1s a ends 0", "11s resigned");
    }

    @Test
    void letsTheLeaseExpireIfConfigured() {
        Disposable working = work(elector("a", options -> options.withReleaseOnCancel(false)));
        working.dispose();
        clock.advanceTime();
        assertThat(spec().path("holderIdentity").asString()).isEqualTo("a");
    }

    @Test
    void handsOverWithinTheNextLook() {
        Disposable first = work(elector("a"));
        work(elector("b"));
        pass(20);
        first.dispose();
        pass(4);
        assertThat(story).containsExactly("0s a begins 0", "20s a ends 0", "22s b begins 1");
    }

    @Test
    void resignsAfterTheWorkHasEndedAndForGood() {
        LeaderElector elector = elector("a");
        List<String> ends = new ArrayList<>();
        elector.whileLeading(term -> Flux.never().doOnCancel(() -> ends.add("work"))).doOnComplete(() -> ends.add("flow")).subscribe();
        clock.advanceTime();
        server.faults().on("get", "leases").delay(Duration.ofSeconds(3));
        StepVerifier.create(elector.resign())
                .then(() -> assertThat(ends).containsExactly("work"))
                .then(() -> pass(3))
                .expectComplete().verify(Duration.ofSeconds(10));
        assertThat(ends).containsExactly("work", "flow");
        assertThat(spec().has("holderIdentity")).isFalse();
        server.requests().clear();
        StepVerifier.create(elector.leadership()).then(clock::advanceTime).expectNext(new Following(null, null))
                .expectComplete().verify(Duration.ofSeconds(10));
        StepVerifier.create(elector.resign()).expectComplete().verify(Duration.ofSeconds(10));
        assertThat(verbs()).isEmpty();
    }

    @Test
    void givesTheLeaseBackWhenTheWorkFails() {
        StepVerifier.create(elector("a").whileLeading(term -> Mono.error(new CancellationException("enough"))))
                .then(clock::advanceTime)
                .expectError(CancellationException.class).verify(Duration.ofSeconds(10));
        clock.advanceTime();
        assertThat(spec().has("holderIdentity")).isFalse();
    }

    @Test
    void givesTheLeaseBackWhenTheWorkCannotBeMade() {
        StepVerifier.create(elector("a").whileLeading(term -> {
                    throw new CancellationException("enough");
                }))
                .then(clock::advanceTime)
                .expectError(CancellationException.class).verify(Duration.ofSeconds(10));
        clock.advanceTime();
        assertThat(spec().has("holderIdentity")).isFalse();
    }

    @Test
    void resigningWaitsForALeaseThatIsBeingGivenBack() {
        LeaderElector elector = elector("a");
        Disposable working = work(elector);
        pass(1);
        server.faults().on("update", "leases").delay(Duration.ofSeconds(3));
        working.dispose();
        elector.resign().subscribe(null, null, () -> tell("resigned"));
        assertThat(story).containsExactly("0s a begins 0", "1s a ends 0");
        pass(3);
        assertThat(story).containsExactly("0s a begins 0", "1s a ends 0", "4s resigned");
        assertThat(spec().has("holderIdentity")).isFalse();
    }

    @Test
    void aWatcherIsNotifiedOfTheEndAlsoWhereNobodyWorks() {
        LeaderElector elector = elector("a");
        StepVerifier.create(elector.leadership())
                .then(() -> work(elector).dispose())
                .then(clock::advanceTime)
                .thenConsumeWhile(now -> now instanceof Leading)
                .expectNext(new Following(null, null))
                .then(() -> elector.resign().subscribe())
                .then(clock::advanceTime)
                .thenConsumeWhile(now -> true)
                .expectComplete().verify(Duration.ofSeconds(10));
        StepVerifier.create(elector.leadership()).then(clock::advanceTime).expectNext(new Following(null, null))
                .expectComplete().verify(Duration.ofSeconds(10));
    }

    /** A defect of ours, such as a clock that throws: the work of the leader must still end before another can begin. */
    @Test
    void theWorkEndsBeforeAFailedCandidacyReleasesTheLease() {
        boolean[] broken = new boolean[1];
        Scheduler timer = new DriftingClock(clock, 1, 0) {
            @Override
            public long now(TimeUnit unit) {
                if (broken[0]) {
                    broken[0] = false;
                    throw new CancellationException("no time");
                }
                return super.now(unit);
            }
        };
        LeaderElector elector = elector("a", options -> options.withTimer(timer));
        List<Throwable> failures = new ArrayList<>();
        elector.whileLeading(term -> Flux.never().doOnSubscribe(begun -> tell("begins"))
                .doOnCancel(() -> tell("ends, holds: " + term.holds())))
                .subscribe(null, failures::add);
        pass(1);
        server.faults().on("update", "leases").delay(Duration.ZERO).occurrences().subscribe(update -> tell("given back"));
        broken[0] = true;
        pass(1);
        assertThat(failures).singleElement().isInstanceOf(CancellationException.class);
        assertThat(story).containsExactly("0s begins", "2s ends, holds: false", "2s given back");
        assertThat(spec().has("holderIdentity")).isFalse();
    }
}
