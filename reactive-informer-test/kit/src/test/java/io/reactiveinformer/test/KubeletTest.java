package io.reactiveinformer.test;

import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.test.simulation.Kubelet;
import io.reactiveinformer.test.simulation.Run;
import io.reactiveinformer.test.simulation.Simulation;
import io.reactiveinformer.test.simulation.Workload;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.test.scheduler.VirtualTimeScheduler;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** A scheduler and kubelets, in virtual time, with steps of 100 ms. */
class KubeletTest {

    private static final ResourceType<JsonNode> PODS = ResourceType.dynamic("", "v1", "pods");
    private static final ResourceType<JsonNode> NODES = ResourceType.dynamic("", "v1", "nodes");

    private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
    private final FakeApiServer server = FakeApiServer.builder().scheduler(time).podShutdown(null).build();

    @AfterEach
    void close() {
        server.close();
    }

    private void start(int nodes, Kubelet kubelet) {
        Simulation.withoutControllers(server).nodes(nodes).with(Workload.scheduler()).with(kubelet).start(Duration.ofMillis(100));
    }

    private void pod(String name, String more) {
        server.objects().create("{apiVersion: v1, kind: Pod, metadata: {name: " + name + "}, spec: {containers: [{name: c, image: 'app:1'}]"
                + more + "}}");
    }

    private ObjectNode pod(String name) {
        return server.objects().get(PODS, ObjectKey.of("default", name)).orElseThrow();
    }

    private String state(String name) {
        JsonNode status = pod(name).path("status");
        JsonNode container = status.path("containerStatuses").path(0);
        String state = container.path("state").propertyNames().stream().findFirst().orElse("none");
        return status.path("phase").asString() + " " + state + " " + container.path("restartCount").asInt(0);
    }

    private String reason(String name) {
        return pod(name).at("/status/containerStatuses/0/state/waiting/reason").asString("");
    }

    @Test
    void spreadsPodsOverNodesThatAreReadyAndFit() {
        start(2, Workload.kubelet());
        server.objects().edit(NODES, ObjectKey.of(null, "node-2"), node -> {
            node.withObject("/metadata/labels").put("disk", "fast");
            return node;
        });
        for (String name : List.of("a", "b", "c", "d")) {
            pod(name, "");
        }
        pod("picky", ", nodeSelector: {disk: fast}");
        pod("hopeless", ", nodeSelector: {disk: none}");
        pod("foreign", ", schedulerName: mine");
        time.advanceTimeBy(Duration.ofSeconds(1));
        List<String> nodes = List.of("a", "b", "c", "d").stream().map(name -> pod(name).at("/spec/nodeName").asString()).toList();
        assertThat(nodes).containsExactly("node-1", "node-2", "node-1", "node-2");
        assertThat(pod("picky").at("/spec/nodeName").asString()).isEqualTo("node-2");
        JsonNode condition = pod("hopeless").at("/status/conditions/0");
        assertThat(condition.path("reason").asString()).isEqualTo("Unschedulable");
        assertThat(condition.path("message").asString()).isEqualTo("0/2 nodes are available.");
        assertThat(pod("foreign").path("spec").has("nodeName")).isFalse();
        String version = server.resourceVersion();
        time.advanceTimeBy(Duration.ofMinutes(1));
        assertThat(server.resourceVersion()).as("nothing is written twice").isEqualTo(version);
    }

    @Test
    void runsPodsToTheEndThatTheirImageOrAnnotationSays() {
        start(1, Workload.kubelet().startup(Duration.ofSeconds(2)).image("job", Run.succeedAfter(Duration.ofSeconds(5))));
        pod("service", "");
        server.objects().create("""
                apiVersion: v1
                kind: Pod
                metadata: {name: job}
                spec: {restartPolicy: Never, containers: [{name: c, image: "job:1"}]}
                ---
                apiVersion: v1
                kind: Pod
                metadata: {name: bad, annotations: {simulation.reactiveinformer.io/run: fail after 500ms}}
                spec: {restartPolicy: Never, containers: [{name: c, image: "job:1"}]}
                ---
                apiVersion: v1
                kind: Pod
                metadata: {name: lost, annotations: {simulation.reactiveinformer.io/run: never}}
                spec: {containers: [{name: c, image: "job:1"}]}
                """);
        time.advanceTimeBy(Duration.ofMillis(1900));
        assertThat(state("service")).isEqualTo("Pending none 0");
        time.advanceTimeBy(Duration.ofMillis(400));
        assertThat(state("service")).isEqualTo("Running running 0");
        assertThat(state("job")).isEqualTo("Running running 0");
        assertThat(reason("lost")).isEqualTo("ImagePullBackOff");
        time.advanceTimeBy(Duration.ofSeconds(1));
        assertThat(state("bad")).isEqualTo("Failed terminated 0");
        assertThat(pod("bad").at("/status/containerStatuses/0/state/terminated/exitCode").asInt()).isEqualTo(1);
        time.advanceTimeBy(Duration.ofSeconds(5));
        assertThat(state("job")).isEqualTo("Succeeded terminated 0");
        assertThat(state("service")).isEqualTo("Running running 0");
        assertThat(pod("service").at("/status/podIP").asString()).isNotEqualTo(pod("job").at("/status/podIP").asString());
    }

