package io.reactiveinformer.test;

import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.test.simulation.Simulation;
import io.reactiveinformer.test.simulation.Workload;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.Disposable;
import reactor.test.scheduler.VirtualTimeScheduler;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

class SimulationTest {

    private static final String REVISION = "deployment.kubernetes.io/revision";
    private static final ResourceType<JsonNode> PODS = ResourceType.dynamic("", "v1", "pods");
    private static final ResourceType<JsonNode> DEPLOYMENTS = ResourceType.dynamic("apps", "v1", "deployments");

    private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
    private final FakeApiServer server = FakeApiServer.builder().scheduler(time).build();

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void bringsDeploymentsToLifeAndRollsThem() {
        Simulation simulation = Simulation.of(server).smallCluster().move(60);
        assertThat(server.objects().list(PODS)).hasSizeGreaterThanOrEqualTo(6);
        Simulation.of(server).with(Workload.rollouts()).move(1);
        simulation.move(200);
        List<JsonNode> ready = server.objects().list(PODS).stream()
                .filter(pod -> pod.at("/status/containerStatuses/0/ready").asBoolean(false))
                .map(pod -> (JsonNode) pod)
                .toList();
        assertThat(ready).isNotEmpty().allSatisfy(pod -> assertThat(pod.path("spec").path("nodeName").asString("")).startsWith("node-"));
    }

    @Test
    void makesTheSameMovesWithTheSameSeed() {
        assertThat(history(7)).isEqualTo(history(7));
        assertThat(history(7)).isNotEqualTo(history(8));
    }

    @Test
    void movesInTheServersTime() {
        Disposable motion = Simulation.of(server).smallCluster().start(Duration.ofSeconds(1));
        String version = server.resourceVersion();
        time.advanceTimeBy(Duration.ofMillis(999));
        assertThat(server.resourceVersion()).isEqualTo(version);
        time.advanceTimeBy(Duration.ofMinutes(5));
        assertThat(Long.parseLong(server.resourceVersion())).isGreaterThan(Long.parseLong(version) + 100);
        motion.dispose();
    }

    @Test
    @Timeout(300)
    void letsKubectlWaitForARollout(@TempDir Path home) {
        try (FakeApiServer live = FakeApiServer.create().start()) {
            var kubectl = new Kubectl(live, home);
            Disposable motion = Simulation.of(live).deployment("default", "web", 3).start(Duration.ofMillis(10));
            live.objects()
                    .create("{apiVersion: v1, kind: Node, metadata: {name: n1}, status: {conditions: [{type: Ready, status: 'True'}]}}");
            assertThat(kubectl.run("rollout", "status", "deploy/web", "--timeout=120s")).contains("successfully rolled out");
            kubectl.run("set", "image", "deploy/web", "web=web:2");
            assertThat(kubectl.run("rollout", "status", "deploy/web", "--timeout=120s")).contains("successfully rolled out");
            assertThat(kubectl.run("wait", "pod", "-l", "app=web", "--for=condition=Ready", "--timeout=120s")).contains("condition met");
            motion.dispose();
        }
    }

    @Test
    @Timeout(300)
    void letsKubectlRollBackToTheReplicaSetOfBefore(@TempDir Path home) {
        try (FakeApiServer live = FakeApiServer.create().start()) {
            var kubectl = new Kubectl(live, home);
            Simulation motion = Simulation.of(live).nodes(1).deployment("default", "web", 1).move(20);
            kubectl.run("set", "image", "deploy/web", "web=web:2");
            motion.move(20);
            assertThat(kubectl.run("rollout", "history", "deploy/web")).containsPattern("(?m)^1 ").containsPattern("(?m)^2 ");
            List<String> sets = names(live);
            kubectl.run("rollout", "undo", "deploy/web");
            motion.move(20);
            assertThat(names(live)).hasSize(2).isEqualTo(sets);
            assertThat(kubectl.run("rollout", "history", "deploy/web")).containsPattern("(?m)^2 ")
                    .containsPattern("(?m)^3 ").doesNotContainPattern("(?m)^1 ");
            assertThat(kubectl.run("get", "pods", "-o", "jsonpath={.items[*].spec.containers[0].image}"))
                    .isEqualTo("registry.example/web:1.0");
        }
    }

