package io.reactiveinformer.leader;

import io.kubernetes.client.openapi.models.V1Lease;
import io.reactiveinformer.client.ClientOptions;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.leader.Leadership.Following;
import io.reactiveinformer.leader.Leadership.Leading;
import io.reactiveinformer.resource.ConflictException;
import io.reactiveinformer.resource.ForbiddenException;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.TransportException;
import io.reactiveinformer.test.FakeApiServer;
import io.reactiveinformer.test.RecordedRequests.Request;
import io.reactiveinformer.transport.TransportOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;
import reactor.test.publisher.TestPublisher;
import reactor.test.scheduler.VirtualTimeScheduler;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** Numbers are those of the scenarios of client-go's tests, client-go-semantics §8.12. */
class LeaderElectorTest {

    private static final ObjectKey LEASE = ObjectKey.of("default", "lock");
    private static final ResourceType<V1Lease> LEASES = ResourceType.of(V1Lease.class);

    private final VirtualTimeScheduler clock = VirtualTimeScheduler.create();
    private final FakeApiServer server = FakeApiServer.builder().scheduler(clock).build();
    private final KubernetesClient client = KubernetesClient.over(server.transport(), ClientOptions.defaults()
            .withWriteLimit(0, 1).withTransport(TransportOptions.defaults().withSilence(Duration.ofSeconds(75), clock)));
    private final List<String> story = new ArrayList<>();

    @AfterEach
    void close() {
        server.close();
    }

    private LeaderElector elector(String name) {
        return elector(name, options -> options);
    }

    private LeaderElector elector(String name, UnaryOperator<ElectionOptions> change) {
        return LeaderElector.of(client, LEASE, change.apply(
                ElectionOptions.defaults().withIdentity(name).withTimer(clock).withWorkers(clock).withRandom(() -> 0.5)));
    }

    /** Tells when its work begins and ends. */
    private Disposable work(LeaderElector elector) {
        return elector.whileLeading(term -> Flux.never()
                        .doOnSubscribe(begun -> tell(elector.identity() + " begins " + term.token()))
                        .doOnCancel(() -> tell(elector.identity() + " ends " + term.token())))
                .subscribe();
    }

    private void tell(String what) {
        story.add(clock.now(TimeUnit.SECONDS) + "s " + what);
    }

    private void hold(String holder, int seconds, int transitions) {
        server.objects().create("""
                {apiVersion: coordination.k8s.io/v1, kind: Lease, metadata: {namespace: default, name: lock, labels: {kept: 'yes'}},
                 spec: {%s leaseDurationSeconds: %d, leaseTransitions: %d, strategy: OldestEmulationVersion,
                        acquireTime: '2001-01-01T00:00:00.000000Z', renewTime: '2999-01-01T00:00:00.000000Z'}}
                """.formatted(holder == null ? "" : "holderIdentity: " + holder + ",", seconds, transitions));
    }

    private JsonNode spec() {
        return server.objects().get(LEASES, LEASE).orElseThrow().path("spec");
    }

    private void edit(UnaryOperator<ObjectNode> change) {
        server.objects().edit(LEASES, LEASE, change);
    }

    private List<String> verbs() {
        return server.requests().all().stream().map(Request::verb).toList();
    }

    private void pass(int seconds) {
        clock.advanceTimeBy(Duration.ofSeconds(seconds));
    }

    // ---- taking

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
    void s200takesAnothersLeaseWhenItWasSeenUnchangedForAsLongAsItSays() {
        hold("b", 9, 3);
        work(elector("a"));
        pass(9);
        assertThat(story).isEmpty();
        pass(1);
        assertThat(story).containsExactly("9s a begins 4");
        assertThat(spec().path("leaseTransitions").asInt()).isEqualTo(4);
        assertThat(spec().path("leaseDurationSeconds").asInt()).isEqualTo(15);
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

    // ---- keeping

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
    void endsTheTermTenSecondsAfterTheLastRenewalBeganWhenRequestsHang() {
        work(elector("a"));
        pass(4);
        server.faults().onAny().always().stall();
        pass(9);
        assertThat(story).containsExactly("0s a begins 0");
        pass(1);
        assertThat(story).containsExactly("0s a begins 0", "14s a ends 0");
    }

    @Test
    void endsTheTermTenSecondsAfterTheLastRenewalBeganWhenRequestsFail() {
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
                    assertThat(leading.trouble().cause()).isInstanceOf(ForbiddenException.class).hasMessageContaining("get leases.v1.coordination.k8s.io default/lock");
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
                .then(() -> pass(5))
                .assertNext(now -> assertThat(now.trouble().cause()).isInstanceOf(TransportException.class).hasMessage("lease default/lock: no answer within PT5S"))
                .thenCancel().verify();
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
                {"apiVersion": "coordination.k8s.io/v1", "kind": "Lease", "metadata": {"namespace": "default", "name": "lock", "resourceVersion": "7"},
                 "spec": {"holderIdentity": {"no": "text"}, "leaseDurationSeconds": "soon", "renewTime": "yesterday"}}
                """);
        StepVerifier.create(elector("a").leadership())
                .then(clock::advanceTime)
                .assertNext(now -> assertThat(now).isInstanceOfSatisfying(Following.class, following -> assertThat(following.trouble()).isNotNull()))
                .then(() -> pass(4))
                .expectNext(new Following("b", null))
                .thenCancel().verify();
    }

    // ---- giving back

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

    @Test
    void letsTheLeaseExpireIfTold() {
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
        StepVerifier.create(elector.leadership()).then(clock::advanceTime).expectNext(new Following(null, null)).expectComplete().verify(Duration.ofSeconds(10));
        StepVerifier.create(elector.resign()).expectComplete().verify(Duration.ofSeconds(10));
        assertThat(verbs()).isEmpty();
    }

    // ---- work

    @Test
    void keepsTheLeaseWhenTheWorkIsDone() {
        LeaderElector elector = elector("a");
        elector.whileLeading(term -> Mono.just("done").doOnNext(this::tell)).subscribe();
        pass(60);
        assertThat(story).containsExactly("0s done");
        assertThat(spec().path("holderIdentity").asString()).isEqualTo("a");
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

    @Test
    void aTermEndsByTheClockAloneForWhoAsks() {
        Term term = new Term(3, clock, Duration.ofSeconds(10).toNanos());
        assertThat(term.holds()).isTrue();
        assertThat(term.remaining()).hasSeconds(10);
        clock.advanceTimeBy(Duration.ofSeconds(10).minusNanos(1));
        assertThat(term.holds()).isTrue();
        clock.advanceTimeBy(Duration.ofNanos(1));
        assertThat(term.holds()).isFalse();
        assertThat(term.remaining()).isZero();
    }
}
