package io.reactiveinformer.demo.controllers;

import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.test.faults.Cut;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import static io.reactiveinformer.demo.controllers.DeploymentController.DEPLOYMENTS;
import static io.reactiveinformer.demo.controllers.ReplicaSetController.REPLICA_SETS;
import static org.assertj.core.api.Assertions.assertThat;

/** The deployment's controller alone: what ReplicaSets do about it is said by the test. */
class DeploymentControllerTest {

    private static final String CREATE = "create replicasets.apps in default";
    private static final String NUMBER = "patch deployments.apps web in default";
    private static final String STATUS = "update deployments.apps/status web in default";

    private final Fixture fixture = new Fixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    private void deployment(String image, int replicas, String more) {
        fixture.given("""
                apiVersion: apps/v1
                kind: Deployment
                metadata: {name: web, annotations: {kubernetes.io/change-cause: first}}
                spec:
                  replicas: %d
                  selector: {matchLabels: {app: web}}
                  template:
                    metadata: {labels: {app: web}}
                    spec: {containers: [{name: c, image: "%s"}]}
                %s""".formatted(replicas, image, more.indent(2)));
    }

    private void image(String image) {
        edit(spec -> ((ObjectNode) spec.at("/template/spec/containers/0")).put("image", image));
    }

    private void edit(Consumer<ObjectNode> spec) {
        fixture.edit(DEPLOYMENTS, "web", deployment -> {
            spec.accept(deployment.withObject("/spec"));
            ObjectNode metadata = deployment.withObject("/metadata");
            metadata.put("generation", metadata.path("generation").asLong() + 1);
        });
    }

    /** As the ReplicaSets' controller, once all pods are as they should be. */
    private void settle() {
        fixture.names(REPLICA_SETS).forEach(name -> available(name, Integer.MAX_VALUE));
        fixture.pass(Fixture.MOMENT);
    }

    private void available(String name, int atMost) {
        fixture.edit(REPLICA_SETS, name, set -> {
            int replicas = set.at("/spec/replicas").asInt();
            set.putObject("status")
                    .put("replicas", replicas)
                    .put("readyReplicas", Math.min(replicas, atMost))
                    .put("availableReplicas", Math.min(replicas, atMost))
                    .put("observedGeneration", set.at("/metadata/generation").asLong());
        });
    }

    /** ReplicaSets by the image of their template: {@code x:1=3 rev 1}. */
    private List<String> sets() {
        return fixture.all(REPLICA_SETS).stream()
                .map(set -> set.at("/spec/template/spec/containers/0/image").asString() + "=" + set.at("/spec/replicas").asInt()
                        + " rev " + set.path("metadata").path("annotations").path(Revisions.REVISION).asString("?"))
                .sorted()
                .toList();
    }

    private JsonNode status() {
        return fixture.get(DEPLOYMENTS, "web").path("status");
    }

    private String condition(String type) {
        for (JsonNode condition : status().path("conditions")) {
            if (condition.path("type").asString().equals(type)) {
                return condition.path("status").asString() + " " + condition.path("reason").asString();
            }
        }
        return "none";
    }

    private String nameOf(String image) {
        return fixture.all(REPLICA_SETS).stream()
                .filter(set -> set.at("/spec/template/spec/containers/0/image").asString().equals(image))
                .map(set -> set.at("/metadata/name").asString())
                .findFirst()
                .orElseThrow();
    }

    @Test
    void createsAReplicaSetForItsTemplateAndNumbersIt() {
        deployment("x:1", 3, "");

        fixture.start(DeploymentController::of).expectWrites(CREATE, STATUS, NUMBER, STATUS);

        JsonNode set = fixture.all(REPLICA_SETS).get(0);
        String hash = set.at("/metadata/labels/pod-template-hash").asString();
        assertThat(set.at("/metadata/name").asString()).isEqualTo("web-" + hash);
        assertThat(set.at("/spec/selector/matchLabels/pod-template-hash").asString()).isEqualTo(hash);
        assertThat(set.at("/spec/template/metadata/labels/pod-template-hash").asString()).isEqualTo(hash);
        assertThat(set.path("metadata").path("annotations").path("kubernetes.io/change-cause").asString()).isEqualTo("first");
        assertThat(set.at("/metadata/ownerReferences/0/controller").asBoolean()).isTrue();
        assertThat(sets()).containsExactly("x:1=3 rev 1");
        assertThat(fixture.get(DEPLOYMENTS, "web").path("metadata").path("annotations").path(Revisions.REVISION).asString()).isEqualTo("1");
        assertThat(condition("Available")).isEqualTo("False MinimumReplicasUnavailable");
        assertThat(condition("Progressing")).isEqualTo("True ReplicaSetUpdated");
    }

