package io.reactiveinformer.leader;

import io.reactiveinformer.leader.Leadership.Following;
import io.reactiveinformer.resource.ObjectKey;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import reactor.test.StepVerifier;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** When a candidate takes a lease. Numbers are those of the scenarios of client-go's tests, client-go-semantics §8.12. */
class LeaseTakingTest extends LeaderElectorFixture {

    @Test
    void s198createsTheLeaseWhereThereIsNone() {
        work(elector("a"));
        assertThat(story).containsExactly("0s a begins 0");
        server.requests().verify("get leases.coordination.k8s.io lock in default", "create leases.coordination.k8s.io in default");
        assertThat(spec().path("holderIdentity").asString()).isEqualTo("a");
        assertThat(spec().path("leaseDurationSeconds").asInt()).isEqualTo(15);
        assertThat(spec().path("leaseTransitions").asInt(-1)).isZero();
        assertThat(spec().path("acquireTime")).isEqualTo(spec().path("renewTime"));
    }

    /** Whatever the times in the lease say; looked for each 3.2 s here. */
    @Test
    void s200takesAnothersLeaseWhenUnchangedForItsDuration() {
        hold("b", 9, 3);
        work(elector("a"));
        pass(9);
        assertThat(story).isEmpty();
        pass(1);
        assertThat(story).containsExactly("9s a begins 4");
        assertThat(spec().path("leaseTransitions").asInt()).isEqualTo(4);
        assertThat(spec().path("leaseDurationSeconds").asInt()).isEqualTo(15);
    }

    /** Looked for each 3.2 s here: at 10.4 s it has been looked for longer than it says, but not seen. */
    @Test
    void countsFromWhenTheAnswerCame() {
        hold("b", 9, 3);
        server.faults().on("get", "leases").delay(Duration.ofSeconds(4));
        work(elector("a"));
        pass(12);
        assertThat(story).isEmpty();
        pass(2);
        assertThat(story).containsExactly("13s a begins 4");
    }

    /** The time of day, which was set forward, has it that the term would be over. */
    @Test
    void doesNotLeadIfTheAnswerCameTooLate() {
        DriftingClock machine = new DriftingClock(clock, 1, 0);
        server.faults().on("create", "leases").delay(Duration.ofSeconds(2));
        StepVerifier.create(elector("a", options -> options.withTimer(machine)).leadership())
                .then(() -> pass(1))
                .then(() -> machine.setTimeOfDay(Duration.ofSeconds(20)))
                .then(() -> pass(1))
                .expectNext(new Following(null, null))
                .thenCancel().verify();
    }

    @Test
    void s201takesALeaseWithoutHolderAtOnce() {
        hold(null, 15, 3);
        work(elector("a"));
        assertThat(story).containsExactly("0s a begins 4");
    }

    @Test
    void takesALeaseWithNothingInItAtOnce() {
        server.objects().create("{apiVersion: coordination.k8s.io/v1, kind: Lease, metadata: {namespace: default, name: lock}}");
        work(elector("a"));
        assertThat(story).containsExactly("0s a begins 1");
    }

    @Test
    void s202leavesALeaseThatAnotherHolds() {
        hold("b", 15, 3);
        StepVerifier.create(elector("a").leadership())
                .then(clock::advanceTime)
                .expectNext(new Following("b", null))
                .thenCancel().verify();
        assertThat(verbs()).containsExactly("get");
    }

    @Test
    void waitsForALeaseThatWasDeletedUnderItsHolder() {
        hold("b", 15, 3);
        work(elector("a"));
        pass(1);
        server.objects().delete(LEASES, LEASE);
        pass(14);
        assertThat(story).as("b may not know yet").isEmpty();
        pass(4);
        assertThat(story).containsExactly("16s a begins 4");
    }

    @Test
    void waitsForAnotherOfItsOwnName() {
        hold("a", 15, 3);
        work(elector("a"));
        pass(15);
        assertThat(story).isEmpty();
        pass(4);
        assertThat(story).containsExactly("16s a begins 4");
    }

    @Test
    void s210keepsAndAddsLabelsAndWhatElseIsThere() {
        hold(null, 15, 3);
        work(elector("a", options -> options.withLabels(Map.of("app", "mirror"))));
        pass(5);
        JsonNode labels = server.objects().get(LEASES, LEASE).orElseThrow().path("metadata").path("labels");
        assertThat(labels.path("kept").asString()).isEqualTo("yes");
        assertThat(labels.path("app").asString()).isEqualTo("mirror");
        assertThat(spec().path("strategy").asString()).isEqualTo("OldestEmulationVersion");
    }

    @Test
    void refusesALeaseWithoutNamespace() {
        assertThatIllegalArgumentException().isThrownBy(() -> LeaderElector.of(client, ObjectKey.clusterScoped("lock")));
    }

    /**
     * client-go can leave the choice to the server, which then says who holds the lease. Here no lease is: its strategy is kept, and not
     * acted upon.
     */
    @Test
    void s204takesALeaseThatTheServerCouldGiveAsAnyOther() {
        hold(null, 15, 3);
        assertThat(spec().path("strategy").asString()).isEqualTo("OldestEmulationVersion");
        work(elector("a"));
        pass(2);
        assertThat(verbs()).as("taken, and renewed").containsExactly("get", "update", "update");
        assertThat(story).containsExactly("0s a begins 4");
        assertThat(spec().path("strategy").asString()).isEqualTo("OldestEmulationVersion");
    }

    /** Law 19: a server that asks for time gets it, but not so long that nobody leads for it. */
    @Test
    void looksNoSoonerThanTheServerAsks() {
        server.faults().on("get", "leases").tooManyRequests(Duration.ofSeconds(20));
        work(elector("a"));
        pass(19);
        assertThat(story).isEmpty();
        pass(1);
        assertThat(story).containsExactly("20s a begins 0");
    }

    @Test
    void aDayIsNotWaitedFor() {
        server.faults().on("get", "leases").tooManyRequests(Duration.ofDays(1));
        work(elector("a"));
        pass(30);
        assertThat(story).containsExactly("30s a begins 0");
    }
}
