package io.reactiveinformer.guide.tools;

import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1Pod;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What the cluster says is wrong with an object. */
record Problem(String object, String reason, String message) {

    private static Problem of(String object, @Nullable String reason, @Nullable String message) {
        return new Problem(object, Answer.text(reason), Answer.text(message));
    }

    static Stream<Problem> of(V1Deployment deployment) {
        String object = "Deployment " + deployment.getMetadata().getName();
        return all(deployment.getStatus() == null ? null : deployment.getStatus().getConditions())
                .filter(one -> one.getStatus().equals(one.getType().equals("ReplicaFailure") ? "True" : "False"))
                .map(one -> of(object, one.getReason(), one.getMessage()));
    }

    static Stream<Problem> of(V1Pod pod) {
        String object = "Pod " + pod.getMetadata().getName();
        if (pod.getStatus() == null) {
            return Stream.empty();
        }
        return Stream.concat(
                all(pod.getStatus().getConditions()).filter(one -> one.getStatus().equals("False"))
                        .map(one -> of(object, one.getReason(), one.getMessage())),
                all(pod.getStatus().getContainerStatuses()).filter(one -> one.getState() != null && one.getState().getWaiting() != null)
                        .map(one -> of(object, one.getState().getWaiting().getReason(), one.getState().getWaiting().getMessage())));
    }

    static <T> Stream<T> all(@Nullable List<T> list) {
        return Stream.ofNullable(list).flatMap(List::stream);
    }
}
