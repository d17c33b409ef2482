package io.reactiveinformer.leader;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.reactiveinformer.client.ClientOptions;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.client.ListOptions;
import io.reactiveinformer.leader.Leadership.Following;
import io.reactiveinformer.leader.Leadership.Leading;
import io.reactiveinformer.leader.Leadership.Term;
import io.reactiveinformer.resource.ConflictException;
import io.reactiveinformer.resource.ForbiddenException;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.Reading;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.TransportException;
import io.reactiveinformer.transport.TransportOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.test.StepVerifier;

import static org.assertj.core.api.Assertions.assertThat;

/** How a leader keeps its lease, and loses it. Numbers are those of the scenarios of client-go's tests, client-go-semantics §8.12. */
class LeaseKeepingTest extends LeaderElectorFixture {

    @Test
    void s208renewsEachTwoSecondsWithOneRequest() {
        work(elector("a"));
        pass(4);
        assertThat(verbs()).containsExactly("get", "create", "update", "update");
        assertThat(spec().path("leaseTransitions").asInt(-1)).isZero();
        assertThat(spec().path("acquireTime")).isNotEqualTo(spec().path("renewTime"));
    }

    @Test
    void s208looksAgainWhenARenewalIsRefused() {
        StepVerifier.create(elector("a").leadership())
                .then(clock::advanceTime)
                .expectNextMatches(now -> now instanceof Leading)
                .then(() -> {
                    pass(2);
                    edit(lease -> {
                        lease.withObject("metadata").withObject("labels").put("touched", "yes");
                        return lease;
                    });
                    pass(4);
                })
                .thenCancel().verify();
        assertThat(verbs().subList(0, 7)).containsExactly("get", "create", "update", "update", "get", "update", "update");
    }

    @Test
    void endsTheTermTenSecondsAfterTheLastRenewalIfRequestsHang() {
        work(elector("a"));
        pass(4);
        server.faults().onAny().always().stall();
        pass(9);
        assertThat(story).containsExactly("0s a begins 0");
        pass(1);
        assertThat(story).containsExactly("0s a begins 0", "14s a ends 0");
    }

    @Test
    void endsTheTermTenSecondsAfterTheLastRenewalIfRequestsFail() {
        work(elector("a"));
        pass(4);
        server.faults().onAny().always().refuse();
        pass(20);
        assertThat(story).containsExactly("0s a begins 0", "14s a ends 0");
    }

    /** The answer of a renewal came, but the time counts from when it was asked for. */
    @Test
    void countsFromWhenARenewalWasSent() {
        work(elector("a"));
        pass(1);
        server.faults().on("update", "leases").delay(Duration.ofSeconds(4)); // sent at 2 s, answered at 6 s
        server.faults().on("update", "leases").always().stall();
        server.faults().on("get", "leases").always().stall();
        pass(12);
        assertThat(story).containsExactly("0s a begins 0", "12s a ends 0");
    }

    @Test
    void tellsOfTroubleWhileLeadingAndAfterwards() {
        StepVerifier.create(elector("a").leadership())
                .then(clock::advanceTime)
                .expectNextMatches(now -> now instanceof Leading && now.trouble() == null)
                .then(() -> server.faults().onAny().times(12).status(403, "Forbidden", "not you"))
                .then(() -> pass(2))
                .assertNext(now -> assertThat(now).isInstanceOfSatisfying(Leading.class, leading -> {
                    assertThat(leading.term().holds()).isTrue();
                    assertThat(leading.trouble().cause()).isInstanceOf(ForbiddenException.class)
                            .hasMessageContaining("get leases.v1.coordination.k8s.io default/lock");
                    assertThat(leading.trouble().attempt()).isEqualTo(1);
                    assertThat(leading.trouble().retryIn()).hasSeconds(2);
                }))
                .then(() -> pass(6))
                .expectNextCount(3)
                .then(() -> pass(2))
                .assertNext(now -> assertThat(now).isInstanceOfSatisfying(Following.class, following -> {
                    assertThat(following.leader()).isNull();
                    assertThat(following.trouble().attempt()).isEqualTo(4);
                }))
                .then(() -> pass(60))
                .thenConsumeWhile(now -> now instanceof Following)
                .assertNext(now -> assertThat(now).isInstanceOfSatisfying(Leading.class, leading -> {
                    assertThat(leading.trouble()).isNull();
                    assertThat(leading.term().token()).as("a term of its own").isEqualTo(1);
                }))
                .thenCancel().verify();
    }

