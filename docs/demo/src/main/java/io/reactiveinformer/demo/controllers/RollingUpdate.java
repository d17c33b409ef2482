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
 * Computes the next size of each ReplicaSet of a deployment, on the way from the old template to the new one: never more than
 * {@code replicas + maxSurge} pods in all, and never fewer than {@code replicas - maxUnavailable} available ones.
 *
 * @param replicas the wanted number of pods in the end
 * @param maxSurge how many more pods there may be
 * @param maxUnavailable how many of the wanted pods may be unavailable; at least 1 if {@code maxSurge} is 0
 * @see <a href="https://kubernetes.io/docs/concepts/workloads/controllers/deployment/#rolling-update-deployment">Kubernetes: rolling
 *     update</a>
 */
record RollingUpdate(int replicas, int maxSurge, int maxUnavailable) {

    private static final IntOrString QUARTER = new IntOrString("25%");

    /**
     * The size of a ReplicaSet. At most {@code replicas} of its pods count as available: further ones are being deleted.
     *
     * @param current whether {@code available} was counted for this size: a set that has shrunk and grown again may have fewer
     */
    record Size(String name, int replicas, int available, boolean current) {

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

    /** Percentages are rounded up for the surge, and down for the unavailable pods. */
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

    /** How many pods must be available at any time. */
    int minAvailable() {
        return Math.max(0, replicas - maxUnavailable);
    }

    /** The next size of the new ReplicaSet, if it may grow. */
    int growth(@Nullable Size now, List<Size> old) {
        int its = now == null ? 0 : now.replicas();
        int room = replicas + maxSurge - its - sum(old);
        return its >= replicas ? replicas : its + Math.max(0, Math.min(room, replicas - its));
    }

    /**
     * The next sizes, by name. The new ReplicaSet is changed if it may grow or must shrink; otherwise the old ones are, the oldest first:
     * unavailable pods go first, as they serve no request. Empty while the update has to wait, such as for a count, and when it is done.
     */
    Map<String, Integer> next(Size now, List<Size> old) {
        int grown = growth(now, old);
        return grown != now.replicas() ? Map.of(now.name(), grown) : shrunk(now, old);
    }

    private Map<String, Integer> shrunk(Size now, List<Size> old) {
        boolean counted = now.current() || now.available() == 0; // too few of the new ones do no harm
        if (!counted || !old.stream().allMatch(Size::current)) {
            return Map.of();
        }
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
