package io.reactiveinformer.demo.controllers;

import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.test.faults.Cut;
import io.reactiveinformer.test.faults.FaultSetup;
import io.reactiveinformer.test.simulation.Run;
import io.reactiveinformer.test.simulation.Simulation;
import io.reactiveinformer.test.simulation.Workload;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import static io.reactiveinformer.demo.controllers.DeploymentController.DEPLOYMENTS;
import static io.reactiveinformer.demo.controllers.JobController.JOBS;
import static io.reactiveinformer.demo.controllers.PodControl.PODS;
import static io.reactiveinformer.demo.controllers.ReplicaSetController.REPLICA_SETS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

/**
 * The three controllers together, with a scheduler and kubelets, while everything goes wrong that can: then quiet, and there are exactly the pods that are
 * wanted. {@code -Dcontrollers.seeds=N} plays more, {@code -Dcontrollers.seed=N} from another one. In virtual time, without sockets.
 */
class ControllersConvergenceTest {

    private static final int SEEDS = Integer.getInteger("controllers.seeds", 4);
    private static final Duration QUIET = Duration.ofMinutes(30);
    /** Nobody edits it: its pods only die. */
    private static final String UNTOUCHED = "still";
    private static final List<String> KINDS = List.of("pods", "replicasets.apps", "deployments.apps", "jobs.batch");

    @Test
    @Timeout(value = 30, unit = TimeUnit.MINUTES) // as many seeds as one asks for
    void onceAllIsQuietThereAreExactlyThePodsThatAreWanted() {
        long first = Long.getLong("controllers.seed", 1);
        for (long seed = first; seed < first + SEEDS; seed++) {
            try (var play = new Play(seed)) {
                play.run();
            } catch (Throwable failure) {
                fail("-Dcontrollers.seed=" + seed + " -Dcontrollers.seeds=1", failure);
            }
        }
    }

    private static final class Play implements AutoCloseable {

        private final Random random;
        private final Fixture fixture = new Fixture();
        private final long seed;
        private int jobs;

        Play(long seed) {
            this.seed = seed;
            this.random = new Random(seed);
        }

        void run() {
            Simulation.withoutControllers(fixture.server)
                    .seed(seed)
                    .nodes(3)
                    .with(Workload.scheduler())
                    .with(Workload.kubelet().startup(Duration.ofSeconds(1)).image("task", Run.succeedAfter(Duration.ofSeconds(5))))
                    .start(Duration.ofSeconds(1));
            deployment("web", "{rollingUpdate: {maxSurge: 2, maxUnavailable: 1}}");
            deployment("api", "{type: Recreate}");
            deployment(UNTOUCHED, "{type: RollingUpdate}");
            fixture.start(DeploymentController::of, ReplicaSetController::of, JobController::of);
            KINDS.forEach(kind -> fixture.server.faults().random(random.nextLong()).rate(random.nextDouble() / 2).onListsAndWatches(kind));
            for (int step = 0; step < 30; step++) {
                trouble();
                change();
                fixture.pass(Duration.ofMillis(random.nextInt(1 << random.nextInt(14))));
            }
            fixture.server.faults().clear();
            fixture.pass(QUIET);
            check();
        }

        private void deployment(String name, String strategy) {
            fixture.given("""
                    apiVersion: apps/v1
                    kind: Deployment
                    metadata: {name: %1$s}
                    spec:
                      replicas: 3
                      strategy: %2$s
                      selector: {matchLabels: {app: %1$s}}
                      template:
                        metadata: {labels: {app: %1$s}}
                        spec: {containers: [{name: c, image: "x:1"}]}
                    """.formatted(name, strategy));
        }

