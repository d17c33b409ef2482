package io.reactiveinformer.demo.controllers;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1ReplicaSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Numbers the templates of a deployment, each on its ReplicaSet. {@code kubectl rollout history} and {@code undo} use these numbers. */
final class Revisions {

    static final String REVISION = "deployment.kubernetes.io/revision";

    private static final int HISTORY_LIMIT = 10;

    /** The annotations of a deployment that are not copied to its ReplicaSets; all others are. */
    private static final Set<String> ITS_OWN = Set.of(
            REVISION,
            "deployment.kubernetes.io/revision-history",
            "deployment.kubernetes.io/desired-replicas",
            "deployment.kubernetes.io/max-replicas",
            "deprecated.deployment.rollback.to",
            "kubectl.kubernetes.io/last-applied-configuration");

    private Revisions() {}

    static long of(KubernetesObject object) {
        try {
            return Long.parseLong(Meta.annotations(object).getOrDefault(REVISION, "0"));
        } catch (NumberFormatException unreadable) {
            return 0; // written by another program: as if there were no revision
        }
    }

    /** The annotations of the current ReplicaSet: the newest revision, and the deployment's own annotations. */
    static Map<String, String> annotations(V1Deployment deployment, KubernetesObject now, Collection<V1ReplicaSet> old) {
        Map<String, String> annotations = new HashMap<>(Meta.annotations(now));
        Meta.annotations(deployment).forEach((name, value) -> {
            if (!ITS_OWN.contains(name)) {
                annotations.put(name, value);
            }
        });
        long newest = old.stream().mapToLong(Revisions::of).max().orElse(0);
        annotations.put(REVISION, Long.toString(Math.max(newest + 1, of(now))));
        return annotations;
    }

    /** The ReplicaSets beyond the history limit, oldest first; only those that have no pods and want none. */
    static List<V1ReplicaSet> outdated(V1Deployment deployment, Collection<V1ReplicaSet> old) {
        int limit = Objects.requireNonNullElse(deployment.getSpec().getRevisionHistoryLimit(), HISTORY_LIMIT);
        List<V1ReplicaSet> idle = old.stream().filter(Revisions::isIdle).sorted(Comparator.comparingLong(Revisions::of)).toList();
        return idle.subList(0, Math.max(0, idle.size() - limit));
    }

    private static boolean isIdle(V1ReplicaSet set) {
        return !Meta.isLeaving(set)
                && ReplicaSetController.replicas(set) == 0
                && set.getStatus() != null
                && Meta.count(set.getStatus().getReplicas()) == 0
                && Objects.equals(set.getStatus().getObservedGeneration(), set.getMetadata().getGeneration());
    }
}
