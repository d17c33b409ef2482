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
 * A cluster in motion. Each move lets every workload make one change, and then the controllers take one step each: deployments roll pod by
 * pod, ReplicaSets create and delete pods, the scheduler binds them, kubelets start them and start them again. What a test or {@code kubectl} puts into
 * the cluster meanwhile is taken care of in the same way.
 *
 * <pre>{@code
 * Disposable motion = Simulation.of(server).seed(7).smallCluster().start(Duration.ofMillis(250));
 * }</pre>
 */
public final class Simulation {

    private static final Logger LOG = LoggerFactory.getLogger(Simulation.class);

    private final FakeApiServer server;
    private final List<Workload> workloads = new ArrayList<>();
    private final boolean controllers;
    private Random random = new Random(1);

    private Simulation(FakeApiServer server, boolean controllers) {
        this.server = server;
        this.controllers = controllers;
    }

    /** Nothing but the controllers yet. */
    public static Simulation of(FakeApiServer server) {
        return new Simulation(server, true);
    }

    /** Nothing at all yet: for controllers of the user's own, beside which {@link Workload#scheduler} and {@link Workload#kubelet} may run. */
    public static Simulation withoutControllers(FakeApiServer server) {
        return new Simulation(server, false);
    }

    /** From here on. */
    public Simulation seed(long seed) {
        this.random = new Random(seed);
        return this;
    }

    public Simulation with(Workload workload) {
        workloads.add(workload);
        return this;
    }

    /** Nodes that are ready, {@code node-1} and so on. */
    public Simulation nodes(int n) {
        for (int i = 1; i <= n; i++) {
            server.objects().create(Nodes.node("node-" + i));
        }
        return this;
    }

    /** Three nodes, four deployments in two namespaces, and a bit of everything that happens to them. */
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

    /** A deployment for the controllers to look after. */
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

    /** Moves {@code n} times, now, on the caller's thread. */
    public Simulation move(int n) {
        ClusterObjects objects = server.objects();
        for (int i = 0; i < n; i++) {
            workloads.forEach(workload -> workload.move(objects, random));
            if (controllers) {
                Deployments.step(objects);
                ReplicaSets.step(objects);
                Pods.step(objects, random);
            }
        }
        return this;
    }

    /** Moves at this pace, in the server's time, until it is disposed or the server is closed. */
    public Disposable start(Duration pace) {
        return Flux.interval(pace, server.scheduler())
                .onBackpressureDrop()
                .subscribe(tick -> moveOn(), failure -> LOG.error("the simulation has stopped", failure));
    }

    /** One object that someone else deleted meanwhile does not stop the world. */
    private void moveOn() {
        try {
            move(1);
        } catch (RuntimeException failure) {
            LOG.debug("a move was abandoned: {}", failure.getMessage());
        }
    }
}