    @Test
    void tellsThatNoAnswerCame() {
        server.faults().onAny().stall();
        StepVerifier.create(elector("a").leadership())
                .then(() -> pass(10))
                .assertNext(now -> assertThat(now.trouble().cause()).isInstanceOf(TransportException.class)
                        .hasMessage("lease default/lock: no answer within PT10S"))
                .thenCancel().verify();
    }

    /** A first request opens the connection and loads classes, beside the lists of the start; later ones have half of the deadline. */
    @Test
    void theFirstAnswerMayTakeLonger() {
        server.faults().onAny().delay(Duration.ofSeconds(8));
        StepVerifier.create(elector("a").leadership())
                .then(() -> pass(9))
                .assertNext(now -> assertThat(now.trouble()).isNull())
                .thenCancel().verify();
    }

    @Test
    void theLogNamesTheLeaseOnce() {
        var log = new ListAppender<ILoggingEvent>();
        log.start();
        Logger logger = (Logger) LoggerFactory.getLogger(LeaderElector.class);
        logger.addAppender(log);
        try {
            server.faults().onAny().stall();
            StepVerifier.create(elector("a").leadership()).then(() -> pass(10)).expectNextCount(1).thenCancel().verify();
        } finally {
            logger.detachAppender(log);
        }
        assertThat(log.list).extracting(ILoggingEvent::getFormattedMessage).singleElement().asString()
                .startsWith("lease default/lock: no answer within PT10S; trying again in ");
    }

    @Test
    void tellsThatAnotherWasFaster() {
        server.faults().on("create", "leases").status(409, "AlreadyExists", "leases \"lock\" already exists");
        StepVerifier.create(elector("a").leadership())
                .then(clock::advanceTime)
                .assertNext(now -> assertThat(now.trouble().cause()).isInstanceOf(ConflictException.class))
                .then(() -> pass(4))
                .expectNextMatches(now -> now instanceof Leading)
                .thenCancel().verify();
    }

    @Test
    void endsTheTermWhenTheLeaseIsDeletedAndBeginsAnother() {
        work(elector("a"));
        pass(1);
        server.objects().delete(LEASES, LEASE);
        pass(5);
        assertThat(story).containsExactly("0s a begins 0", "2s a ends 0", "5s a begins 1");
        assertThat(spec().path("leaseTransitions").asInt()).isEqualTo(1);
    }

    @Test
    void endsTheTermWhenAnotherHoldsTheLease() {
        work(elector("a"));
        pass(1);
        edit(lease -> {
            lease.withObject("spec").put("holderIdentity", "b").put("leaseTransitions", 7);
            return lease;
        });
        pass(1);
        assertThat(story).containsExactly("0s a begins 0", "2s a ends 0");
        pass(20);
        assertThat(story).hasSize(3).last().asString().endsWith("a begins 8");
    }

    @Test
    void outlivesALeaseFullOfNonsense() {
        hold("b", 15, 3);
        server.faults().on("get", "leases").answer("""
                {"apiVersion": "coordination.k8s.io/v1", "kind": "Lease", "metadata": {"namespace": "default", "name": "lock", \
                "resourceVersion": "7"},
                 "spec": {"holderIdentity": {"no": "text"}, "leaseDurationSeconds": "soon", "renewTime": "yesterday"}}
                """);
        StepVerifier.create(elector("a").leadership())
                .then(clock::advanceTime)
                .assertNext(now -> assertThat(now)
                        .isInstanceOfSatisfying(Following.class, following -> assertThat(following.trouble()).isNotNull()))
                .then(() -> pass(4))
                .expectNext(new Following("b", null))
                .thenCancel().verify();
    }

    @Test
    void keepsItsLeaseWhateverElseTheClientHasToWrite() {
        KubernetesClient busy = client(1);
        for (int i = 0; i < 200; i++) {
            busy.resources(ResourceType.of(V1ConfigMap.class))
                    .create(Namespaces.of("default"), new V1ConfigMap().metadata(new V1ObjectMeta().generateName("c-"))).subscribe();
        }
        work(elector(busy, "a", options -> options));
        pass(60);
        assertThat(story).containsExactly("0s a begins 0");
        assertThat(server.requests().all()).filteredOn(request -> request.resource().equals("configmaps")).as("one a second").hasSize(61);
    }

