package io.reactiveinformer.dashboard;

import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1ContainerState;
import io.kubernetes.client.openapi.models.V1ContainerStateRunning;
import io.kubernetes.client.openapi.models.V1ContainerStateTerminated;
import io.kubernetes.client.openapi.models.V1ContainerStateWaiting;
import io.kubernetes.client.openapi.models.V1ContainerStatus;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodCondition;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1PodStatus;
import io.reactiveinformer.dashboard.Row.Tone;
import java.time.OffsetDateTime;
import java.util.List;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class PodStateTest {

    private static final V1ContainerState RUNNING = new V1ContainerState().running(new V1ContainerStateRunning());

    private final V1Pod pod = new V1Pod()
            .metadata(new V1ObjectMeta().name("a"))
            .spec(new V1PodSpec()
                    .addInitContainersItem(new V1Container().name("first"))
                    .addInitContainersItem(new V1Container().name("second"))
                    .addContainersItem(new V1Container().name("main")))
            .status(new V1PodStatus().phase("Pending"));

    @Test
    void isPendingWithoutAStatus() {
        assertState(pod, "Pending", Tone.BUSY);
        assertState(pod.status(null), "Pending", Tone.BUSY);
    }

    @Test
    void initContainersThatRunAreNoProblem() {
        main(waiting("PodInitializing"));
        init(waiting("PodInitializing"), waiting("PodInitializing"));
        assertState(pod, "Init:0/2", Tone.BUSY);
        init(RUNNING, waiting("PodInitializing"));
        assertState(pod, "Init:0/2", Tone.BUSY);
        init(ended(0, "Completed"), RUNNING);
        assertState(pod, "Init:1/2", Tone.BUSY);
        init(ended(0, "Completed"), ended(0, "Completed"));
        assertState(pod, "PodInitializing", Tone.BUSY);
    }

    @Test
    void anInitContainerThatFailsIsAProblem() {
        main(waiting("PodInitializing"));
        init(waiting("CrashLoopBackOff"), waiting("PodInitializing"));
        assertState(pod, "Init:CrashLoopBackOff", Tone.BAD);
        init(ended(0, "Completed"), ended(1, "Error"));
        assertState(pod, "Init:Error", Tone.BAD);
    }

    @Test
    void aSidecarIsDoneWhenItHasStarted() {
        pod.getSpec().getInitContainers().get(0).restartPolicy("Always");
        init(RUNNING, RUNNING);
        assertState(pod, "Init:0/2", Tone.BUSY);
        pod.getStatus().getInitContainerStatuses().get(0).started(true);
        assertState(pod, "Init:1/2", Tone.BUSY);
    }

    @Test
    void initContainersAreOverInAPodThatIsInitialized() {
        init(waiting("CrashLoopBackOff"), ended(0, "Completed"));
        pod.getStatus().phase("Running").addConditionsItem(new V1PodCondition().type("Initialized").status("True"));
        main(RUNNING);
        assertState(pod, "Running", Tone.GOOD);
    }

    @Test
    void aPodIsOverWhenAllOfItsContainersAre() {
        pod.getStatus().phase("Running");
        main(ended(0, "Completed"), RUNNING);
        assertState(pod, "Running", Tone.GOOD);
        assertThat(PodState.tone(pod, false)).isEqualTo(Tone.BUSY);
        main(ended(0, "Completed"), waiting("CrashLoopBackOff"));
        assertState(pod, "CrashLoopBackOff", Tone.BAD);
        pod.getStatus().phase("Succeeded");
        main(ended(0, "Completed"), ended(0, "Completed"));
        assertState(pod, "Completed", Tone.OVER);
    }

    @Test
    void aPodThatFailedBeforeItsContainersBeganIsAProblem() {
        pod.getStatus().phase("Failed");
        main(waiting("PodInitializing"));
        assertState(pod, "PodInitializing", Tone.BAD);
        pod.getMetadata().deletionTimestamp(OffsetDateTime.parse("2026-01-01T00:00:00Z"));
        assertState(pod, "Terminating", Tone.BUSY);
    }

    private static void assertState(V1Pod pod, String state, Tone tone) {
        assertThat(PodState.of(pod)).isEqualTo(state);
        assertThat(PodState.tone(pod, true)).as(state).isEqualTo(tone);
    }

    private void init(V1ContainerState first, V1ContainerState second) {
        pod.getStatus().initContainerStatuses(List.of(
                new V1ContainerStatus().name("first").state(first), new V1ContainerStatus().name("second").state(second)));
    }

    private void main(V1ContainerState... states) {
        pod.getStatus().containerStatuses(
                List.of(states).stream().map(state -> new V1ContainerStatus().name("main").state(state)).toList());
    }

    private static V1ContainerState waiting(String reason) {
        return new V1ContainerState().waiting(new V1ContainerStateWaiting().reason(reason));
    }

    private static V1ContainerState ended(int code, String reason) {
        return new V1ContainerState().terminated(new V1ContainerStateTerminated().exitCode(code).reason(reason));
    }
}
