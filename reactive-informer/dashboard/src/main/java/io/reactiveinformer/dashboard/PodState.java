package io.reactiveinformer.dashboard;

import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1ContainerState;
import io.kubernetes.client.openapi.models.V1ContainerStatus;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodStatus;
import io.reactiveinformer.dashboard.Row.Tone;
import java.util.List;
import java.util.Optional;

/** The state of a pod in kubectl's words, and how normal it is. */
final class PodState {

    private static final String COMPLETED = "Completed";

    private PodState() {}

    /** @param ready whether all containers are */
    static Tone tone(V1Pod pod, boolean ready) {
        String state = of(pod);
        boolean failed = pod.getStatus() != null && "Failed".equals(pod.getStatus().getPhase()); // also before its containers began
        return failed && !state.equals("Terminating") ? Tone.BAD : switch (state) {
            case "Running" -> ready ? Tone.GOOD : Tone.BUSY;
            case "Pending", "ContainerCreating", "PodInitializing", "Terminating" -> Tone.BUSY;
            case "Succeeded", COMPLETED -> Tone.OVER;
            default -> state.matches("Init:\\d+/\\d+") ? Tone.BUSY : Tone.BAD;
        };
    }

    static String of(V1Pod pod) {
        if (pod.getMetadata().getDeletionTimestamp() != null) {
            return "Terminating";
        }
        V1PodStatus status = pod.getStatus();
        if (status == null) {
            return "Pending";
        }
        String phase = status.getPhase() == null ? "Pending" : status.getPhase();
        return initializing(pod, status).or(() -> Tables.orNone(status.getContainerStatuses()).stream()
                .flatMap(container -> reason(container).stream())
                .filter(reason -> !reason.equals(COMPLETED) || phase.equals("Succeeded")) // one container may end before the others
                .findFirst()).orElse(phase);
    }

    /** The state of the first init container that is not done. Empty if there is none, as they do not run again with the others. */
    private static Optional<String> initializing(V1Pod pod, V1PodStatus status) {
        boolean initialized = Tables.orNone(status.getConditions()).stream()
                .anyMatch(condition -> condition.getType().equals("Initialized") && condition.getStatus().equals("True"));
        List<V1Container> all = pod.getSpec() == null ? List.of() : Tables.orNone(pod.getSpec().getInitContainers());
        List<V1ContainerStatus> statuses = initialized ? List.of() : Tables.orNone(status.getInitContainerStatuses());
        int done = (int) statuses.stream().takeWhile(container -> isDone(container, all)).count();
        return statuses.stream().skip(done).findFirst().map(container -> "Init:" + reason(container)
                .filter(reason -> !reason.equals("PodInitializing")).orElse(done + "/" + all.size()));
    }

    /** A sidecar is an init container that is always restarted: the next one begins when it has started. */
    private static boolean isDone(V1ContainerStatus container, List<V1Container> all) {
        V1ContainerState state = container.getState();
        boolean sidecar = all.stream()
                .anyMatch(one -> one.getName().equals(container.getName()) && "Always".equals(one.getRestartPolicy()));
        return state != null && state.getTerminated() != null && Integer.valueOf(0).equals(state.getTerminated().getExitCode())
                || sidecar && Boolean.TRUE.equals(container.getStarted());
    }

    /** Why the container waits or has ended. */
    private static Optional<String> reason(V1ContainerStatus container) {
        V1ContainerState state = container.getState();
        return state == null ? Optional.empty()
                : state.getWaiting() != null ? Optional.ofNullable(state.getWaiting().getReason())
                : state.getTerminated() != null ? Optional.ofNullable(state.getTerminated().getReason()) : Optional.empty();
    }
}
