package io.reactiveinformer.demo.controllers;

import io.reactiveinformer.apiserver.ApiRequest.Verb;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.test.faults.Cut;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import static io.reactiveinformer.demo.controllers.PodControl.PODS;
import static io.reactiveinformer.demo.controllers.ReplicaSetController.REPLICA_SETS;
import static org.assertj.core.api.Assertions.assertThat;

class ReplicaSetControllerTest {

    private static final String CREATE = "create pods in default";
    private static final String STATUS = "update replicasets.apps/status web in default";

    /** An event itself. */
    private static final int END_OF_LIST = 1;

    /** For so long a controller waits to see what it has done. */
    private static final Duration HOLD_LIMIT = Duration.ofMinutes(5);

    private final Fixture fixture = new Fixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    private ObjectNode replicaSet(int replicas, String more) {
        return fixture.given("""
                apiVersion: apps/v1
                kind: ReplicaSet
                metadata: {name: web}
                spec:
                  replicas: %d
                  selector: {matchLabels: {app: web}}
                  template:
                    metadata: {labels: {app: web, tier: front}}
                    spec: {containers: [{name: c, image: "x:1"}]}
                %s""".formatted(replicas, more));
    }

    /** @param more of the metadata */
    private ObjectNode pod(String name, String labels, String phase, String more) {
        return fixture.given("""
                apiVersion: v1
                kind: Pod
                metadata: {name: %s, labels: {%s}, %s}
                spec: {nodeName: %s, containers: [{name: c, image: "x:1"}]}
                status: {phase: %s, conditions: [{type: Ready, status: "%s", lastTransitionTime: "%s"}]}
                """.formatted(name, labels, more, phase.equals("Pending") ? "''" : "node-1",
                phase.equals("Ready") ? "Running" : phase, phase.equals("Ready") ? "True" : "False", now()));
    }

    private Instant now() {
        return Instant.ofEpochMilli(fixture.clock.now(TimeUnit.MILLISECONDS));
    }

    private JsonNode status() {
        return fixture.get(REPLICA_SETS, "web").path("status");
    }

    @Test
    void createsWhatIsMissingAndReportsIt() {
        JsonNode set = replicaSet(3, "");
        pod("web-old", "app: web, tier: front", "Ready", Fixture.ownedBy("ReplicaSet", set));

        fixture.start(ReplicaSetController::of).expectWrites(CREATE, CREATE, STATUS, STATUS);

        JsonNode created = fixture.server.requests().writes().get(0).body();
        assertThat(created.at("/metadata/labels").toString()).contains("web", "front");
        assertThat(created.at("/metadata/ownerReferences/0/uid")).isEqualTo(set.at("/metadata/uid"));
        assertThat(fixture.all(PODS)).hasSize(3);
        assertThat(status().toString()).isEqualTo(
                "{\"replicas\":3,\"fullyLabeledReplicas\":3,\"readyReplicas\":1,\"availableReplicas\":1,\"observedGeneration\":1}");
    }

    /** The cache may have what the former one had, long after the garbage collector came. */
    @Test
    void whatAFormerSetOfThatNameHadIsNotItsOwn() {
        JsonNode former = replicaSet(1, "");
        pod("web-former", "app: web, tier: front", "Ready", Fixture.ownedBy("ReplicaSet", former));
        fixture.server.faults().onWatch("pods").after(END_OF_LIST + 1).events().stall();
        fixture.start(ReplicaSetController::of).forget();

        fixture.server.objects().deleteNow(REPLICA_SETS, ObjectKey.of("default", "web"));
        replicaSet(1, "");
        fixture.pass(Fixture.MOMENT);

        assertThat(fixture.server.requests().writes()).filteredOn(request -> request.verb() == Verb.CREATE).hasSize(1);
    }

    @Test
    void asksForNothingWhereAllIsAsItShouldBe() {
        replicaSet(2, "");
        fixture.start(ReplicaSetController::of).forget();

        fixture.edit(PODS, fixture.names(PODS).get(0), pod -> pod.withObject("/metadata/annotations").put("seen", "yes"));
        fixture.pass(Fixture.MOMENT).expectWrites();
    }

