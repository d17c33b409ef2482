package io.reactiveinformer.demo.controllers;

import io.kubernetes.client.openapi.models.V1ContainerStatus;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodCondition;
import io.kubernetes.client.openapi.models.V1PodStatus;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.Comparator;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a pod's status means to the controllers of pods. */
final class Pods {

    private static final V1PodStatus NOTHING = new V1PodStatus();

    /** The cost of losing the pod, as a number; zero unless set. */
    private static final String DELETION_COST = "controller.kubernetes.io/pod-deletion-cost";

    /**
     * The order in which surplus pods are deleted, as in Kubernetes: pods without a node first, then pending ones, then those that are not
     * ready; then by deletion cost; those that became ready last; those with more restarts; the youngest. (Kubernetes also counts the
     * owner's pods on the same node.)
     */
    static final Comparator<V1Pod> VICTIMS = Comparator.<V1Pod, Boolean>comparing(pod -> pod.getSpec().getNodeName() != null)
            .thenComparing(pod -> phase(pod).equals("Running"))
            .thenComparing(Pods::isReady)
            .thenComparing(Pods::deletionCost)
            .thenComparing(Pods::readySince, Comparator.nullsFirst(Comparator.reverseOrder()))
            .thenComparing(Pods::restarts, Comparator.reverseOrder())
            .thenComparing(Meta.BY_AGE.reversed());

    private Pods() {}

    static V1PodStatus status(V1Pod pod) {
        return Objects.requireNonNullElse(pod.getStatus(), NOTHING);
    }

    static String phase(V1Pod pod) {
        return Objects.requireNonNullElse(status(pod).getPhase(), "Pending");
    }

    static boolean hasSucceeded(V1Pod pod) {
        return phase(pod).equals("Succeeded");
    }

    static boolean isOver(V1Pod pod) {
        return hasSucceeded(pod) || phase(pod).equals("Failed");
    }

    /** Whether the pod runs or will run: it is neither over nor being deleted. */
    static boolean isActive(V1Pod pod) {
        return !isOver(pod) && !Meta.isLeaving(pod);
    }

    static boolean isReady(V1Pod pod) {
        return ready(pod).isPresent();
    }

    /** The time since which the pod is ready; null if it is not ready, or the time is unknown. */
    static @Nullable OffsetDateTime readySince(V1Pod pod) {
        return ready(pod).map(V1PodCondition::getLastTransitionTime).orElse(null);
    }

    private static Optional<V1PodCondition> ready(V1Pod pod) {
        var conditions = status(pod).getConditions();
        return conditions == null
                ? Optional.empty()
                : conditions.stream().filter(condition -> condition.getType().equals("Ready") && condition.getStatus().equals("True"))
                        .findFirst();
    }

    /** The time that the pod must stay ready before it counts as available; zero if it is available, null if it is not ready. */
    static @Nullable Duration untilAvailable(V1Pod pod, int minReadySeconds, Cluster cluster) {
        if (!isReady(pod)) {
            return null;
        }
        Duration left = minReadySeconds == 0 ? Duration.ZERO : cluster.left(readySince(pod), minReadySeconds);
        return left != null && left.isNegative() ? Duration.ZERO : left;
    }

    static int restarts(V1Pod pod) {
        var containers = status(pod).getContainerStatuses();
        return containers == null ? 0 : containers.stream().mapToInt(V1ContainerStatus::getRestartCount).sum();
    }

    private static int deletionCost(V1Pod pod) {
        try {
            return Integer.parseInt(Meta.annotations(pod).getOrDefault(DELETION_COST, "0"));
        } catch (NumberFormatException unreadable) {
            return 0; // as the real controller does
        }
    }
}
