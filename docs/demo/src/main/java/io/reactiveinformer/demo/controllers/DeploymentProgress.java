package io.reactiveinformer.demo.controllers;

import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1DeploymentCondition;
import io.kubernetes.client.openapi.models.V1DeploymentStatus;
import io.kubernetes.client.openapi.models.V1ReplicaSet;
import io.kubernetes.client.openapi.models.V1ReplicaSetStatus;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The progress of a deployment, as in its status, which {@code kubectl rollout status} reads.
 *
 * @param now the ReplicaSet of the current template; null until it exists
 * @param all all ReplicaSets of the deployment, the old ones included
 */
record DeploymentProgress(V1Deployment deployment, @Nullable V1ReplicaSet now, Collection<V1ReplicaSet> all, Cluster cluster) {

    private static final int DEADLINE_SECONDS = 600;

    V1DeploymentStatus before() {
        return Objects.requireNonNullElseGet(deployment.getStatus(), V1DeploymentStatus::new);
    }

    V1DeploymentStatus status(int collisions) {
        int available = sum(all, V1ReplicaSetStatus::getAvailableReplicas);
        int wanted = all.stream().mapToInt(ReplicaSetController::replicas).sum();
        var status = new V1DeploymentStatus()
                .observedGeneration(deployment.getMetadata().getGeneration())
                .replicas(Meta.orNothing(sum(all, V1ReplicaSetStatus::getReplicas)))
                .updatedReplicas(Meta.orNothing(sum(now == null ? List.of() : List.of(now), V1ReplicaSetStatus::getReplicas)))
                .readyReplicas(Meta.orNothing(sum(all, V1ReplicaSetStatus::getReadyReplicas)))
                .availableReplicas(Meta.orNothing(available))
                .unavailableReplicas(Meta.orNothing(Math.max(0, wanted - available)))
                .terminatingReplicas(before().getTerminatingReplicas())
                .collisionCount(Meta.orNothing(collisions));
        return status.conditions(List.of(available(available), progressing(status)));
    }

    private static int sum(Collection<V1ReplicaSet> sets, Function<V1ReplicaSetStatus, @Nullable Integer> count) {
        return sets.stream().map(V1ReplicaSet::getStatus).filter(Objects::nonNull).map(count).mapToInt(Meta::count).sum();
    }

    private V1DeploymentCondition available(int available) {
        return available >= RollingUpdate.of(deployment).minAvailable()
                ? condition("Available", "True", "MinimumReplicasAvailable", "Deployment has minimum availability.")
                : condition("Available", "False", "MinimumReplicasUnavailable", "Deployment does not have minimum availability.");
    }

    private V1DeploymentCondition progressing(V1DeploymentStatus status) {
        String set = now == null ? "" : "ReplicaSet \"" + Meta.name(now) + "\" ";
        V1DeploymentCondition last = last("Progressing");
        if (isPaused()) {
            return condition("Progressing", "Unknown", "DeploymentPaused", "Deployment is paused");
        } else if (isComplete(status)) {
            return condition("Progressing", "True", "NewReplicaSetAvailable", set + "has successfully progressed.");
        } else if (last == null || hasMoved(status) || "DeploymentPaused".equals(last.getReason())) {
            return moved(condition("Progressing", "True", "ReplicaSetUpdated", set + "is progressing."));
        }
        Duration left = untilDeadline();
        return left != null && (left.isNegative() || left.isZero())
                ? condition("Progressing", "False", "ProgressDeadlineExceeded", set + "has timed out progressing.")
                : last;
    }

    /** The condition with the current time: the deadline for progress begins here. */
    private V1DeploymentCondition moved(V1DeploymentCondition condition) {
        return new V1DeploymentCondition()
                .type(condition.getType())
                .status(condition.getStatus())
                .reason(condition.getReason())
                .message(condition.getMessage())
                .lastUpdateTime(cluster.now())
                .lastTransitionTime(condition.getLastTransitionTime());
    }

    private boolean isPaused() {
        return Boolean.TRUE.equals(deployment.getSpec().getPaused());
    }

    boolean isComplete(V1DeploymentStatus status) {
        int replicas = RollingUpdate.of(deployment).replicas();
        return now != null
                && Meta.count(status.getUpdatedReplicas()) == replicas
                && Meta.count(status.getReplicas()) == replicas
                && Meta.count(status.getAvailableReplicas()) == replicas;
    }

    private boolean hasMoved(V1DeploymentStatus status) {
        V1DeploymentStatus before = before();
        return !Objects.equals(status.getObservedGeneration(), before.getObservedGeneration())
                || Meta.count(status.getUpdatedReplicas()) > Meta.count(before.getUpdatedReplicas())
                || old(status) < old(before)
                || Meta.count(status.getReadyReplicas()) > Meta.count(before.getReadyReplicas())
                || Meta.count(status.getAvailableReplicas()) > Meta.count(before.getAvailableReplicas());
    }

    private static int old(V1DeploymentStatus status) {
        return Meta.count(status.getReplicas()) - Meta.count(status.getUpdatedReplicas());
    }

    /** The time left for the next progress; null if no deadline applies. */
    @Nullable Duration untilDeadline() {
        V1DeploymentCondition last = last("Progressing");
        return last != null && !isPaused() && "ReplicaSetUpdated".equals(last.getReason())
                ? cluster.left(last.getLastUpdateTime(),
                        Objects.requireNonNullElse(deployment.getSpec().getProgressDeadlineSeconds(), DEADLINE_SECONDS))
                : null;
    }

    private @Nullable V1DeploymentCondition last(String type) {
        var conditions = before().getConditions();
        return conditions == null ? null : conditions.stream().filter(each -> each.getType().equals(type)).findFirst().orElse(null);
    }

    /** A condition; the existing one if it is the same, so that its times stay. */
    private V1DeploymentCondition condition(String type, String value, String reason, String message) {
        V1DeploymentCondition last = last(type);
        if (last != null && value.equals(last.getStatus()) && reason.equals(last.getReason()) && message.equals(last.getMessage())) {
            return last;
        }
        OffsetDateTime time = cluster.now();
        return new V1DeploymentCondition()
                .type(type)
                .status(value)
                .reason(reason)
                .message(message)
                .lastUpdateTime(time)
                .lastTransitionTime(last != null && value.equals(last.getStatus()) ? last.getLastTransitionTime() : time);
    }
}