    @Test
    void tellsWhenItIsComplete() {
        deployment("x:1", 2, "");
        fixture.start(DeploymentController::of).forget();

        settle();

        fixture.expectWrites(STATUS);
        assertThat(condition("Available")).isEqualTo("True MinimumReplicasAvailable");
        assertThat(condition("Progressing")).isEqualTo("True NewReplicaSetAvailable");
        assertThat(status().path("updatedReplicas").asInt()).isEqualTo(2);
        assertThat(status().has("unavailableReplicas")).isFalse();
        fixture.forget().pass(Duration.ofHours(1)).expectWrites();
    }

    @Test
    void rollsStepByStep() {
        deployment("x:1", 4, "strategy: {rollingUpdate: {maxSurge: 1, maxUnavailable: 1}}");
        fixture.start(DeploymentController::of);
        settle();

        image("x:2");
        fixture.pass(Fixture.MOMENT);
        assertThat(sets()).as("where an old one went is room for a new one").containsExactly("x:1=3 rev 1", "x:2=2 rev 2");
        available(nameOf("x:1"), 3);
        fixture.pass(Fixture.MOMENT);
        assertThat(sets()).as("as long as no new one works").containsExactly("x:1=3 rev 1", "x:2=2 rev 2");
        available(nameOf("x:2"), 1);
        fixture.pass(Fixture.MOMENT);
        assertThat(sets()).containsExactly("x:1=2 rev 1", "x:2=3 rev 2");
        for (int i = 0; i < 6; i++) {
            settle();
        }
        assertThat(sets()).containsExactly("x:1=0 rev 1", "x:2=4 rev 2");
        assertThat(condition("Progressing")).isEqualTo("True NewReplicaSetAvailable");
    }

    @Test
    void goesBackToTheReplicaSetOfAnOldTemplate() {
        deployment("x:1", 1, "");
        fixture.start(DeploymentController::of);
        settle();
        roll("x:2");

        roll("x:1"); // what kubectl rollout undo does

        assertThat(sets()).containsExactly("x:1=1 rev 3", "x:2=0 rev 2");
        assertThat(fixture.get(DEPLOYMENTS, "web").path("metadata").path("annotations").path(Revisions.REVISION).asString()).isEqualTo("3");
    }

    private void roll(String image) {
        image(image);
        fixture.pass(Fixture.MOMENT);
        for (int i = 0; i < 4; i++) {
            settle();
        }
    }

    @Test
    void keepsAsMuchHistoryAsItShould() {
        deployment("x:1", 1, "revisionHistoryLimit: 2");
        fixture.start(DeploymentController::of);
        settle();

        for (int i = 2; i <= 5; i++) {
            roll("x:" + i);
        }

        assertThat(sets()).containsExactly("x:3=0 rev 3", "x:4=0 rev 4", "x:5=1 rev 5");
    }

    @Test
    void recreatesOnlyAfterTheOldPodsAreGone() {
        deployment("x:1", 2, "strategy: {type: Recreate}");
        fixture.start(DeploymentController::of);
        settle();
        slowPodOf("x:1");

        image("x:2");
        fixture.pass(Fixture.MOMENT);
        settle();
        assertThat(sets()).containsExactly("x:1=0 rev 1");
        fixture.server.objects().deleteNow(PodControl.PODS, ObjectKey.of("default", "slow"));
        fixture.pass(Fixture.MOMENT);
        assertThat(sets()).containsExactly("x:1=0 rev 1", "x:2=2 rev 2");
    }

