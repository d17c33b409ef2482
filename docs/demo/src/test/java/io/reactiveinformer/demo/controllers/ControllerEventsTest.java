package io.reactiveinformer.demo.controllers;

import io.reactiveinformer.test.faults.Cut;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static io.reactiveinformer.demo.controllers.DeploymentController.DEPLOYMENTS;
import static io.reactiveinformer.demo.controllers.JobController.JOBS;
import static io.reactiveinformer.demo.controllers.PodControl.PODS;
import static io.reactiveinformer.demo.controllers.ReplicaSetController.REPLICA_SETS;
import static org.assertj.core.api.Assertions.assertThat;

/** What {@code kubectl describe} shows at its end, in the words of kube-controller-manager. */
class ControllerEventsTest {

    private final Fixture fixture = new Fixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    private void replicaSet(int replicas) {
        fixture.given("""
                apiVersion: apps/v1
                kind: ReplicaSet
                metadata: {name: web}
                spec: {replicas: %d, selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, \
                spec: {containers: [{name: c, image: x}]}}}
                """.formatted(replicas));
    }

    private void job(int backoffLimit) {
        fixture.given("""
                apiVersion: batch/v1
                kind: Job
                metadata: {name: sum}
                spec: {backoffLimit: %d, template: {spec: {restartPolicy: Never, containers: [{name: c, image: x}]}}}
                """.formatted(backoffLimit));
    }

    private void end(String phase) {
        fixture.edit(PODS, fixture.names(PODS).get(0), pod -> pod.withObject("/status").put("phase", phase));
        fixture.pass(Fixture.MOMENT);
    }

    @Test
    void aReplicaSetTellsWhichPodsItMadeAndDeleted() {
        replicaSet(1);
        fixture.start(ReplicaSetController::of);
        String pod = fixture.names(PODS).get(0);
        fixture.edit(REPLICA_SETS, "web", set -> set.withObject("/spec").put("replicas", 0));
        fixture.pass(Fixture.MOMENT);

        assertThat(fixture.events()).containsExactly(
                "replicaset-controller of ReplicaSet web: NORMAL SuccessfulCreate, Created pod: " + pod,
                "replicaset-controller of ReplicaSet web: NORMAL SuccessfulDelete, Deleted pod: " + pod);
    }

    @Test
    void aReplicaSetTellsWhyItCannotMakeAPod() {
        replicaSet(1);
        fixture.server.faults().on("create", "pods").status(403, "Forbidden", "exceeded quota: few");
        fixture.start(ReplicaSetController::of);

        assertThat(fixture.events().get(0)).startsWith("replicaset-controller of ReplicaSet web: WARNING FailedCreate, Error creating: ")
                .contains("exceeded quota: few");
    }

    @Test
    void aPodThatWasMadeThoughTheAnswerWasLostIsNotRecordedTwice() {
        replicaSet(1);
        fixture.server.faults().on("create", "pods").after(0).bytes().cut(Cut.RST);
        fixture.start(ReplicaSetController::of);
        assertThat(fixture.names(PODS)).hasSize(1);
        assertThat(fixture.events()).filteredOn(event -> event.contains("SuccessfulCreate")).isEmpty();
        assertThat(fixture.events()).filteredOn(event -> event.contains("FailedCreate")).hasSize(1);
    }

    @Test
    void aDeploymentTellsHowItScalesItsReplicaSets() {
        fixture.given("""
                apiVersion: apps/v1
                kind: Deployment
                metadata: {name: web}
                spec: {replicas: 2, selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, \
                spec: {containers: [{name: c, image: x}]}}}
                """);
        fixture.start(DeploymentController::of);
        String set = fixture.names(REPLICA_SETS).get(0);
        fixture.edit(DEPLOYMENTS, "web", deployment -> deployment.withObject("/spec").put("replicas", 1));
        fixture.pass(Fixture.MOMENT);

        assertThat(fixture.events()).containsExactly(
                "deployment-controller of Deployment web: NORMAL ScalingReplicaSet, Scaled up replica set " + set + " from 0 to 2",
                "deployment-controller of Deployment web: NORMAL ScalingReplicaSet, Scaled down replica set " + set + " from 2 to 1");
    }

    @Test
    void aJobTellsThatItHasCompleted() {
        job(6);
        fixture.start(JobController::of);
        end("Succeeded");
        assertThat(fixture.events()).last().isEqualTo("job-controller of Job sum: NORMAL Completed, Job completed");
        assertThat(fixture.events()).hasSize(2);
    }

    @Test
    void aJobTellsWhyItHasFailed() {
        job(0);
        fixture.start(JobController::of);
        end("Failed");
        assertThat(fixture.events()).last()
                .isEqualTo("job-controller of Job sum: WARNING BackoffLimitExceeded, Job has reached the specified backoff limit");
        assertThat(fixture.events()).hasSize(2);

        assertThat(fixture.get(JOBS, "sum").at("/status/conditions/1/type").asString()).isEqualTo("Failed");
    }
}
