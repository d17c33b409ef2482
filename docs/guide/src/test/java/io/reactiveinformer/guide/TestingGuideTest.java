package io.reactiveinformer.guide;

import io.kubernetes.client.openapi.models.V1Pod;
import io.reactiveinformer.apiserver.ApiRequest.Verb;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.config.ClusterConfig;
import io.reactiveinformer.delta.DeletionCause;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.leader.ElectionOptions;
import io.reactiveinformer.leader.LeaderElector;
import io.reactiveinformer.leader.Leadership;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.Selector;
import io.reactiveinformer.resource.TransportException;
import io.reactiveinformer.test.ChangeLaws;
import io.reactiveinformer.test.ChangeVerifier;
import io.reactiveinformer.test.FakeApiServer;
import io.reactiveinformer.test.MutationDetector;
import io.reactiveinformer.test.TestClock;
import io.reactiveinformer.test.TestView;
import io.reactiveinformer.test.faults.Cut;
import io.reactiveinformer.test.faults.Fault;
import io.reactiveinformer.test.junit.FakeCluster;
import io.reactiveinformer.test.simulation.Run;
import io.reactiveinformer.test.simulation.Simulation;
import io.reactiveinformer.test.simulation.Workload;
import io.reactiveinformer.view.View;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.test.StepVerifier;

import static org.assertj.core.api.Assertions.assertThat;

/** What {@code docs/guide/testing.md} shows; {@link GuideSnippetsTest} holds the two together. Nothing here is private to the kit. */
class TestingGuideTest {

    private static final ResourceType<V1Pod> PODS = ResourceType.of(V1Pod.class);
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @FakeCluster("shop.yaml")                 // objects that are there first, from the class path
    private FakeApiServer server;             // an instance field: a fresh server for each test

    @FakeCluster
    private static FakeApiServer shared;      // a static field: one for the class, emptied after each test

    @FakeCluster                              // made as you like it; started and stopped all the same
    private FakeApiServer secure = FakeApiServer.builder().tls()
            .with("{apiVersion: v1, kind: Pod, metadata: {name: first}, spec: {containers: [{name: c, image: i}]}}").build();

    @FakeCluster(recording = "session")       // the directory, on the class path
    private FakeApiServer recorded;

    private KubernetesClient client;
    private Informer<V1Pod> pods;

    @BeforeEach
    void informer() {
        client = KubernetesClient.create(ClusterConfig.of(server.url()));
        pods = InformerFactory.create(client).of(PODS);
    }

    @AfterEach
    void close() {
        client.close();
    }

    @Test
    void seesPods(@FakeCluster FakeApiServer own) { // a parameter works too
        assertThat(own.objects().list(PODS)).isEmpty();
        assertThat(shared.objects().list(PODS)).isEmpty();
        assertThat(secure.objects().list(PODS)).hasSize(1);
        assertThat(secure.url()).startsWith("https://");
    }

    @Test
    void keepsAConfigMapForEachPod() {
        server.faults().on("create", "configmaps").internalError();     // the first try fails
        pods.start();
        StepVerifier.create(new Labels(client, pods).run())
                .expectNext("created shop/web-0", "ready")
                .then(() -> server.objects().delete(PODS, ObjectKey.of("shop", "web-0")))
                .expectNext("deleted shop/web-0")
                .thenCancel()
                .verify(Duration.ofSeconds(20));
        server.requests().verifyWrites(
                "create configmaps in shop", "create configmaps in shop", "delete configmaps web-0 in shop");
    }

    @Test
    void tellsWhatIsThereAndThenWhatHappens() {
        pods.start();
        ChangeVerifier.of(pods, server)
                .expectInitial("shop/web-0")
                .expectSynced(1)
                .thenServer(objects -> objects.create("{apiVersion: v1, kind: Pod, metadata: {name: web-1, namespace: shop}, "
                        + "spec: {containers: [{name: c, image: i}]}}"))
                .expectAdded("shop/web-1")
                .then(() -> server.access().deny("*", "pods"))
                .then(server::restart)
                .expectDisrupted(403)                                   // which status() says, not the changes
                .thenCancel()
                .verify(Duration.ofSeconds(20));
    }

    @Test
    void seesWhatARecordedProgramSaw() {
        Informer<V1Pod> web = InformerFactory.create(KubernetesClient.over(recorded.transport()))
                .of(PODS, Namespaces.of("shop"), Selector.labels("app=web"));
        web.start();
        web.awaitAbsent(ObjectKey.of("shop", "web-5d9c6f7b8-9gmml")).block(PATIENCE);
        assertThat(web.lister().list()).hasSize(1);                     // of three
    }

    @Test
    void checksTheLawsAndFindsWhoChangesTheCache() {
        try (var detector = MutationDetector.of(pods)) {
            pods.start();
            StepVerifier.create(pods.changes().transform(ChangeLaws.check()))
                    .expectNextCount(2)
                    .then(() -> server.objects().delete(PODS, ObjectKey.of("shop", "web-0")))
                    .thenConsumeWhile(change -> change.match(a -> true, u -> true, d -> d.cause() != DeletionCause.OBSERVED, s -> true))
                    .expectNextCount(1)
                    .thenCancel()
                    .verify(PATIENCE);
            assertThat(detector).isNotNull();
        }
    }

