package io.reactiveinformer.leader;

import io.reactiveinformer.leader.Leadership.Following;
import io.reactiveinformer.leader.Leadership.Leading;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;
import reactor.test.publisher.TestPublisher;

import static org.assertj.core.api.Assertions.assertThat;

/** Callers that share one candidacy. Numbers are those of the scenarios of client-go's tests, client-go-semantics §8.12. */
class LeaderElectorTest extends LeaderElectorFixture {

    @Test
    void keepsTheLeaseWhenTheWorkIsDone() {
        LeaderElector elector = elector("a");
        elector.whileLeading(term -> Mono.just("done").doOnNext(this::tell)).subscribe();
        pass(60);
        assertThat(story).containsExactly("0s done");
        assertThat(spec().path("holderIdentity").asString()).isEqualTo("a");
    }

    @Test
    void isOneCandidateForAllWhoSubscribe() {
        LeaderElector elector = elector("a");
        Disposable one = work(elector);
        Disposable other = work(elector);
        pass(3);
        StepVerifier.create(elector.leadership()).then(clock::advanceTime).expectNextMatches(now -> now instanceof Leading)
                .thenCancel().verify();
        one.dispose();
        pass(3);
        assertThat(verbs()).containsExactly("get", "create", "update", "update", "update");
        assertThat(story).containsExactly("0s a begins 0", "0s a begins 0", "3s a ends 0");
        other.dispose();
        clock.advanceTime();
        assertThat(spec().has("holderIdentity")).isFalse();
    }

    @Test
    void standsAgainWhenSubscribedToAgain() {
        LeaderElector elector = elector("a");
        work(elector).dispose();
        work(elector);
        pass(4);
        assertThat(story).containsExactly("0s a begins 0", "0s a ends 0", "0s a begins 1");
    }

    @Test
    void keepsOnlyTheLatestStateForWhoDoesNotAsk() {
        LeaderElector elector = elector("a");
        TestPublisher<Void> never = TestPublisher.create();
        StepVerifier.create(elector.leadership().takeUntilOther(never), 0)
                .then(() -> pass(1))
                .then(() -> server.faults().onAny().times(2).refuse())
                .then(() -> pass(10))
                .thenRequest(10)
                .then(clock::advanceTime)
                .expectNextMatches(now -> now instanceof Leading && now.trouble() == null)
                .thenCancel().verify();
    }

    @Test
    void releasesTheLeaseWhenTheOnlyWorkHasFailed() {
        LeaderElector elector = elector("a");
        List<Leadership> watched = new ArrayList<>();
        List<Throwable> failures = new ArrayList<>();
        elector.leadership().subscribe(watched::add);
        elector.whileLeading(term -> Mono.delay(Duration.ofSeconds(5), clock).then(Mono.error(new CancellationException("enough"))))
                .subscribe(null, failures::add);
        pass(4);
        assertThat(last(watched)).isInstanceOf(Leading.class);
        pass(2);
        assertThat(failures).hasSize(1);
        assertThat(spec().has("holderIdentity")).isFalse();
        assertThat(last(watched)).isEqualTo(new Following(null, null));
        server.requests().clear();
        pass(60);
        assertThat(verbs()).as("of one that only watches").isEmpty();
        Disposable again = work(elector);
        pass(5);
        assertThat(story).containsExactly("66s a begins 1");
        assertThat(last(watched)).isInstanceOf(Leading.class);
        again.dispose();
        clock.advanceTime();
        assertThat(last(watched)).isEqualTo(new Following(null, null));
        assertThat(spec().has("holderIdentity")).isFalse();
    }

    private static Leadership last(List<Leadership> watched) {
        return watched.get(watched.size() - 1);
    }

    @Test
    void keepsTheLeaseWhenOneWorkHasFailedAndAnotherGoesOn() {
        LeaderElector elector = elector("a");
        work(elector);
        elector.whileLeading(term -> Mono.error(new CancellationException("enough"))).subscribe(null, failure -> tell("failed"));
        pass(60);
        assertThat(story).containsExactly("0s a begins 0", "0s failed");
        assertThat(spec().path("holderIdentity").asString()).isEqualTo("a");
    }

    @Test
    void isACandidateForWhoOnlyWatchesWhereNobodyWorks() {
        List<Leadership> watched = new ArrayList<>();
        Disposable watching = elector("a").leadership().subscribe(watched::add);
        pass(4);
        assertThat(watched).singleElement().isInstanceOf(Leading.class);
        watching.dispose();
        clock.advanceTime();
        assertThat(spec().has("holderIdentity")).isFalse();
    }

    @Test
    void whoFailsOfAStateIsNoCandidateAnyMore() {
        elector("a").leadership().subscribe(now -> {
            throw new CancellationException("enough");
        }, failure -> tell("failed"));
        pass(60);
        assertThat(story).containsExactly("0s failed");
        assertThat(spec().has("holderIdentity")).isFalse();
    }
}
