package io.reactiveinformer.test;

import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.controller.Controller;
import io.reactiveinformer.controller.Route;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.leader.ElectionOptions;
import io.reactiveinformer.leader.LeaderElector;
import io.reactiveinformer.leader.Leadership;
import io.reactiveinformer.queue.Result;
import io.reactiveinformer.queue.WorkQueue;
import io.reactiveinformer.recorder.EventRecorder;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.view.InformerStatus;
import io.reactiveinformer.view.InformerStatus.State;
import io.reactiveinformer.view.View;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.scheduler.VirtualTimeScheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class TestClockTest {

    private static final ResourceType<V1Pod> PODS = ResourceType.of(V1Pod.class);
    private static final String POD = "{apiVersion: v1, kind: Pod, metadata: {name: web, namespace: shop},"
            + "spec: {containers: [{name: c, image: i}]}}";
    private static final ObjectKey LEASE = ObjectKey.of("shop", "lease");

    private final Set<Thread> threads = new HashSet<>();

    @AfterEach
    void realTime() {
        VirtualTimeScheduler.reset(); // where a test has failed
    }

    private <T> T seen(T value) {
        threads.add(Thread.currentThread());
        return value;
    }

    /** Each of them is made as in production, and given no scheduler. */
    @Test
    void allThatIsMadeOnItNeedsNoOtherThread() {
        List<String> events = new ArrayList<>();
        try (TestClock clock = TestClock.start(); FakeApiServer server = FakeApiServer.builder().with(POD).build();
                KubernetesClient client = KubernetesClient.over(server.transport()); InformerFactory informers =
                        InformerFactory.create(client)) {
            Informer<V1Pod> pods = informers.of(PODS);
            View<ObjectKey, String> names = pods.map(pod -> pod.getMetadata().getName());
            names.changes().subscribe(change -> events.add("name " + seen(change).getClass().getSimpleName()));
            pods.status().map(InformerStatus::state).distinctUntilChanged().subscribe(state -> events.add("pods " + seen(state)));
            names.status().map(InformerStatus::state).filter(state -> state == State.LIVE)
                    .take(1).subscribe(state -> events.add("names " + seen(state)));
            pods.synced().subscribe(null, failure -> {}, () -> events.add("synced" + seen("")));

            WorkQueue<String> queue = WorkQueue.create();
            queue.process(1, key -> Mono.just(Result.done())).subscribe(outcome -> events.add("worked " + seen(outcome).key()));
            queue.addAfter("later", Duration.ofMinutes(5));

            Controller<ObjectKey> controller = Controller.named("pods").watches(pods, Route.self()).reconcile(request -> Mono.fromRunnable(
                    () -> events.add("reconciled " + seen(request).key())).thenReturn(Result.again(Duration.ofMinutes(10))));
            controller.start();

            LeaderElector elector = LeaderElector.of(client, LEASE,
                    ElectionOptions.defaults().withTimer(clock.scheduler()).withWorkers(clock.scheduler()));
            elector.leadership().ofType(Leadership.Leading.class).take(1).subscribe(term -> events.add("leads" + seen("")));

            EventRecorder recorder = EventRecorder.of(client, "example.com/tests");
            recorder.normal(new V1Pod().apiVersion("v1").kind("Pod").metadata(new V1ObjectMeta().name("web").namespace("shop")),
                    "Seen", "Look", "a pod");

            Instant begin = clock.now();
            informers.start();
            clock.advance(Duration.ofSeconds(1));
            assertThat(events).contains("name Added", "name Synced", "pods LIVE", "names LIVE", "synced", "reconciled shop/web", "leads")
                    .doesNotContain("worked later");
            assertThat(server.objects().list(ResourceType.dynamic("events.k8s.io", "v1", "events"))).hasSize(1);
            clock.advance(Duration.ofMinutes(30));
            assertThat(events).contains("worked later").filteredOn("reconciled shop/web"::equals).hasSizeGreaterThan(2);
            assertThat(Duration.between(begin, clock.now())).isEqualTo(Duration.ofMinutes(30).plusSeconds(1));
            assertThat(server.scheduler()).isSameAs(clock.scheduler());
            controller.close();
            recorder.close();
            queue.close();
        }
        assertThat(threads).containsExactly(Thread.currentThread());
    }

    @Test
    void whatWasMadeBeforeIsNamed() {
        WorkQueue<String> queue = WorkQueue.create();
        Disposable work = queue.process(1, key -> Mono.just(Result.done())).subscribe();
        try (queue) {
            TestClock clock = TestClock.start();
            clock.advance(Duration.ofSeconds(1));
            queue.addAfter("later", Duration.ofMinutes(5));
            assertThatThrownBy(() -> clock.advance(Duration.ofMinutes(10))).isInstanceOf(AssertionError.class)
                    .hasMessageContaining("not on the test's clock, but in real time: io.reactiveinformer.queue.")
                    .hasMessageContaining("create it after TestClock.start(), or give it clock.scheduler()");
            assertThatThrownBy(clock::close).isInstanceOf(AssertionError.class);
        }
        work.dispose();
        assertThat(VirtualTimeScheduler.isFactoryEnabled()).isFalse();
    }

    @Test
    void anElectorWithATimerOfItsOwnIsNamed() {
        TestClock clock = TestClock.start();
        try (FakeApiServer server = FakeApiServer.create(); KubernetesClient client = KubernetesClient.over(server.transport())) {
            Disposable candidate = LeaderElector.of(client, LEASE).leadership().subscribe();
            assertThatThrownBy(() -> clock.advance(Duration.ofSeconds(1))).isInstanceOf(AssertionError.class)
                    .hasMessageContaining("io.reactiveinformer.leader.")
                    .hasMessageContaining("withTimer(clock.scheduler()).withWorkers(clock.scheduler())");
            candidate.dispose();
            assertThatThrownBy(clock::close).isInstanceOf(AssertionError.class);
        }
    }

    @Test
    void whatAnotherTestLeftBehindIsNotNamed() {
        try (WorkQueue<String> left = WorkQueue.create()) {
            Flux<String> turns = left.process(1, key -> Mono.just(Result.again(Duration.ofMillis(5))))
                    .map(outcome -> outcome.key()).publish().autoConnect();
            left.add("left");
            turns.blockFirst();
            try (TestClock clock = TestClock.start()) {
                turns.take(5).blockLast();
                assertThatNoException().isThrownBy(() -> clock.advance(Duration.ofSeconds(1)));
            }
        }
    }

    @Test
    void whatIsNotOfThisLibraryMayRunInRealTime() {
        var real = Schedulers.newSingle("real");
        try (TestClock clock = TestClock.start()) {
            assertThatNoException().isThrownBy(() -> Mono.delay(Duration.ofMillis(1), real).then(Mono.just(clock.now())).block());
        } finally {
            real.dispose();
        }
    }

    @Test
    void thereIsOneAtATime() {
        try (TestClock clock = TestClock.start()) {
            assertThat(clock.now()).isAfter(Instant.EPOCH.plus(Duration.ofDays(365)));
            assertThatThrownBy(TestClock::start).isInstanceOf(IllegalStateException.class).hasMessageContaining("close it first");
        }
        TestClock.start().close();
    }

    @Test
    void aServerLeavesItToTheTest() {
        try (TestClock clock = TestClock.start()) {
            FakeApiServer.create().close();
            assertThatNoException().isThrownBy(() -> clock.advance(Duration.ofSeconds(1)));
            assertThat(clock.scheduler().isDisposed()).isFalse();
        }
    }

    @Test
    void expectationsOfAStatusLetItPass() {
        try (TestClock clock = TestClock.start(); FakeApiServer server = FakeApiServer.builder().with(POD).build();
                KubernetesClient client = KubernetesClient.over(server.transport())) {
            Informer<V1Pod> pods = InformerFactory.create(client).of(PODS);
            pods.start();
            ChangeVerifier.of(pods, server)
                    .expectInitial("shop/web").expectSynced(1)
                    .expectLive()
                    .then(() -> server.access().deny("*", "pods"))
                    .then(server::restart)
                    .expectDisrupted(403)
                    .then(() -> assertThat(clock.now()).isAfter(Instant.EPOCH))
                    .thenCancel().verify(Duration.ofSeconds(20));
            assertThatThrownBy(() -> ChangeVerifier.of(pods, server).expectInitial("shop/web")
                    .expectLive().thenCancel().verify(Duration.ofSeconds(20)))
                    .hasMessageContaining("expected: live; was: DISRUPTED");
        }
    }

    @Test
    void aClosedClientLeavesOtherClientsConnected() {
        try (TestClock clock = TestClock.start(); FakeApiServer server = FakeApiServer.builder().with(POD).build()) {
            KubernetesClient closed = KubernetesClient.over(server.transport());
            KubernetesClient other = KubernetesClient.over(server.transport());
            closed.close();
            clock.advance(Duration.ofSeconds(1));
            assertThat(other.resources(PODS).get(ObjectKey.of("shop", "web")).block(Duration.ofSeconds(5))).isNotNull();
            other.close();
        }
    }
}
