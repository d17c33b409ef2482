package io.reactiveinformer.leader;

import io.reactiveinformer.leader.Leadership.Leading;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;
import reactor.test.publisher.TestPublisher;

import static org.assertj.core.api.Assertions.assertThat;

/** Those who share a candidacy. Numbers are those of the scenarios of client-go's tests, client-go-semantics §8.12. */
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
        StepVerifier.create(elector.leadership()).then(clock::advanceTime).expectNextMatches(now -> now instanceof Leading).thenCancel().verify();
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
                .expectNextCount(1)
                .then(clock::advanceTime)
                .thenConsumeWhile(now -> now.trouble() != null)
                .expectNextMatches(now -> now instanceof Leading && now.trouble() == null)
                .thenCancel().verify();
    }
}
