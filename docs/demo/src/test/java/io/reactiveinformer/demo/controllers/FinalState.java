package io.reactiveinformer.demo.controllers;

import io.reactiveinformer.apiserver.ApiRequest.Verb;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import static io.reactiveinformer.demo.controllers.DeploymentController.DEPLOYMENTS;
import static io.reactiveinformer.demo.controllers.Excesses.controlled;
import static io.reactiveinformer.demo.controllers.Excesses.controller;
import static io.reactiveinformer.demo.controllers.Excesses.name;
import static io.reactiveinformer.demo.controllers.Excesses.uid;
import static io.reactiveinformer.demo.controllers.JobController.JOBS;
import static io.reactiveinformer.demo.controllers.PodControl.PODS;
import static io.reactiveinformer.demo.controllers.ReplicaSetController.REPLICA_SETS;
import static org.assertj.core.api.Assertions.assertThat;

/** What there is when all is quiet: exactly what is wanted, and said to be so. */
final class FinalState {

    /** Of each job. */
    static final int COMPLETIONS = 3;

    private static final String IMAGE = "/spec/containers/0/image";
    private static final int HISTORY_LIMIT = 2;

    private final Fixture fixture;
    private final Excesses seen;

    FinalState(Fixture fixture, Excesses seen) {
        this.fixture = fixture;
        this.seen = seen;
    }

    boolean isReached() {
        try {
            check();
            return true;
        } catch (AssertionError notYet) {
            return false;
        }
    }

    void check() {
        assertThat(fixture.names(DEPLOYMENTS)).containsExactlyInAnyOrder("web", "api", ControllersTrial.UNTOUCHED, ControllersTrial.ROLLED);
        fixture.all(DEPLOYMENTS).forEach(this::checkDeployment);
        fixture.all(REPLICA_SETS).forEach(this::checkReplicaSet);
        fixture.all(JOBS).forEach(this::checkJob);
        Set<String> owners = Stream.of(REPLICA_SETS, JOBS).flatMap(type -> fixture.all(type).stream())
                .map(Excesses::uid).collect(Collectors.toSet());
        assertThat(pods()).as("none without a living owner").allMatch(pod -> owners.contains(controller(pod)));
        assertThat(pods()).as("none kept by a finalizer").noneMatch(pod -> pod.path("metadata").has("finalizers")
                || pod.path("metadata").has("deletionTimestamp"));
        assertThat(fixture.server.requests().writes()).as("nobody needed to delete a pod of one that always wanted as many")
                .noneMatch(write -> write.verb() == Verb.DELETE && write.resource().equals("pods")
                        && String.valueOf(write.name()).startsWith(ControllersTrial.UNTOUCHED));
    }

    private List<ObjectNode> pods() {
        return fixture.all(PODS);
    }

    private void checkDeployment(ObjectNode deployment) {
        int replicas = deployment.at("/spec/replicas").asInt();
        String image = deployment.at("/spec/template" + IMAGE).asString();
        List<ObjectNode> sets = controlled(fixture, REPLICA_SETS, deployment).stream()
                .sorted(Comparator.comparingLong(FinalState::revision)).toList();
        assertThat(sets.stream().map(set -> set.at("/spec/template" + IMAGE).asString())).as("one of each template: %s", sets)
                .doesNotHaveDuplicates();
        assertThat(sets.stream().map(FinalState::revision)).as("revisions of %s", name(deployment))
                .doesNotHaveDuplicates().doesNotContain(0L);
        assertThat(sets.size()).as("history of %s", name(deployment)).isBetween(1, HISTORY_LIMIT + 1);
        ObjectNode newest = sets.get(sets.size() - 1);
        assertThat(newest.at("/spec/template" + IMAGE).asString()).as("the newest revision of %s", name(deployment)).isEqualTo(image);
        assertThat(revision(deployment)).as("revision of %s", name(deployment)).isEqualTo(revision(newest));
        assertThat(sets).allSatisfy(set -> assertThat(set.at("/spec/replicas").asInt()).as(name(set))
                .isEqualTo(uid(set).equals(uid(newest)) ? replicas : 0));
        assertThat(pods().stream().filter(pod -> pod.at("/metadata/labels/app").equals(deployment.at("/metadata/name")))
                .map(pod -> pod.at(IMAGE).asString()))
                .as("pods of %s", name(deployment)).hasSize(replicas).allMatch(image::equals);
        JsonNode status = deployment.path("status");
        assertThat(List.of("replicas", "updatedReplicas", "readyReplicas", "availableReplicas")).as("%s", status)
                .allMatch(count -> status.path(count).asInt(0) == replicas);
        assertThat(status.path("unavailableReplicas").asInt(0)).as("%s", status).isZero();
        assertThat(status.path("observedGeneration")).as("%s", status).isEqualTo(deployment.at("/metadata/generation"));
        assertThat(status.path("conditions").valueStream().map(FinalState::condition)).as("%s", status)
                .containsExactly("Available True MinimumReplicasAvailable", "Progressing True NewReplicaSetAvailable");
    }

    private void checkReplicaSet(ObjectNode set) {
        int replicas = set.at("/spec/replicas").asInt();
        assertThat(controlled(fixture, PODS, set)).as("pods of %s", name(set)).hasSize(replicas);
        JsonNode status = set.path("status");
        assertThat(List.of("replicas", "fullyLabeledReplicas", "readyReplicas", "availableReplicas")).as("%s: %s", name(set), status)
                .allMatch(count -> status.path(count).asInt(0) == replicas);
        assertThat(status.path("observedGeneration")).as("%s: %s", name(set), status).isEqualTo(set.at("/metadata/generation"));
    }

    /** Each of its pods counts, and once. */
    private void checkJob(ObjectNode job) {
        boolean succeeds = job.at("/spec/template" + IMAGE).asString().equals("task");
        JsonNode status = job.path("status");
        assertThat(status.path("conditions").valueStream().map(FinalState::condition)).as("%s", status).containsExactly(succeeds
                ? new String[] {"SuccessCriteriaMet True CompletionsReached", "Complete True CompletionsReached"}
                : new String[] {"FailureTarget True BackoffLimitExceeded", "Failed True BackoffLimitExceeded"});
        assertThat(job.path("spec").has("ttlSecondsAfterFinished")).as("%s has had its time", name(job)).isFalse();
        assertThat(status.path("succeeded").asInt(0)).as("%s: %s", name(job), status).isEqualTo(succeeds ? COMPLETIONS : 0)
                .isEqualTo(seen.succeeded(uid(job)).size());
        assertThat(status.path("failed").asInt(0)).as("%s: %s", name(job), status).isEqualTo(seen.failed(uid(job)).size());
        assertThat(List.of("active", "ready", "terminating", "uncountedTerminatedPods")).as("%s: %s", name(job), status)
                .noneMatch(status::has);
        assertThat(controlled(fixture, PODS, job)).as("pods of %s", name(job))
                .allMatch(pod -> Set.of("Succeeded", "Failed").contains(pod.at("/status/phase").asString()));
    }

    private static long revision(JsonNode object) {
        return object.at("/metadata/annotations").path(Revisions.REVISION).asLong(0);
    }

    private static String condition(JsonNode condition) {
        return condition.path("type").asString() + " " + condition.path("status").asString() + " " + condition.path("reason").asString();
    }
}
