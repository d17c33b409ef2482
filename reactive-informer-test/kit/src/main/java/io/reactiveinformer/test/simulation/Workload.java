package io.reactiveinformer.test.simulation;

import io.reactiveinformer.apiserver.ClusterObjects;
import io.reactiveinformer.resource.ObjectKey;
import java.util.List;
import java.util.Random;
import tools.jackson.databind.node.ObjectNode;

/** A source of changes to a cluster, one per move of a {@link Simulation}, whose controllers react with ReplicaSets and pods. */
@FunctionalInterface
public interface Workload {

    /**
     * Makes one change, or none, on the thread of the move.
     *
     * @param random the source of all random choices, so that the same seed makes the same moves
     */
    void move(ClusterObjects cluster, Random random);

    /** This workload, but only in one of {@code n} moves on average. */
    default Workload oneIn(int n) {
        return (cluster, random) -> {
            if (random.nextInt(n) == 0) {
                move(cluster, random);
            }
        };
    }

    /** Gives a random deployment a new image, so that it rolls. */
    static Workload rollouts() {
        return (cluster, random) -> Choice.of(cluster.list(Types.DEPLOYMENTS), random)
                .ifPresent(deployment -> cluster.edit(Types.DEPLOYMENTS, Types.key(deployment), changed -> {
                    ObjectNode container = (ObjectNode) changed.at("/spec/template/spec/containers/0");
                    String image = container.path("image").asString("app");
                    String name = image.contains(":") ? image.substring(0, image.lastIndexOf(':')) : image;
                    container.put("image", name + ":1." + random.nextInt(1000));
                    return changed;
                }));
    }

    /** Sets the replicas of a random deployment to a number between 1 and {@code most}. */
    static Workload scaling(int most) {
        return (cluster, random) -> Choice.of(cluster.list(Types.DEPLOYMENTS), random)
                .ifPresent(deployment -> cluster.edit(Types.DEPLOYMENTS, Types.key(deployment), changed -> {
                    ((ObjectNode) changed.path("spec")).put("replicas", 1 + random.nextInt(most));
                    return changed;
                }));
    }

    /** Makes the containers of a random running pod fail; the kubelet restarts them. */
    static Workload failures() {
        return (cluster, random) -> Choice.of(running(cluster), random)
                .ifPresent(pod -> cluster.edit(Types.PODS, Types.key(pod), changed -> Pods.failed(changed, random)));
    }

    /** Deletes a random running pod, as an operator does to get a fresh one. */
    static Workload deletions() {
        return (cluster, random) -> Choice.of(running(cluster), random).ifPresent(pod -> cluster.delete(Types.PODS, Types.key(pod)));
    }

    /** Loses a random node, or brings it back if it is lost. The pods of a lost node are deleted; the last ready node is never lost. */
    static Workload nodeLoss() {
        return (cluster, random) -> Choice.of(cluster.list(Types.NODES), random).ifPresent(node -> Nodes.toggle(cluster, node));
    }

    /** Binds pods to nodes, with regard to readiness, cordons and node selectors. Not for use beside the simulation's own controllers. */
    static Workload scheduler() {
        return new PodScheduler();
    }

    /** Starts, ends and restarts bound pods. Not for use beside the simulation's own controllers. */
    static Kubelet kubelet() {
        return new Kubelet();
    }

    private static List<ObjectNode> running(ClusterObjects cluster) {
        return cluster.list(Types.PODS).stream().filter(Pods::isReady).toList();
    }

    /** The key of an object, for the user's own workloads. */
    static ObjectKey key(ObjectNode object) {
        return Types.key(object);
    }
}
