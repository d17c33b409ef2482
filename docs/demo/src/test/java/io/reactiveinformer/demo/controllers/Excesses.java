package io.reactiveinformer.demo.controllers;

import io.reactiveinformer.apiserver.ApiRequest.Verb;
import io.reactiveinformer.resource.ResourceType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import static io.reactiveinformer.demo.controllers.DeploymentController.DEPLOYMENTS;
import static io.reactiveinformer.demo.controllers.JobController.JOBS;
import static io.reactiveinformer.demo.controllers.PodControl.PODS;
import static io.reactiveinformer.demo.controllers.ReplicaSetController.REPLICA_SETS;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * What must never be, whatever goes wrong: looked at on the server before each request that changes pods or how many there are to be, so
 * that little happens between two looks but what one of them did, and time. Caches may be behind, so what an owner may have is the most
 * that it ever asked for.
 */
final class Excesses {

    private static final Set<Verb> TO_PODS = Set.of(Verb.CREATE, Verb.PATCH, Verb.DELETE);

    private final Fixture fixture;
    private final Map<String, Integer> mostWanted = new HashMap<>(); // by uid, as all here
    private final Map<String, Set<String>> succeeded = new HashMap<>();
    private final Map<String, Set<String>> failed = new HashMap<>();
    private final List<String> found = new ArrayList<>();
    private String lookedAt = "";

    Excesses(Fixture fixture) {
        this.fixture = fixture;
    }

    /** From here on. To be said again after faults were cleared. */
    void begin() {
        fixture.server.faults().onRequest("a look before each write", request -> {
            boolean matters = TO_PODS.contains(request.verb()) && request.isAbout("pods")
                    || request.verb() == Verb.PATCH && request.isAbout("replicasets.apps")
                    || request.verb() == Verb.UPDATE && request.isAbout("jobs.batch/status");
            if (matters) {
                look();
            }
            return false;
        }).always().refuse();
    }

    void check() {
        look();
        assertThat(found).as("what must never be").isEmpty();
    }

    /** The pods of a job that were ever seen to have succeeded. */
    Set<String> succeeded(String job) {
        return succeeded.getOrDefault(job, Set.of());
    }

    /** Those that were seen to have failed, or to have been deleted before they had succeeded. */
    Set<String> failed(String job) {
        return failed.getOrDefault(job, Set.of());
    }

    private void look() {
        String version = fixture.server.resourceVersion();
        if (version.equals(lookedAt)) {
            return;
        }
        lookedAt = version;
        Map<String, Integer> active = new HashMap<>();
        Map<String, Integer> available = new HashMap<>();
        for (ObjectNode pod : fixture.all(PODS)) {
            String owner = controller(pod);
            String phase = pod.at("/status/phase").asString("");
            boolean leaving = pod.path("metadata").has("deletionTimestamp");
            if (phase.equals("Succeeded")) {
                succeeded.computeIfAbsent(owner, uid -> new HashSet<>()).add(uid(pod));
            } else if (phase.equals("Failed") || leaving) {
                failed.computeIfAbsent(owner, uid -> new HashSet<>()).add(uid(pod));
            } else {
                active.merge(owner, 1, Integer::sum);
                available.merge(owner, isReady(pod) ? 1 : 0, Integer::sum);
            }
        }
        fixture.all(REPLICA_SETS).forEach(set -> atMost(set, active, mostWanted(set, set.at("/spec/replicas").asInt())));
        for (ObjectNode job : fixture.all(JOBS)) {
            atMost(job, active, mostWanted(job, job.at("/spec/parallelism").asInt()));
            int pods = active.getOrDefault(uid(job), 0) + succeeded(uid(job)).size();
            check(pods <= FinalState.COMPLETIONS, job, pods + " pods for " + FinalState.COMPLETIONS + " completions");
        }
        fixture.all(DEPLOYMENTS).stream().filter(each -> name(each).equals(ControllersTrial.ROLLED))
                .forEach(rolled -> look(rolled, available));
    }

    private void look(ObjectNode rolled, Map<String, Integer> available) {
        int replicas = rolled.at("/spec/replicas").asInt();
        List<ObjectNode> sets = fixture.all(REPLICA_SETS).stream().filter(set -> controller(set).equals(uid(rolled))).toList();
        int wanted = sets.stream().mapToInt(set -> set.at("/spec/replicas").asInt()).sum();
        int there = sets.stream().mapToInt(set -> available.getOrDefault(uid(set), 0)).sum();
        check(wanted <= replicas + 1, rolled, wanted + " replicas, with maxSurge 1, of " + replicas);
        check(there >= replicas - 1, rolled, there + " available, with maxUnavailable 1, of " + replicas);
    }

    private int mostWanted(ObjectNode owner, int now) {
        return mostWanted.merge(uid(owner), now, Math::max);
    }

    private void atMost(ObjectNode owner, Map<String, Integer> active, int most) {
        int pods = active.getOrDefault(uid(owner), 0);
        check(pods <= most, owner, pods + " pods where it never wanted more than " + most);
    }

    private void check(boolean holds, ObjectNode object, String otherwise) {
        if (!holds) {
            found.add(object.path("kind").asString() + " " + name(object) + ": " + otherwise
                    + " at " + fixture.clock.now(TimeUnit.MILLISECONDS) + " ms");
        }
    }

    private static boolean isReady(JsonNode pod) {
        return pod.at("/status/conditions").valueStream()
                .anyMatch(condition -> condition.path("type").asString().equals("Ready")
                        && condition.path("status").asString().equals("True"));
    }

    static String name(JsonNode object) {
        return object.at("/metadata/name").asString();
    }

    static String uid(JsonNode object) {
        return object.at("/metadata/uid").asString();
    }

    /** The uid of who controls it; empty if nobody does. */
    static String controller(JsonNode object) {
        return object.at("/metadata/ownerReferences").valueStream()
                .filter(owner -> owner.path("controller").asBoolean(false))
                .map(owner -> owner.path("uid").asString())
                .findFirst()
                .orElse("");
    }

    static List<ObjectNode> controlled(Fixture fixture, ResourceType<?> type, JsonNode owner) {
        return fixture.all(type).stream().filter(object -> controller(object).equals(uid(owner))).toList();
    }
}
