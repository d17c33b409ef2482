package io.reactiveinformer.demo.dashboard;

import io.kubernetes.client.openapi.models.EventsV1Event;
import io.kubernetes.client.openapi.models.V1Job;
import io.reactiveinformer.apiserver.ClusterObjects;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.test.FakeApiServer;
import io.reactiveinformer.test.simulation.Run;
import io.reactiveinformer.test.simulation.Simulation;
import io.reactiveinformer.test.simulation.Workload;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.databind.node.ObjectNode;

/** A small cluster in motion: deployments that roll and scale, jobs that are created and deleted. Controllers are not included. */
public final class EmbeddedCluster {

    private static final Duration PACE = Duration.ofMillis(200);
    private static final ResourceType<V1Job> JOBS = ResourceType.of(V1Job.class);
    private static final ResourceType<EventsV1Event> EVENTS = ResourceType.of(EventsV1Event.class);
    private static final int JOBS_KEPT = 5;
    private static final int EVENTS_KEPT = 60;

    private EmbeddedCluster() {}

    /** Moves the cluster of {@code server} until the server is closed. */
    public static void live(FakeApiServer server) {
        Simulation.withoutControllers(server)
                .smallCluster()
                .with(Workload.scheduler())
                .with(Workload.kubelet()
                        .startup(Duration.ofMillis(800))
                        .image("task", Run.succeedAfter(Duration.ofSeconds(4)))
                        .image("broken", Run.failAfter(Duration.ofSeconds(2))))
                .with(jobs().oneIn(40))
                .with(((Workload) (objects, random) -> forget(objects, EVENTS, EVENTS_KEPT)).oneIn(10))
                .start(PACE);
    }

    /** Creates jobs of different names. One in four fails. */
    static Workload jobs() {
        var count = new AtomicInteger();
        return (objects, random) -> {
            forget(objects, JOBS, JOBS_KEPT - 1);
            objects.create("""
                    apiVersion: batch/v1
                    kind: Job
                    metadata: {name: "report-%04d", namespace: shop, labels: {app: report}}
                    spec:
                      backoffLimit: 1
                      template:
                        metadata: {labels: {app: report}}
                        spec: {restartPolicy: Never, containers: [{name: report, image: "registry.example/%s:1.0"}]}
                    """.formatted(count.incrementAndGet(), random.nextInt(4) == 0 ? "broken" : "task"));
        };
    }

    /** Deletes the oldest objects, as a real server deletes events after an hour. */
    private static void forget(ClusterObjects objects, ResourceType<?> type, int kept) {
        List<ObjectNode> oldestFirst = objects.list(type).stream()
                .sorted(Comparator.comparing(object -> object.at("/metadata/creationTimestamp").asString("")))
                .toList();
        oldestFirst.stream().limit(Math.max(0, oldestFirst.size() - kept)).forEach(object -> objects.delete(type, Workload.key(object)));
    }
}
