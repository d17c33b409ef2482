package io.reactiveinformer.demo;

import io.kubernetes.client.openapi.models.V1ContainerStatus;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodStatus;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The condition of an object in a word or two, for one column of a line. */
final class Condition {

    private Condition() {}

    /** The condition; empty for types without one. */
    static String of(@Nullable Object object) {
        if (object instanceof V1Pod pod) {
            return ofPod(pod);
        }
        if (object instanceof V1Deployment deployment) {
            return ofDeployment(deployment);
        }
        return object instanceof JsonNode tree ? tree.at("/status/phase").asString("") : "";
    }

    private static String ofPod(V1Pod pod) {
        V1PodStatus status = pod.getStatus();
        if (status == null || status.getPhase() == null) {
            return "";
        }
        if (pod.getMetadata() != null && pod.getMetadata().getDeletionTimestamp() != null) {
            return "Terminating";
        }
        List<V1ContainerStatus> containers = status.getContainerStatuses();
        if (containers == null || containers.isEmpty()) {
            return status.getPhase();
        }
        long ready = containers.stream().filter(container -> Boolean.TRUE.equals(container.getReady())).count();
        return status.getPhase() + " " + ready + "/" + containers.size();
    }

    private static String ofDeployment(V1Deployment deployment) {
        int wanted = deployment.getSpec() == null ? 0 : orZero(deployment.getSpec().getReplicas());
        int ready = deployment.getStatus() == null ? 0 : orZero(deployment.getStatus().getReadyReplicas());
        return ready + "/" + wanted + " ready";
    }

    private static int orZero(@Nullable Integer number) {
        return number == null ? 0 : number;
    }
}