    private static List<String> names(FakeApiServer server) {
        return server.objects().list(ResourceType.dynamic("apps", "v1", "replicasets")).stream()
                .map(set -> set.path("metadata").path("name").asString()).toList();
    }

    @Test
    void countsTheRevisionsOfADeployment() {
        Simulation motion = Simulation.of(server).nodes(1).deployment("default", "web", 1).move(20);
        assertThat(server.objects().list(DEPLOYMENTS).get(0).path("metadata").path("annotations").path(REVISION).asString()).isEqualTo("1");
        motion.with(Workload.rollouts()).move(1);
        assertThat(server.objects().list(ResourceType.dynamic("apps", "v1", "replicasets")))
                .extracting(set -> set.path("metadata").path("annotations").path(REVISION).asString())
                .containsExactlyInAnyOrder("1", "2");
    }

    /** A caller that waits for a rollout would take its change for done. */
    @Test
    void hasNotSeenWhatChangesWhileItLooks() {
        Simulation motion = Simulation.of(server).nodes(1).deployment("default", "web", 1).move(20);
        scale(2);
        var replaced = new AtomicBoolean();
        Disposable watch = new Requests(server.transport())
                .events("/apis/apps/v1/replicasets?watch=true&resourceVersion=" + server.resourceVersion())
                .filter(event -> replaced.compareAndSet(false, true))
                .subscribe(event -> scale(3));
        while (!replaced.get()) {
            motion.move(1);
        }
        watch.dispose();
        JsonNode deployment = server.objects().list(DEPLOYMENTS).get(0);
        assertThat(deployment.at("/metadata/generation").asInt()).isEqualTo(3);
        assertThat(deployment.at("/status/observedGeneration").asInt()).isEqualTo(2);
    }

    /** It waits for its pods to go. */
    @Test
    void aReplicaSetThatIsLeavingMakesNoMorePods() {
        ResourceType<JsonNode> sets = ResourceType.dynamic("apps", "v1", "replicasets");
        Simulation motion = Simulation.of(server).nodes(1).deployment("default", "web", 2).move(20);
        ObjectKey set = ObjectKey.of("default", names(server).get(0));
        server.objects().edit(sets, set, changed -> {
            changed.withObject("/metadata").putArray("finalizers").add("example.com/wait");
            return changed;
        });
        server.objects().delete(sets, set);
        assertThat(server.objects().list(PODS)).hasSize(2);
        server.objects().list(PODS)
                .forEach(pod -> server.objects().deleteNow(PODS, ObjectKey.of("default", pod.at("/metadata/name").asString())));
        motion.move(10);
        assertThat(server.objects().list(PODS)).isEmpty();
        assertThat(names(server)).contains(set.name());
    }

    @Test
    void startsAFailedPodAgainThoughNoTimePasses() {
        Simulation motion = Simulation.of(server).nodes(1).deployment("default", "web", 1).move(40);
        Workload.failures().move(server.objects(), new Random(1));
        assertThat(container()).isEqualTo("waiting 1");
        motion.move(40);
        assertThat(container()).isEqualTo("running 1");
    }

    private String container() {
        JsonNode container = server.objects().list(PODS).get(0).at("/status/containerStatuses/0");
        return container.path("state").propertyNames().iterator().next() + " " + container.path("restartCount").asInt();
    }

    private void scale(int replicas) {
        server.objects().edit(DEPLOYMENTS, ObjectKey.of("default", "web"), deployment -> {
            deployment.withObject("/spec").put("replicas", replicas);
            return deployment;
        });
    }

    private static String history(long seed) {
        try (FakeApiServer server = FakeApiServer.builder().scheduler(VirtualTimeScheduler.create()).build()) {
            Simulation.of(server).seed(seed).smallCluster().move(200);
            return server.objects().list(PODS).toString();
        }
    }
}
