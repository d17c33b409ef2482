package io.reactiveinformer.demo.controllers;

import io.kubernetes.client.openapi.models.V1ContainerState;
import io.kubernetes.client.openapi.models.V1ContainerStatus;
import io.kubernetes.client.openapi.models.V1Pod;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Makes a job whose pods keep failing wait before the next one: 10 s after the first failure, then twice as long each time, at most 10 min.
 */
final class JobBackoff {

    private static final Duration FIRST = Duration.ofSeconds(10);
    private static final Duration LONGEST = Duration.ofMinutes(10);
    private static final int DOUBLINGS = 6;

    private JobBackoff() {}

    /** The time left to wait; zero if there is none. A success resets the backoff. */
    static Duration left(Collection<V1Pod> pods, Cluster cluster) {
        OffsetDateTime success = pods.stream().filter(Pods::hasSucceeded).map(JobBackoff::end)
                .max(Comparator.naturalOrder()).orElse(OffsetDateTime.MIN);
        List<OffsetDateTime> failures = pods.stream().filter(JobTally::hasFailed).map(JobBackoff::end)
                .filter(success::isBefore).sorted().toList();
        if (failures.isEmpty()) {
            return Duration.ZERO;
        }
        Duration pause = FIRST.multipliedBy(1L << Math.min(failures.size() - 1, DOUBLINGS));
        Duration left = cluster.left(failures.get(failures.size() - 1), pause.compareTo(LONGEST) < 0 ? pause : LONGEST);
        return left.isNegative() ? Duration.ZERO : left;
    }

    /** The time at which its last container ended; if unknown, when the pod was deleted or created. */
    private static OffsetDateTime end(V1Pod pod) {
        List<V1ContainerStatus> containers = Objects.requireNonNullElse(Pods.status(pod).getContainerStatuses(), List.of());
        return containers.stream()
                .map(JobBackoff::end)
                .filter(Objects::nonNull)
                .max(Comparator.naturalOrder())
                .orElseGet(() -> Objects.requireNonNullElse(pod.getMetadata().getDeletionTimestamp(),
                        pod.getMetadata().getCreationTimestamp()));
    }

    private static @Nullable OffsetDateTime end(V1ContainerStatus container) {
        V1ContainerState state = container.getState();
        return state == null || state.getTerminated() == null ? null : state.getTerminated().getFinishedAt();
    }
}