    @Test
    void createsNoPodTwiceIfTheAnswerIsLost() {
        replicaSet(5, "");
        fixture.server.faults().onWatch("pods").after(END_OF_LIST + 1).events().stall(); // the cache receives the first and no other
        fixture.server.faults().on("create", "pods").skip(1).times(4).after(0).bytes().cut(Cut.RST);

        fixture.start(ReplicaSetController::of).pass(Duration.ofMinutes(1));

        assertThat(fixture.failures()).isNotEmpty();
        assertThat(fixture.all(PODS)).hasSize(5);
        assertThat(fixture.server.requests().writes()).noneMatch(request -> request.verb() == Verb.DELETE);
    }

    @Test
    void looksAgainOnlyWhenItSeesWhatItHasDone() {
        replicaSet(2, "");
        fixture.server.faults().onWatch("pods").after(END_OF_LIST).events().stall();
        fixture.start(ReplicaSetController::of).expectWrites(CREATE, CREATE, STATUS);

        touch();

        fixture.forget().pass(HOLD_LIMIT.minusSeconds(10)).expectWrites();
        fixture.pass(Duration.ofHours(1));
        assertThat(fixture.all(PODS)).as("though it was looked at again before they were seen").hasSize(2);
        assertThat(fixture.get(REPLICA_SETS, "web").at("/status/replicas").asInt()).isEqualTo(2);
    }

    @Test
    void looksAgainOnlyWhenItSeesThemLeave() {
        JsonNode set = replicaSet(1, "");
        for (String name : List.of("a", "b", "c")) {
            pod(name, "app: web, tier: front", "Ready", Fixture.ownedBy("ReplicaSet", set));
        }
        fixture.server.faults().onWatch("pods").after(3 + END_OF_LIST).events().stall();
        fixture.start(ReplicaSetController::of);
        assertThat(deleted()).hasSize(2);

        touch();

        fixture.forget().pass(HOLD_LIMIT.minusSeconds(10)).expectWrites();
        fixture.pass(Duration.ofHours(1));
        assertThat(fixture.all(PODS)).as("though it was looked at again before they were seen").hasSize(1);
        assertThat(fixture.get(REPLICA_SETS, "web").at("/status/replicas").asInt()).isEqualTo(1);
    }

    private void touch() {
        fixture.edit(REPLICA_SETS, "web", set -> set.withObject("/metadata/annotations").put("seen", "yes"));
    }

    @Test
    void adoptsOrphansThatMatchAndReleasesWhatNoLongerDoes() {
        JsonNode set = replicaSet(2, "");
        pod("changed", "app: other", "Ready", Fixture.ownedBy("ReplicaSet", set));
        pod("orphan", "app: web", "Ready", "");
        pod("stranger", "app: other", "Ready", "");
        pod("foreign", "app: web", "Ready",
                "ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: else, uid: u, controller: true}]");
        pod("over", "app: web", "Succeeded", "");

        fixture.start(ReplicaSetController::of)
                .expectWrites("patch pods changed in default", "patch pods orphan in default", CREATE, STATUS, STATUS);

        assertThat(fixture.get(PODS, "changed").at("/metadata/ownerReferences")).isEmpty();
        assertThat(fixture.get(PODS, "orphan").at("/metadata/ownerReferences/0/uid")).isEqualTo(set.at("/metadata/uid"));
        assertThat(fixture.get(PODS, "orphan").at("/metadata/ownerReferences/0/blockOwnerDeletion").asBoolean()).isTrue();
    }

    @Test
    void receivesOrphansThatItCouldAdopt() {
        replicaSet(1, "");
        fixture.start(ReplicaSetController::of).forget();

        pod("orphan", "app: web", "Ready", "");
        fixture.pass(Fixture.MOMENT);

        assertThat(fixture.names(PODS)).containsExactly("orphan"); // and the one that is not ready went
        assertThat(fixture.server.requests().writes().get(0)).hasToString("patch pods orphan in default");
    }

