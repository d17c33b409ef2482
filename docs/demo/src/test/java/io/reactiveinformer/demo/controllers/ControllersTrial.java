package io.reactiveinformer.demo.controllers;

import io.reactiveinformer.client.DeleteOptions;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.test.faults.Cut;
import io.reactiveinformer.test.faults.FaultSetup;
import io.reactiveinformer.test.simulation.Run;
import io.reactiveinformer.test.simulation.Simulation;
import io.reactiveinformer.test.simulation.Workload;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import tools.jackson.databind.node.ObjectNode;

import static io.reactiveinformer.demo.controllers.DeploymentController.DEPLOYMENTS;
import static io.reactiveinformer.demo.controllers.JobController.JOBS;
import static io.reactiveinformer.demo.controllers.PodControl.PODS;
import static io.reactiveinformer.demo.controllers.ReplicaSetController.REPLICA_SETS;

/**
 * What happens to the three controllers with one seed: people change their minds, pods die, requests fail, answers get lost, the server
 * ends.
 */
final class ControllersTrial implements AutoCloseable {

    /** Nobody edits it: its pods only die. */
    static final String UNTOUCHED = "still";
    /** Only its image changes, and its pods live: nothing explains one too many, or one too few. */
    static final String ROLLED = "rolled";

    private static final Duration LONGEST_QUIET = Duration.ofMinutes(30);
    private static final Duration A_WHILE = Duration.ofMinutes(1);
    private static final int STEPS = 40;
    private static final List<String> KINDS = List.of("pods", "replicasets.apps", "deployments.apps", "jobs.batch");
    /** What the controllers ask for; those that make pods, and count them, more often. */
    private static final List<String> WRITES = List.of(
            "create pods", "create pods", "create pods", "delete pods", "patch pods", "patch pods",
            "create replicasets.apps", "patch replicasets.apps",
            "delete replicasets.apps", "update replicasets.apps/status", "patch deployments.apps",
            "update deployments.apps/status", "update jobs.batch/status");
    private static final List<String> EDITED = List.of("web", "api");

    private final Random random;
    private final Fixture fixture = new Fixture();
    private final Excesses excesses = new Excesses(fixture);
    private final long seed;
    private int jobs;

    ControllersTrial(long seed) {
        this.seed = seed;
        this.random = new Random(seed);
    }

    void run() {
        Simulation.withoutControllers(fixture.server)
                .seed(seed)
                .nodes(3)
                .with(Workload.scheduler())
                .with(Workload.kubelet()
                        .startup(Duration.ofSeconds(1))
                        .image("task", Run.succeedAfter(Duration.ofSeconds(5)))
                        .image("flop", Run.failAfter(Duration.ofSeconds(3))))
                .start(Duration.ofSeconds(1));
        List.of("web", "api", UNTOUCHED, ROLLED).forEach(this::create);
        fixture.start(DeploymentController::of, ReplicaSetController::of, JobController::of);
        takeTheName();
        fixture.pass(A_WHILE);
        excesses.begin();
        KINDS.forEach(kind -> fixture.server.faults().random(random.nextLong()).rate(random.nextDouble() / 2)
                .inOrder().onListsAndWatches(kind));
        startJob();
        startJob();
        for (int step = 0; step < STEPS; step++) {
            trouble();
            change();
            fixture.pass(Duration.ofMillis(random.nextInt(1 << random.nextInt(15))));
        }
        fixture.server.faults().clear();
        excesses.begin();
        EDITED.forEach(this::create);
        EDITED.forEach(name -> edit(name, spec -> spec.remove("paused")));
        settle();
        excesses.check();
    }

    /** As long as it may take; then it stays as it is. */
    private void settle() {
        var state = new FinalState(fixture, excesses);
        for (Duration quiet = Duration.ZERO; quiet.compareTo(LONGEST_QUIET) < 0 && !state.isReached(); quiet = quiet.plus(A_WHILE)) {
            fixture.pass(A_WHILE);
        }
        fixture.pass(A_WHILE);
        state.check();
    }

    private void create(String name) {
        if (fixture.names(DEPLOYMENTS).contains(name)) {
            return;
        }
        String strategy = name.equals("api") ? "{type: Recreate}" : "{rollingUpdate: {maxSurge: %d, maxUnavailable: 1}}"
                .formatted(name.equals("web") ? 2 : 1);
        fixture.given("""
                apiVersion: apps/v1
                kind: Deployment
                metadata: {name: %1$s}
                spec:
                  replicas: 3
                  revisionHistoryLimit: 2
                  strategy: %2$s
                  selector: {matchLabels: {app: %1$s}}
                  template:
                    metadata: {labels: {app: %1$s}}
                    spec: {containers: [{name: c, image: "x:%3$d"}]}
                """.formatted(name, strategy, random.nextInt(4)));
    }

    /** A ReplicaSet becomes somebody else's, and keeps the name that its template's hash gave it. */
    private void takeTheName() {
        String set = fixture.names(REPLICA_SETS).stream().filter(name -> name.startsWith("web-")).findFirst().orElseThrow();
        fixture.edit(REPLICA_SETS, set, foreign -> {
            foreign.withObject("/metadata").remove(List.of("ownerReferences", "labels"));
            foreign.withObject("/spec").put("replicas", 0);
        });
    }