    @Test
    void startsWhatEndsAgainLaterEachTime() {
        start(1, Workload.kubelet().image("app", Run.failAfter(Duration.ofSeconds(1))));
        pod("crasher", "");
        time.advanceTimeBy(Duration.ofMillis(1500));
        assertThat(state("crasher")).isEqualTo("Running waiting 1");
        assertThat(reason("crasher")).isEqualTo("CrashLoopBackOff");
        time.advanceTimeBy(Duration.ofMillis(10_200));
        assertThat(state("crasher")).isEqualTo("Running running 1");
        time.advanceTimeBy(Duration.ofSeconds(12));
        assertThat(state("crasher")).isEqualTo("Running waiting 2");
        time.advanceTimeBy(Duration.ofMillis(9_500));
        assertThat(state("crasher")).isEqualTo("Running running 2");
    }

    @Test
    void letsDeletedPodsGoWithinTheirGracePeriod() {
        start(1, Workload.kubelet().shutdown(Duration.ofSeconds(10)));
        pod("slow", "");
        pod("hasty", ", terminationGracePeriodSeconds: 2");
        time.advanceTimeBy(Duration.ofSeconds(1));
        server.objects().delete(PODS, ObjectKey.of("default", "slow"));
        server.objects().delete(PODS, ObjectKey.of("default", "hasty"));
        time.advanceTimeBy(Duration.ofMillis(1900));
        assertThat(server.objects().list(PODS)).hasSize(2)
                .allSatisfy(pod -> assertThat(pod.path("metadata").has("deletionTimestamp")).isTrue());
        time.advanceTimeBy(Duration.ofMillis(300));
        assertThat(server.objects().list(PODS)).singleElement()
                .satisfies(pod -> assertThat(pod.at("/metadata/name").asString()).isEqualTo("slow"));
        time.advanceTimeBy(Duration.ofSeconds(8));
        assertThat(server.objects().list(PODS)).isEmpty();
    }

    @Test
    void leavesPodsOfALostNodeAlone() {
        start(1, Workload.kubelet().startup(Duration.ofSeconds(1)));
        pod("a", "");
        time.advanceTimeBy(Duration.ofMillis(200));
        server.objects().edit(NODES, ObjectKey.of(null, "node-1"), node -> {
            ((ObjectNode) node.at("/status/conditions/0")).put("status", "Unknown");
            return node;
        });
        time.advanceTimeBy(Duration.ofMinutes(1));
        assertThat(state("a")).isEqualTo("Pending none 0");
    }

    @Test
    void saysWhichWordsAnAnnotationMayHave() {
        assertThat(Run.parse("Succeed after 3m")).isEqualTo(Run.succeedAfter(Duration.ofMinutes(3)));
        start(1, Workload.kubelet());
        server.objects()
                .create("{apiVersion: v1, kind: Pod, metadata: {name: a, annotations: {simulation.reactiveinformer.io/run: explode}}, "
                + "spec: {containers: [{name: c, image: i}]}}");
        pod("b", "");
        time.advanceTimeBy(Duration.ofSeconds(1));
        assertThat(reason("a")).isEqualTo("CreateContainerConfigError");
        assertThat(state("b")).isEqualTo("Running running 0");
        assertThatThrownBy(() -> Run.parse("explode")).hasMessageContaining("must be \"run\"").hasMessageContaining("was \"explode\"");
    }
}
