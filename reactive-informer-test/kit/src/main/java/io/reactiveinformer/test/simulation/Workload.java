package io.reactiveinformer.test.simulation;

import io.reactiveinformer.apiserver.ClusterObjects;
import io.reactiveinformer.resource.ObjectKey;
import java.util.List;
import java.util.Random;
import tools.jackson.databind.node.ObjectNode;

/** Something that keeps changing a cluster. The {@link Simulation}'s controllers answer with ReplicaSets and pods. */
@FunctionalInterface
public interface Workload {

    /** Makes one change, or none. Of the random choices none may come from elsewhere. */
    void move(ClusterObjects cluster, Random random);

    /** This, but only in one of {@code n} moves on average. */
    default Workload oneIn(int n) {
        return (cluster, random) -> {
            if (random.nextInt(n) == 0) {
                move(cluster, random);
            }
        };
    }

    /** Gives some deployment a new image, so that it rolls. */
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

    /** Changes how many replicas some deployment wants, up to {@code most}. */
    static Workload scaling(int most) {
        return (cluster, random) -> Choice.of(cluster.list(Types.DEPLOYMENTS), random)
                .ifPresent(deployment -> cluster.edit(Types.DEPLOYMENTS, Types.key(deployment), changed -> {
                    ((ObjectNode) changed.path("spec")).put("replicas", 1 + random.nextInt(most));
                    return changed;
                }));
    }

    /** Lets the containers of some running pod fail; the kubelet starts them again. */
    static Workload failures() {
        return (cluster, random) -> Choice.of(running(cluster), random)
                .ifPresent(pod -> cluster.edit(Types.PODS, Types.key(pod), changed -> Pods.failed(changed, random)));
    }

    /** Deletes some pod, as an operator would who wants a fresh one. */
    static Workload deletions() {
        return (cluster, random) -> Choice.of(running(cluster), random).ifPresent(pod -> cluster.delete(Types.PODS, Types.key(pod)));
    }

    /** Makes some node lose its connection, or a lost one come back; the pods of a lost node are deleted. */
    static Workload nodeLoss() {
        return (cluster, random) -> Choice.of(cluster.list(Types.NODES), random).ifPresent(node -> Nodes.toggle(cluster, node));
    }

    /** Binds pods to nodes, as a scheduler does that knows readiness, cordons and node selectors. Not beside the simulation's own controllers. */
    static Workload scheduler() {
        return new PodScheduler();
    }

    /** Starts bound pods, and what is to become of them then. Not beside the simulation's own controllers. */
    static Kubelet kubelet() {
        return new Kubelet();
    }

    private static List<ObjectNode> running(ClusterObjects cluster) {
        return cluster.list(Types.PODS).stream().filter(Pods::isReady).toList();
    }

    /** Keys, for workloads of the user's own. */
    static ObjectKey key(ObjectNode object) {
        return Types.key(object);
    }
}