    /** Of requests that write, some are refused, and of some the answer is lost: what was asked for is done, and nobody knows. */
    private void trouble() {
        String[] write = WRITES.get(random.nextInt(WRITES.size())).split(" ", 2);
        FaultSetup setup = fixture.server.faults().on(write[0], write[1]).skip(random.nextInt(2)).times(1 + random.nextInt(3));
        switch (random.nextInt(9)) {
            case 0, 1, 2, 3 -> setup.after(0).bytes().cut(Cut.RST);
            case 4 -> setup.internalError();
            case 5 -> setup.refuse();
            case 6 -> setup.status(409, "Conflict", "the object has been modified");
            case 7 -> fixture.server.compact();
            default -> {
                if (random.nextInt(3) == 0) {
                    fixture.server.restart();
                }
            }
        }
    }

    private void change() {
        String name = EDITED.get(random.nextInt(EDITED.size()));
        switch (random.nextInt(13)) {
            case 10 -> startJob();
            case 11 -> deletePod(UNTOUCHED);
            case 12 -> deleteUnseen(name);
            case 0 -> edit(name, spec -> spec.put("replicas", random.nextInt(6)));
            case 1 -> edit(name, this::otherImage);
            case 2 -> edit(ROLLED, this::otherImage);
            case 3, 4 -> deletePod("");
            case 5 -> startJob();
            case 6 -> deleteOrStartJobAgain();
            case 7 -> {
                if (random.nextBoolean() && fixture.names(DEPLOYMENTS).contains(name)) {
                    delete(name);
                }
            }
            case 8 -> edit(name, spec -> spec.put("paused", random.nextBoolean()));
            default -> create(name);
        }
    }

    /** Among few, so that it is often one that there was before: an undo. */
    private void otherImage(ObjectNode spec) {
        ((ObjectNode) spec.at("/template/spec/containers/0")).put("image", "x:" + random.nextInt(4));
    }

    /** With what it owns, or without; often made again at once. */
    private void delete(String name) {
        if (random.nextInt(3) == 0) {
            fixture.cluster.resources(DEPLOYMENTS)
                    .delete(ObjectKey.of("default", name), DeleteOptions.defaults().withPropagation(DeleteOptions.Propagation.ORPHAN))
                    .subscribe(gone -> {}, notNow -> {});
        } else {
            fixture.server.objects().delete(DEPLOYMENTS, ObjectKey.of("default", name));
        }
        if (random.nextBoolean()) {
            create(name);
        }
    }

    /** An owner of pods is deleted, and the caches do not receive that for a while; but they do receive that its pods die. */
    private void deleteUnseen(String name) {
        fixture.server.restart();
        for (String owners : KINDS.subList(1, KINDS.size())) {
            fixture.server.faults().onWatch(owners).times(3).refuse();
            fixture.server.faults().onList(owners).times(3).refuse();
        }
        if (fixture.names(DEPLOYMENTS).contains(name)) {
            fixture.server.objects().delete(DEPLOYMENTS, ObjectKey.of("default", name));
        }
        deletePod(name);
        deletePod("job-");
        fixture.names(JOBS).stream().findFirst().ifPresent(job -> fixture.server.objects().delete(JOBS, ObjectKey.of("default", job)));
    }

    private void deletePod(String prefix) {
        List<String> pods = fixture.names(PODS).stream().filter(pod -> pod.startsWith(prefix) && !pod.startsWith(ROLLED)).toList();
        if (!pods.isEmpty()) {
            fixture.server.objects().delete(PODS, ObjectKey.of("default", pods.get(random.nextInt(pods.size()))));
        }
    }

    private void startJob() {
        startJob("job-" + jobs++);
    }

    private void startJob(String name) {
        boolean fails = random.nextInt(3) == 0;
        fixture.given("""
                apiVersion: batch/v1
                kind: Job
                metadata: {name: %s}
                spec:
                  completions: %d
                  parallelism: 2
                  backoffLimit: %d
                  template: {spec: {restartPolicy: Never, containers: [{name: c, image: %s}]}}
                  %s
                """.formatted(name, FinalState.COMPLETIONS, fails ? 1 : 1000, fails ? "flop" : "task",
                        random.nextInt(4) == 0 ? "ttlSecondsAfterFinished: 5" : ""));
    }

    private void deleteOrStartJobAgain() {
        List<String> names = fixture.names(JOBS);
        if (!names.isEmpty()) {
            String name = names.get(random.nextInt(names.size()));
            fixture.server.objects().delete(JOBS, ObjectKey.of("default", name));
            if (random.nextBoolean() && !fixture.names(JOBS).contains(name)) {
                startJob(name);
            }
        }
    }

    private void edit(String name, Consumer<ObjectNode> change) {
        if (fixture.names(DEPLOYMENTS).contains(name)) {
            fixture.edit(DEPLOYMENTS, name, deployment -> change.accept(deployment.withObject("/spec")));
        }
    }

    @Override
    public void close() {
        fixture.close();
    }
}