        /** Of requests that write, some are refused, and of some the answer is lost. */
        private void trouble() {
            String kind = KINDS.get(random.nextInt(KINDS.size()));
            String verb = List.of("create", "patch", "update", "delete").get(random.nextInt(4));
            FaultSetup setup = fixture.server.faults().on(verb, verb.equals("update") ? kind + "/status" : kind).skip(random.nextInt(3)).times(1 + random.nextInt(3));
            switch (random.nextInt(5)) {
                case 0, 1 -> setup.after(0).bytes().cut(Cut.RST);
                case 2 -> setup.internalError();
                case 3 -> setup.refuse();
                default -> {
                    if (random.nextInt(3) == 0) {
                        fixture.server.restart();
                    }
                }
            }
        }

        private void change() {
            String name = random.nextBoolean() ? "web" : "api";
            switch (random.nextInt(6)) {
                case 0 -> edit(name, spec -> spec.put("replicas", random.nextInt(6)));
                case 1 -> edit(name, spec -> ((ObjectNode) spec.at("/template/spec/containers/0")).put("image", "x:" + random.nextInt(4)));
                case 2, 3 -> {
                    List<String> pods = fixture.names(PODS);
                    if (!pods.isEmpty()) {
                        fixture.server.objects().delete(PODS, ObjectKey.of("default", pods.get(random.nextInt(pods.size()))));
                    }
                }
                case 4 -> fixture.given("""
                        apiVersion: batch/v1
                        kind: Job
                        metadata: {name: sum-%d}
                        spec:
                          completions: 3
                          parallelism: 2
                          backoffLimit: 1000
                          template: {spec: {restartPolicy: Never, containers: [{name: c, image: task}]}}
                        """.formatted(jobs++));
                default -> {
                    List<String> names = fixture.names(JOBS);
                    if (!names.isEmpty() && random.nextBoolean()) {
                        fixture.server.objects().delete(JOBS, ObjectKey.of("default", names.get(0)));
                    }
                }
            }
        }

        private void edit(String name, Consumer<ObjectNode> change) {
            fixture.edit(DEPLOYMENTS, name, deployment -> change.accept(deployment.withObject("/spec")));
        }

        private void check() {
            for (JsonNode deployment : fixture.all(DEPLOYMENTS)) {
                String image = deployment.at("/spec/template/spec/containers/0/image").asString();
                List<String> images = pods(pod -> pod.at("/metadata/labels/app").equals(deployment.at("/metadata/name"))).stream()
                        .map(pod -> pod.at("/spec/containers/0/image").asString())
                        .toList();
                assertThat(images).as("pods of %s", deployment.at("/metadata/name")).hasSize(deployment.at("/spec/replicas").asInt()).allMatch(image::equals);
                assertThat(deployment.at("/status/availableReplicas").asInt(0)).isEqualTo(deployment.at("/spec/replicas").asInt());
            }
            for (JsonNode job : fixture.all(JOBS)) {
                assertThat(job.at("/status/succeeded").asInt()).as("%s", job).isEqualTo(3);
                assertThat(job.at("/status/conditions/1/type").asString()).as("%s", job).isEqualTo("Complete");
                assertThat(job.path("status").has("active")).as("%s", job).isFalse();
            }
            assertThat(fixture.server.requests().writes()).as("nobody needed to delete a pod of one that always wanted as many")
                    .noneMatch(write -> write.verb().equals("delete") && write.resource().equals("pods") && String.valueOf(write.name()).startsWith(UNTOUCHED));
            assertThat(pods(pod -> !owners(REPLICA_SETS, JOBS).contains(pod.at("/metadata/ownerReferences/0/uid").asString()))).as("orphans").isEmpty();
            assertThat(pods(pod -> pod.path("metadata").has("finalizers") || pod.path("metadata").has("deletionTimestamp"))).as("held").isEmpty();
        }

        private List<ObjectNode> pods(Predicate<ObjectNode> which) {
            return fixture.all(PODS).stream().filter(which).toList();
        }

        private List<String> owners(ResourceType<?>... types) {
            return Stream.of(types).flatMap(type -> fixture.all(type).stream()).map(owner -> owner.at("/metadata/uid").asString()).toList();
        }

        @Override
        public void close() {
            fixture.close();
        }
    }
}