    /** A program begins its election and all its lists together; only so many lists are sent at once. */
    @Test
    void noRequestForALeaseWaitsBehindLists() {
        server.faults().on("list", "configmaps").always().stall();
        KubernetesClient busy = KubernetesClient.over(server.transport(), ClientOptions.defaults().withListsAtOnce(1)
                .withTransport(TransportOptions.defaults().withSilence(Duration.ofSeconds(75), clock)));
        for (int i = 0; i < 20; i++) {
            busy.resources(ResourceType.of(V1ConfigMap.class)).list(Namespaces.all(), ListOptions.defaults(), Reading.anew()).subscribe();
        }
        pass(1);
        assertThat(verbs()).containsExactly("list");
        work(elector(busy, "a", options -> options));
        pass(4);
        assertThat(story).containsExactly("1s a begins 0");
        assertThat(verbs()).containsExactly("list", "get", "create", "update", "update");
    }

    /** Its timers stood, as its monotonic clock did; the time of day did not. */
    @Test
    void aMachineThatWasSuspendedFindsItsTermOver() {
        DriftingClock machine = new DriftingClock(clock, 1, 0);
        List<Term> terms = new ArrayList<>();
        elector("a", options -> options.withTimer(machine).withWorkers(machine)).whileLeading(term -> {
            terms.add(term);
            return Flux.never().doOnSubscribe(begun -> tell("begins")).doOnCancel(() -> tell("ends"));
        }).subscribe();
        pass(3);
        machine.suspend();
        pass(8);
        assertThat(terms.get(0).holds()).isTrue();
        pass(1);
        assertThat(terms.get(0).holds()).as("asked by who wakes up first").isFalse();
        pass(48);
        machine.thaw();
        assertThat(story).containsExactly("0s begins", "60s ends");
        pass(4);
        assertThat(story).containsExactly("0s begins", "60s ends", "63s begins");
        assertThat(terms.get(1).token()).isEqualTo(1);
    }

    /** Between two looks at the clocks it was over: somebody may have led since. */
    @Test
    void aTermThatWasOverWhenItsRenewalWasAnsweredIsOverForGood() {
        DriftingClock machine = new DriftingClock(clock, 1, 0);
        List<Term> terms = new ArrayList<>();
        elector("a", options -> options.withTimer(machine)).whileLeading(term -> {
            terms.add(term);
            return Flux.never();
        }).subscribe();
        pass(1);
        server.faults().on("update", "leases").delay(Duration.ofSeconds(2)); // sent at 2 s, answered at 4 s
        pass(2);
        machine.setTimeOfDay(Duration.ofSeconds(20));
        pass(1);
        machine.setTimeOfDay(Duration.ofSeconds(-20));
        assertThat(terms).singleElement().matches(term -> !term.holds());
    }

    /** Whose threads had something else to do, and then the machine was suspended. */
    @Test
    void whoComesToWorkAfterTheEndOfTheTermDoesNotBegin() {
        DriftingClock machine = new DriftingClock(clock, 1, 0);
        DriftingClock threads = new DriftingClock(clock, 1, 0);
        threads.freeze();
        work(elector("a", options -> options.withTimer(machine).withWorkers(threads)));
        pass(1);
        machine.suspend();
        pass(60);
        threads.thaw();
        clock.advanceTime();
        machine.thaw();
        clock.advanceTime();
        assertThat(story).isEmpty();
        pass(5);
        assertThat(story).containsExactly("64s a begins 1");
    }

    @Test
    void s209isHealthyUnlessItBelievesToLeadLongAfterOthersCould() {
        DriftingClock machine = new DriftingClock(clock, 1, 0);
        LeaderElector leader = elector("a", options -> options.withTimer(machine).withWorkers(machine));
        LeaderElector follower = elector("b", options -> options.withTimer(machine).withWorkers(machine));
        Duration tolerance = Duration.ofSeconds(10);
        assertThat(leader.healthy(tolerance)).as("no candidate").isTrue();
        work(leader);
        work(follower);
        pass(4);
        assertThat(leader.healthy(Duration.ZERO)).as("not expired").isTrue();
        machine.freeze(); // its threads do not get on: the term is not ended, though it is over
        pass(25);
        assertThat(leader.healthy(tolerance)).as("expired, inside the tolerance").isTrue();
        assertThat(leader.healthy(tolerance.minusSeconds(1))).isFalse();
        pass(1);
        assertThat(leader.healthy(tolerance)).as("far expired, ours").isFalse();
        assertThat(follower.healthy(tolerance)).as("far expired, another's").isTrue();
        machine.thaw();
        assertThat(leader.healthy(tolerance)).as("knows that it does not lead").isTrue();
    }
}
