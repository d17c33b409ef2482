package io.reactiveinformer.test.simulation;

import io.reactiveinformer.apiserver.ClusterObjects;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.UnaryOperator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The kubelets of all ready nodes. It starts the pods that are bound to them, ends and restarts them as a {@link Run} and their
 * restartPolicy say, and removes deleted ones. All containers of a pod behave as one. Times are the server's, rounded up to the
 * simulation's next move.
 *
 * <pre>{@code
 * Simulation.withoutControllers(server)                        // beside controllers of your own
 *         .with(Workload.scheduler())
 *         .with(Workload.kubelet().image("migrate", Run.succeedAfter(Duration.ofSeconds(5))))
 *         .start(Duration.ofMillis(50));
 * }</pre>
 *
 * <p>A server removes deleted pods by itself, unless {@code FakeApiServer.builder().podShutdown(null)} leaves that to this. Use an instance
 * for one server only, and configure it before the simulation moves.
 */
public final class Kubelet implements Workload {

    private static final Duration FIRST_BACKOFF = Duration.ofSeconds(10);
    private static final Duration LONGEST_BACKOFF = Duration.ofMinutes(5);

    private final Map<String, Run> images = new LinkedHashMap<>();
    private final Map<String, Stage> stages = new HashMap<>(); // by uid; guarded by this: a simulation moves on its timer and for callers
    private Duration firstBackoff = FIRST_BACKOFF;
    private Duration startup = Duration.ZERO;
    private Duration shutdown = Duration.ZERO;
    private int started;

    /** The stage of a pod, and when it began. */
    private record Stage(String name, Instant since) {}

    Kubelet() {}

    /**
     * How containers run whose image name contains {@code part}. The first match wins; a pod's annotation wins over all. The default is
     * {@link Run#forever}.
     */
    public Kubelet image(String part, Run run) {
        images.put(part, run);
        return this;
    }

    /** The time that a pod takes to start once it is bound. Zero by default. */
    public Kubelet startup(Duration time) {
        this.startup = time;
        return this;
    }

    /** The time that a deleted pod takes to stop, at most its grace period. Zero by default. */
    public Kubelet shutdown(Duration time) {
        this.shutdown = time;
        return this;
    }

    /** Restarts containers in its next move: a simulation may move without time that passes. */
    Kubelet withoutBackoff() {
        this.firstBackoff = Duration.ZERO;
        return this;
    }

    @Override
    public synchronized void move(ClusterObjects cluster, Random random) {
        List<String> nodes = Nodes.ready(cluster);
        Set<String> present = new HashSet<>();
        for (ObjectNode pod : cluster.list(Types.PODS)) {
            present.add(Types.uid(pod));
            if (nodes.contains(PodScheduler.node(pod))) {
                step(cluster, pod);
            }
        }
        stages.keySet().retainAll(present);
    }

    private void step(ClusterObjects cluster, ObjectNode pod) {
        if (Types.isLeaving(pod)) {
            Duration grace = Duration.ofSeconds(pod.path("metadata").path("deletionGracePeriodSeconds").asInt(0));
            if (isDue(cluster, pod, "stopping", shutdown.compareTo(grace) < 0 ? shutdown : grace)) {
                cluster.deleteNow(Types.PODS, Types.key(pod));
            }
            return;
        }
        Run run;
        try {
            run = run(pod);
        } catch (IllegalArgumentException unreadable) {
            edit(cluster, pod, changed -> PodStatus.waiting(changed, "CreateContainerConfigError",
                    String.valueOf(unreadable.getMessage()), 0));
            return;
        }
        JsonNode state = pod.path("status").path("containerStatuses").path(0).path("state");
        if (PodStatus.isOver(pod)) {
            return;
        }
        if (run.end() == Run.End.NO_IMAGE && !state.has("running")) {
            edit(cluster, pod, changed -> PodStatus.waiting(changed, "ImagePullBackOff", "Back-off pulling image", 0));
        } else if (state.has("waiting") && PodStatus.restarts(pod) > 0) {
            if (isDue(cluster, pod, "backing off", backoff(PodStatus.restarts(pod)))) {
                start(cluster, pod);
            }
        } else if (!state.has("running")) {
            if (isDue(cluster, pod, "starting", startup)) {
                start(cluster, pod);
            }
        } else if (run.end() != Run.End.NONE && isDue(cluster, pod, "running " + PodStatus.restarts(pod), run.after())) {
            end(cluster, pod, run.end() == Run.End.SUCCESS);
        }
    }

    private void start(ClusterObjects cluster, ObjectNode pod) {
        String known = pod.path("status").path("podIP").asString("");
        int number = known.isEmpty() ? ++started : started;
        String ip = known.isEmpty() ? "10.244." + number / 250 % 250 + "." + (1 + number % 250) : known;
        edit(cluster, pod, changed -> PodStatus.running(changed, ip, cluster.now(), PodStatus.restarts(changed)));
        isDue(cluster, pod, "running " + PodStatus.restarts(pod), Duration.ZERO); // the run's time begins now
    }

    private static void end(ClusterObjects cluster, ObjectNode pod, boolean success) {
        String policy = pod.path("spec").path("restartPolicy").asString("Always");
        boolean again = policy.equals("Always") || policy.equals("OnFailure") && !success;
        edit(cluster, pod, changed -> again ? PodStatus.crashed(changed) : PodStatus.ended(changed, success, cluster.now()));
    }

    private Duration backoff(int restarts) {
        Duration backoff = firstBackoff.multipliedBy(1L << Math.min(restarts - 1, 10));
        return backoff.compareTo(LONGEST_BACKOFF) < 0 ? backoff : LONGEST_BACKOFF;
    }

    private Run run(JsonNode pod) {
        JsonNode annotation = pod.path("metadata").path("annotations").path(Run.ANNOTATION);
        if (annotation.isString()) {
            return Run.parse(annotation.asString());
        }
        String image = pod.path("spec").path("containers").path(0).path("image").asString("");
        return images.entrySet().stream()
                .filter(entry -> image.contains(entry.getKey()))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse(Run.forever());
    }

    /** Whether the pod has been in this stage for {@code time}. The first call for a stage begins it. */
    private boolean isDue(ClusterObjects cluster, ObjectNode pod, String stage, Duration time) {
        Stage at = stages.compute(
                Types.uid(pod), (uid, before) -> before != null && before.name().equals(stage) ? before : new Stage(stage, cluster.now()));
        return Duration.between(at.since(), cluster.now()).compareTo(time) >= 0;
    }

    private static void edit(ClusterObjects cluster, ObjectNode pod, UnaryOperator<ObjectNode> change) {
        cluster.edit(Types.PODS, Types.key(pod), change);
    }
}
