package io.reactiveinformer.test.simulation;

import io.reactiveinformer.apiserver.ClusterObjects;
import io.reactiveinformer.test.FakeApiServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;

/**
 * A cluster in motion. In each move every workload makes one change, and then each controller takes one step: deployments roll pod by pod,
 * ReplicaSets create and delete pods, the scheduler binds them, kubelets start and restart them. Objects that a test or {@code kubectl}
 * creates meanwhile are treated in the same way. Configure it before it moves.
 *
 * <pre>{@code
 * Disposable motion = Simulation.of(server).seed(7).smallCluster().start(Duration.ofMillis(250));
 * }</pre>
 */
public final class Simulation {

    private static final Logger LOG = LoggerFactory.getLogger(Simulation.class);

    /** Scheduler and kubelet act in one of so many moves, so that a pod is seen to wait. */
    private static final int SLOWNESS = 3;

    /** Longer than each grace period: the server removes deleted pods, in the time for which it is built. */
    private static final Duration LONGEST_SHUTDOWN = Duration.ofDays(365);

    private final FakeApiServer server;
    private final List<Workload> workloads = new ArrayList<>();
    private final boolean controllers;
    private final Workload scheduler = Workload.scheduler().oneIn(SLOWNESS);
    private final Workload kubelet = Workload.kubelet().withoutBackoff().shutdown(LONGEST_SHUTDOWN).oneIn(SLOWNESS);
    private Random random = new Random(1);

    private Simulation(FakeApiServer server, boolean controllers) {
        server.requireMemory("a simulation of a cluster's controllers");
        this.server = server;
        this.controllers = controllers;
    }

    /** A simulation of the controllers only, until workloads are added. */
    public static Simulation of(FakeApiServer server) {
        return new Simulation(server, true);
    }

    /**
     * A simulation without controllers, in which nothing moves until workloads are added: for the user's own controllers, with
     * {@link Workload#scheduler} and {@link Workload#kubelet}.
     */
    public static Simulation withoutControllers(FakeApiServer server) {
        return new Simulation(server, false);
    }

    /** Seeds the random choices from here on. The default is 1. */
    public Simulation seed(long seed) {
        this.random = new Random(seed);
        return this;
    }

    /** Adds a workload. Workloads change the cluster in the order in which they were added, before the controllers. */
    public Simulation with(Workload workload) {
        workloads.add(workload);
        return this;
    }

    /** Creates {@code n} ready nodes, {@code node-1} and so on, at once. */
    public Simulation nodes(int n) {
        for (int i = 1; i <= n; i++) {
            server.objects().create(Nodes.node("node-" + i));
        }
        return this;
    }

    /**
     * Creates three nodes and four deployments in two namespaces, at once, and adds rollouts, scaling, failures, deletions and node losses.
     */
    public Simulation smallCluster() {
        nodes(3);
        deployment("shop", "web", 3);
        deployment("shop", "cart", 2);
        deployment("shop", "payments", 2);
        deployment("monitoring", "collector", 1);
        return with(Workload.rollouts().oneIn(30))
                .with(Workload.scaling(4).oneIn(60))
                .with(Workload.failures().oneIn(25))
                .with(Workload.deletions().oneIn(40))
                .with(Workload.nodeLoss().oneIn(120));
    }

    /** Creates a deployment of one container, at once. */
    public Simulation deployment(String namespace, String name, int replicas) {
        server.objects().create("""
                apiVersion: apps/v1
                kind: Deployment
                metadata: {name: %2$s, namespace: %1$s, labels: {app: %2$s}}
                spec:
                  replicas: %3$d
                  selector: {matchLabels: {app: %2$s}}
                  template:
                    metadata: {labels: {app: %2$s}}
                    spec: {containers: [{name: %2$s, image: "registry.example/%2$s:1.0"}]}
                """.formatted(namespace, name, replicas));
        return this;
    }

    /** Moves {@code n} times, at once, on the caller's thread. A failure of a workload or of the server is thrown. */
    public Simulation move(int n) {
        ClusterObjects objects = server.objects();
        for (int i = 0; i < n; i++) {
            workloads.forEach(workload -> workload.move(objects, random));
            if (controllers) {
                Deployments.step(objects);
                ReplicaSets.step(objects);
                scheduler.move(objects, random);
                kubelet.move(objects, random);
            }
        }
        return this;
    }

    /**
     * Moves once per {@code pace} of the server's time, on its scheduler, until the result is disposed or the server is closed. A move that
     * fails is abandoned; later ones go on.
     */
    public Disposable start(Duration pace) {
        return Flux.interval(pace, server.scheduler())
                .onBackpressureDrop()
                .subscribe(tick -> moveOn(), failure -> LOG.error("the simulation has stopped", failure));
    }

    /** Abandons a move that fails, as when another client has deleted an object meanwhile; later moves go on. */
    private void moveOn() {
        try {
            move(1);
        } catch (RuntimeException failure) {
            LOG.debug("a move was abandoned: {}", failure.getMessage());
        }
    }
}