    private void slowPodOf(String image) {
        fixture.given("""
                apiVersion: v1
                kind: Pod
                metadata: {name: slow, labels: {app: web}, %s}
                spec: {containers: [{name: c, image: "%s"}]}
                """.formatted(Fixture.ownedBy("ReplicaSet", fixture.get(REPLICA_SETS, nameOf(image))), image));
    }

    @Test
    void recreatesOldPodsTooOnlyAfterTheNewOnesAreGone() {
        deployment("x:1", 2, "strategy: {type: Recreate}");
        fixture.start(DeploymentController::of);
        settle();
        roll("x:2");
        slowPodOf("x:2");

        roll("x:1");
        assertThat(sets()).containsExactly("x:1=0 rev 3", "x:2=0 rev 2");
        fixture.server.objects().deleteNow(PodControl.PODS, ObjectKey.of("default", "slow"));
        fixture.pass(Fixture.MOMENT);
        assertThat(sets()).containsExactly("x:1=2 rev 3", "x:2=0 rev 2");
    }

    @Test
    void waitsWhileItIsPausedButScales() {
        deployment("x:1", 2, "");
        fixture.start(DeploymentController::of);
        settle();

        edit(spec -> spec.put("paused", true).put("replicas", 3));
        image("x:2");
        fixture.pass(Fixture.MOMENT);
        assertThat(sets()).containsExactly("x:1=3 rev 1");
        assertThat(condition("Progressing")).isEqualTo("Unknown DeploymentPaused");
        edit(spec -> spec.put("paused", false));
        fixture.pass(Fixture.MOMENT);
        assertThat(sets()).contains("x:2=1 rev 2");
        assertThat(condition("Progressing")).isEqualTo("True ReplicaSetUpdated");
    }

    @Test
    void saysThatItHasNotGotOnForTooLong() {
        deployment("x:1", 2, "progressDeadlineSeconds: 60");
        fixture.start(DeploymentController::of).pass(Duration.ofSeconds(30));
        assertThat(condition("Progressing")).isEqualTo("True ReplicaSetUpdated");
        available(nameOf("x:1"), 1);
        fixture.pass(Duration.ofSeconds(59));
        assertThat(condition("Progressing")).isEqualTo("True ReplicaSetUpdated");
        fixture.pass(Duration.ofSeconds(3));
        assertThat(condition("Progressing")).isEqualTo("False ProgressDeadlineExceeded");
        settle();
        assertThat(condition("Progressing")).isEqualTo("True NewReplicaSetAvailable");
    }

    @Test
    void makesNoSecondReplicaSetIfTheAnswerIsLost() {
        deployment("x:1", 2, "");
        fixture.server.faults().on("create", "replicasets.apps").after(0).bytes().cut(Cut.RST);
        fixture.server.faults().onWatch("replicasets.apps").skip(1).always().refuse();

        fixture.start(DeploymentController::of).pass(Duration.ofMinutes(1));

        assertThat(fixture.failures()).isNotEmpty();
        assertThat(sets()).containsExactly("x:1=2 rev 1");
        assertThat(status().has("collisionCount")).isFalse();
    }

    @Test
    void takesAnotherNameWhereItsOwnIsTaken() {
        deployment("x:1", 2, "");
        fixture.start(DeploymentController::of);
        String name = fixture.names(REPLICA_SETS).get(0);
        fixture.close();
        try (var other = new Fixture()) {
            other.given("""
                    {apiVersion: apps/v1, kind: ReplicaSet, metadata: {name: %s},
                     spec: {replicas: 0, selector: {matchLabels: {a: b}},
                      template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c, image: i}]}}}}""".formatted(name));
            other.given("""
                    apiVersion: apps/v1
                    kind: Deployment
                    metadata: {name: web}
                    spec:
                      replicas: 2
                      selector: {matchLabels: {app: web}}
                      template: {metadata: {labels: {app: web}}, spec: {containers: [{name: c, image: "x:1"}]}}
                    """);
            other.start(DeploymentController::of);

            assertThat(other.names(REPLICA_SETS)).hasSize(2);
            assertThat(other.get(DEPLOYMENTS, "web").at("/status/collisionCount").asInt()).isEqualTo(1);
        }
    }
}