    @Test
    void deletesFirstWhoIsMissedLeast() {
        JsonNode set = replicaSet(2, "");
        String owned = Fixture.ownedBy("ReplicaSet", set);
        pod("old", "app: web", "Ready", owned);
        fixture.pass(Duration.ofMinutes(1));
        pod("young", "app: web", "Ready", owned);
        pod("cheap", "app: web", "Ready", "annotations: {controller.kubernetes.io/pod-deletion-cost: '-5'}, " + owned);
        pod("broken", "app: web", "Running", owned);
        pod("waiting", "app: web", "Pending", owned);

        fixture.start(ReplicaSetController::of);
        assertThat(deleted()).containsExactly("waiting", "broken", "cheap");
        fixture.forget().edit(REPLICA_SETS, "web", changed -> changed.withObject("/spec").put("replicas", 1));
        fixture.pass(Fixture.MOMENT);
        assertThat(deleted()).containsExactly("young");
    }

    private List<String> deleted() {
        return fixture.server.requests().writes().stream().filter(request -> request.verb() == Verb.DELETE)
                .map(request -> request.name()).toList();
    }

    @Test
    void deletesNobodyTwiceWhileTheyLeave() {
        replicaSet(3, "");
        fixture.start(ReplicaSetController::of);
        List<String> names = fixture.names(PODS);
        names.forEach(
                name -> fixture.edit(PODS, name, pod -> pod.withObject("/metadata").withArray("/finalizers").add("example.com/kept")));
        fixture.forget().edit(REPLICA_SETS, "web", changed -> changed.withObject("/spec").put("replicas", 1));

        fixture.pass(Fixture.MOMENT);

        assertThat(deleted()).hasSize(2).doesNotHaveDuplicates();
        assertThat(fixture.names(PODS)).hasSize(3);
        assertThat(status().path("replicas").asInt()).isEqualTo(1);
    }

    @Test
    void countsAPodAsAvailableAfterItHasBeenReadyForSoLong() {
        JsonNode set = replicaSet(1, "  minReadySeconds: 30");
        pod("web-1", "app: web, tier: front", "Ready", Fixture.ownedBy("ReplicaSet", set));

        fixture.start(ReplicaSetController::of).expectWrites(STATUS);
        assertThat(status().path("readyReplicas").asInt()).isEqualTo(1);
        assertThat(status().has("availableReplicas")).isFalse();
        fixture.forget().pass(Duration.ofSeconds(30)).expectWrites(STATUS);
        assertThat(status().path("availableReplicas").asInt()).isEqualTo(1);
    }

    @Test
    void asksOnceWhereTheServerLetsNobodyCreate() {
        replicaSet(40, "");
        fixture.server.faults().on("create", "pods").status(403, "Forbidden", "exceeded quota");

        fixture.start(ReplicaSetController::of);

        assertThat(fixture.failures()).hasSize(1);
        assertThat(fixture.server.requests().writes().subList(0, 2)).extracting(Object::toString).containsExactly(CREATE, STATUS);
        assertThat(fixture.all(PODS)).hasSize(40);
    }

    @Test
    void takesItForNoFailureThatOneIsGoneWhoseStatusItWrites() {
        replicaSet(1, "");
        fixture.server.faults().on("update", "replicasets.apps/status").status(404, "NotFound", "replicasets.apps \"web\" not found");

        fixture.start(ReplicaSetController::of);

        assertThat(fixture.server.requests().writes()).anyMatch(request -> request.toString().equals(STATUS));
        assertThat(fixture.failures()).isEmpty();
    }

    @Test
    void leavesThePodsOfOneThatIsDeletedToTheGarbageCollector() {
        replicaSet(2, "");
        fixture.edit(REPLICA_SETS, "web", set -> set.withObject("/metadata").withArray("/finalizers").add("example.com/kept"));
        fixture.server.objects().delete(REPLICA_SETS, ObjectKey.of("default", "web"));

        fixture.start(ReplicaSetController::of).expectWrites();
    }
}
