package io.reactiveinformer.guide.tools;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.kubernetes.client.openapi.models.V1Pod;
import io.reactiveinformer.resource.ObjectKey;

/** What a model sees of a pod: neither its environment nor its annotations. */
record PodRow(@JsonIgnore ObjectKey key, String name, String phase, String node, int restarts) {

    static PodRow of(V1Pod pod) {
        var status = pod.getStatus();
        int restarts = Problem.all(status == null ? null : status.getContainerStatuses()).mapToInt(one -> one.getRestartCount()).sum();
        return new PodRow(ObjectKey.of(pod.getMetadata().getNamespace(), pod.getMetadata().getName()), pod.getMetadata().getName(),
                Answer.text(status == null ? null : status.getPhase()), Answer.text(pod.getSpec().getNodeName()), restarts);
    }
}
