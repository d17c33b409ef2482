package io.reactiveinformer.demo.controllers;

import io.kubernetes.client.openapi.models.V1Job;
import io.kubernetes.client.openapi.models.V1JobCondition;
import io.kubernetes.client.openapi.models.V1Pod;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of a job that starts no more pods. It is decided, and written into the status, before the last pods have ended; the job is
 * over when they have.
 *
 * @param type the condition that it will have in the end: {@code Complete} or {@code Failed}
 */
record JobVerdict(String type, String reason, String message) {

    private static final int BACKOFF_LIMIT = 6;

    /** Null while the job has to go on. */
    static @Nullable JobVerdict of(V1Job job, JobTally tally, Collection<V1Pod> active, Cluster cluster) {
        for (V1JobCondition condition : conditions(job)) {
            if (condition.getStatus().equals("True")
                    && (condition.getType().equals("FailureTarget") || condition.getType().equals("SuccessCriteriaMet"))) {
                String end = condition.getType().equals("FailureTarget") ? "Failed" : "Complete";
                return new JobVerdict(end, String.valueOf(condition.getReason()), String.valueOf(condition.getMessage()));
            }
        }
        int limit = Objects.requireNonNullElse(job.getSpec().getBackoffLimit(), BACKOFF_LIMIT);
        Duration left = untilDeadline(job, cluster);
        if (tally.allFailed() > limit || restarts(job, active) > limit) {
            return new JobVerdict("Failed", "BackoffLimitExceeded", "Job has reached the specified backoff limit");
        } else if (left != null && (left.isNegative() || left.isZero())) {
            return new JobVerdict("Failed", "DeadlineExceeded", "Job was active longer than specified deadline");
        }
        Integer completions = completions(job);
        boolean done = completions == null ? tally.allSucceeded() > 0 && active.isEmpty() : tally.allSucceeded() >= completions;
        return done ? new JobVerdict("Complete", "CompletionsReached", "Reached expected number of succeeded pods") : null;
    }

    /** The restarts of containers, if the kubelet restarts them in place: these are the failures then. */
    private static int restarts(V1Job job, Collection<V1Pod> active) {
        return "OnFailure".equals(job.getSpec().getTemplate().getSpec().getRestartPolicy())
                ? active.stream().mapToInt(Pods::restarts).sum() : 0;
    }

    /** The wanted number of successes; null if any one is enough. */
    static @Nullable Integer completions(V1Job job) {
        return job.getSpec().getCompletions() == null && job.getSpec().getParallelism() == null
                ? Integer.valueOf(1) : job.getSpec().getCompletions();
    }

    static @Nullable Duration untilDeadline(V1Job job, Cluster cluster) {
        return job.getStatus() == null ? null : cluster.left(job.getStatus().getStartTime(), job.getSpec().getActiveDeadlineSeconds());
    }

    /** The condition that ended the job; null while it goes on. */
    static @Nullable V1JobCondition end(V1Job job) {
        return conditions(job).stream()
                .filter(condition -> condition.getStatus().equals("True"))
                .filter(condition -> condition.getType().equals("Complete") || condition.getType().equals("Failed"))
                .findFirst()
                .orElse(null);
    }

    static List<V1JobCondition> conditions(V1Job job) {
        var conditions = job.getStatus() == null ? null : job.getStatus().getConditions();
        return conditions == null ? List.of() : conditions;
    }

    boolean isSuccess() {
        return type.equals("Complete");
    }

    /** The conditions of the status with this outcome. */
    List<V1JobCondition> conditions(V1Job job, boolean over, Cluster cluster) {
        List<V1JobCondition> all = new ArrayList<>(conditions(job));
        String aim = isSuccess() ? "SuccessCriteriaMet" : "FailureTarget";
        if (all.stream().noneMatch(condition -> condition.getType().equals(aim))) {
            all.add(condition(aim, cluster));
        }
        if (over) {
            all.add(condition(type, cluster));
        }
        return all;
    }

    private V1JobCondition condition(String name, Cluster cluster) {
        return new V1JobCondition()
                .type(name)
                .status("True")
                .reason(reason)
                .message(message)
                .lastProbeTime(cluster.now())
                .lastTransitionTime(cluster.now());
    }
}