    @Test
    void getsOverAConnectionThatBreaks() {
        Fault cut = server.faults().onWatch("pods").after(0).events().cut(Cut.FIN);
        pods.start();
        cut.happened(Duration.ofSeconds(20)).block();                   // wait for it instead of sleeping
        ChangeVerifier.of(pods, server)
                .skipUntil("Synced", change -> change.match(a -> false, u -> false, d -> false, s -> true))
                .thenServer(objects -> objects.create("{apiVersion: v1, kind: Pod, metadata: {name: web-1, namespace: shop}, "
                        + "spec: {containers: [{name: c, image: i}]}}"))
                .expectAdded("shop/web-1")
                .thenCancel()
                .verify(PATIENCE);
    }

    @Test
    void getsOverWhatChanceChooses() {
        server.faults().random(7).rate(0.5).times(6).restarts().onListsAndWatches("pods");
        pods.start();
        var backup = server.backup();
        server.restartKeeping(10);
        pods.synced().block(PATIENCE);
        server.faults().clear();
        server.restore(backup);
        assertThat(server.log()).isNotEmpty();
        assertThat(backup.version()).isPositive();
    }

    @Test
    void letsAnHourPass() {
        List<Leadership> seen = new ArrayList<>();
        try (TestClock clock = TestClock.start(); FakeApiServer server = FakeApiServer.create()) {
            KubernetesClient client = KubernetesClient.over(server.transport());    // sockets are in real time
            Informer<V1Pod> pods = InformerFactory.create(client).of(PODS);
            pods.start();
            ChangeVerifier.of(pods, server)
                    .expectSynced(0)
                    .expectNothing(Duration.ofHours(1))
                    .thenCancel()
                    .verify(Duration.ofSeconds(20));
            var elector = LeaderElector.of(client, ObjectKey.of("default", "lease"),
                    ElectionOptions.defaults().withTimer(clock.scheduler()).withWorkers(clock.scheduler()));
            elector.leadership().subscribe(leadership -> seen.add(leadership));
            clock.advance(Duration.ofMinutes(1));
            assertThat(seen).last().isInstanceOf(Leadership.Leading.class);
        }
    }

    @Test
    void writesTheRowsItself() {
        ObjectKey node = ObjectKey.parse("node-1");
        ObjectKey web = ObjectKey.of("shop", "web-0");
        TestView<ObjectKey, String> nodes = TestView.of(Map.of(node, "up"));    // complete, with these rows
        TestView<ObjectKey, String> pods = TestView.create();                   // not complete yet
        View<ObjectKey, String> placed = pods.join(nodes, pod -> List.of(node), (pod, on) -> pod + " on " + on);
        ChangeVerifier.of(placed.changes())
                .then(() -> pods.put(web, "web-0").sync())
                .expectInitial("shop/web-0").expectSynced(1)
                .then(() -> nodes.put(node, "down"))
                .expectUpdated("shop/web-0", row -> row.equals("web-0 on [down]"))
                .then(() -> pods.list(Map.of()))                                // as a list of the server
                .expectDeleted("shop/web-0", DeletionCause.INFERRED)
                .thenCancel()
                .verify(Duration.ofSeconds(20));
        pods.disrupt(new TransportException("no route to the server", null));   // which status() says
        assertThat(placed.status().blockFirst(PATIENCE).cause()).hasMessage("no route to the server");
    }

    @Test
    void recordsAndAnswersInTheServersPlace() {
        server.faults().on("create", "pods").answer("{apiVersion: v1, kind: Pod, metadata: {name: pretended, namespace: shop}}");
        V1Pod created = client.resources(PODS).create(Namespaces.of("shop"), new V1Pod()).block();
        assertThat(created.getMetadata().getName()).isEqualTo("pretended");
        server.requests().verifyWrites("create pods in shop");
        pods.start();
        server.requests().await(request -> request.verb() == Verb.WATCH, Duration.ofSeconds(10)).block();
    }

    @Test
    void letsPodsRun() {
        Disposable motion = Simulation.withoutControllers(server)
                .nodes(2)
                .with(Workload.scheduler())
                .with(Workload.kubelet().image("migrate", Run.succeedAfter(Duration.ofSeconds(5))))
                .start(Duration.ofMillis(50));
        pods.start();
        ChangeVerifier.of(pods, server)
                .skipUntil("web-0 runs", change -> change.match(
                        a -> isRunning(a.object()), u -> isRunning(u.after()), d -> false, s -> false))
                .thenCancel()
                .verify(PATIENCE);
        motion.dispose();
    }

    private static boolean isRunning(V1Pod pod) {
        return pod.getStatus() != null && "Running".equals(pod.getStatus().getPhase());
    }

    @Test
    void movesASmallCluster() {
        Disposable motion = Simulation.of(server).seed(7).smallCluster().start(Duration.ofMillis(250));
        pods.start();
        pods.synced().block(PATIENCE);
        motion.dispose();
    }
}
