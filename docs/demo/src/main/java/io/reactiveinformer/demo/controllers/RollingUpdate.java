package io.reactiveinformer.demo.controllers;

import io.kubernetes.client.custom.IntOrString;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1DeploymentStrategy;
import io.kubernetes.client.openapi.models.V1RollingUpdateDeployment;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How many pods each ReplicaSet of a deployment may have next, on the way from the old template to the new one: never more than {@code
 * replicas + maxSurge} in all, and never fewer than {@code replicas - maxUnavailable} of them available.
 *
 * @param replicas that are wanted in the end
 * @param maxSurge how many there may be beyond that
 * @param maxUnavailable how many of them may be missing; at least one, where maxSurge is none
 * @see <a href="https://kubernetes.io/docs/concepts/workloads/controllers/deployment/#rolling-update-deployment">Kubernetes: rolling
 *     update</a>
 */
record RollingUpdate(int replicas, int maxSurge, int maxUnavailable) {

    private static final IntOrString QUARTER = new IntOrString("25%");

    /** What counts of a ReplicaSet. More than {@code replicas} are never available: those beyond are on their way out. */
    record Size(String name, int replicas, int available) {

        Size {
            available = Math.min(available, replicas);
        }

        int unavailable() {
            return replicas - available;
        }
    }

    static RollingUpdate of(V1Deployment deployment) {
        V1DeploymentStrategy strategy = deployment.getSpec().getStrategy();
        V1RollingUpdateDeployment bounds = strategy == null ? null : strategy.getRollingUpdate();
        return of(
                Objects.requireNonNullElse(deployment.getSpec().getReplicas(), 1),
                Objects.requireNonNullElse(bounds == null ? null : bounds.getMaxSurge(), QUARTER),
                Objects.requireNonNullElse(bounds == null ? null : bounds.getMaxUnavailable(), QUARTER));
    }

    /** Of percentages, the surge is rounded up and the unavailable are rounded down. */
    static RollingUpdate of(int replicas, IntOrString maxSurge, IntOrString maxUnavailable) {
        int surge = part(maxSurge, replicas, 99);
        int unavailable = part(maxUnavailable, replicas, 0);
        return new RollingUpdate(replicas, surge, surge == 0 && unavailable == 0 ? 1 : unavailable);
    }

    private static int part(IntOrString bound, int whole, int roundedUpBy) {
        return bound.isInteger()
                ? bound.getIntValue()
                : (Integer.parseInt(bound.getStrValue().replace("%", "").strip()) * whole + roundedUpBy) / 100;
    }

    /** How many must be available all the time. */
    int minAvailable() {
        return Math.max(0, replicas - maxUnavailable);
    }

    /** How many the new one may have. */
    int growth(@Nullable Size now, List<Size> old) {
        int its = now == null ? 0 : now.replicas();
        int room = replicas + maxSurge - its - sum(old);
        return its >= replicas ? replicas : its + Math.max(0, Math.min(room, replicas - its));
    }

    /**
     * What to change next, by name: the new one if it may grow or must shrink, else the old ones, the oldest first: of these, first pods
     * that are not available, which nobody misses. Empty while it has to wait, and when all is done.
     */
    Map<String, Integer> next(Size now, List<Size> old) {
        int grown = growth(now, old);
        return grown != now.replicas() ? Map.of(now.name(), grown) : shrunk(now, old);
    }

    private Map<String, Integer> shrunk(Size now, List<Size> old) {
        int spare = now.replicas() + sum(old) - minAvailable() - now.unavailable();
        Map<String, Integer> sizes = new LinkedHashMap<>();
        for (Size set : old) {
            int broken = Math.max(0, Math.min(spare, set.unavailable()));
            spare -= broken;
            sizes.put(set.name(), set.replicas() - broken);
        }
        for (Size set : old) {
            int working = Math.max(0, Math.min(spare, sizes.getOrDefault(set.name(), 0)));
            spare -= working;
            sizes.merge(set.name(), -working, Integer::sum);
        }
        old.forEach(set -> sizes.remove(set.name(), set.replicas())); // unchanged
        return sizes;
    }

    private static int sum(List<Size> sets) {
        return sets.stream().mapToInt(Size::replicas).sum();
    }
}
