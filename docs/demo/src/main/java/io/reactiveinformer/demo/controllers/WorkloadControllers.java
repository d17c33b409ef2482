package io.reactiveinformer.demo.controllers;

import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.controller.Controller;
import io.reactiveinformer.controller.Reconciled;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.resource.ObjectKey;
import java.util.List;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** The three of them, over shared informers. The client stays open. */
public final class WorkloadControllers implements AutoCloseable {

    private final InformerFactory informers;
    private final List<Controller<ObjectKey>> controllers;

    private WorkloadControllers(Cluster cluster) {
        informers = cluster.informers();
        controllers = List.of(DeploymentController.of(cluster), ReplicaSetController.of(cluster), JobController.of(cluster));
    }

    /** Not started yet. */
    public static WorkloadControllers over(KubernetesClient client) {
        return over(new Cluster(client, InformerFactory.create(client), Schedulers.parallel()));
    }

    static WorkloadControllers over(Cluster cluster) {
        return new WorkloadControllers(cluster);
    }

    /** Returns at once. */
    public void start() {
        controllers.forEach(Controller::start);
        informers.start();
    }

    /** Completes when all caches are complete, and work begins. */
    public Mono<Void> synced() {
        return informers.synced();
    }

    /** What they do, from now on; see {@link Controller#results}. */
    public Flux<Reconciled<ObjectKey>> results() {
        return Flux.merge(controllers.stream().map(Controller::results).toList());
    }

    @Override
    public void close() {
        controllers.forEach(Controller::close);
        informers.close();
    }
}
