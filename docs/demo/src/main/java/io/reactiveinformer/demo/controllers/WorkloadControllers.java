package io.reactiveinformer.demo.controllers;

import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.controller.Controller;
import io.reactiveinformer.controller.Controller.Reconciled;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.recorder.EventRecorder;
import io.reactiveinformer.resource.ObjectKey;
import java.util.ArrayList;
import java.util.List;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * The controllers for deployments, ReplicaSets and jobs, over shared informers. {@link #close} closes the informers, but not the client.
 */
public final class WorkloadControllers implements AutoCloseable {

    private final InformerFactory informers;
    private final List<EventRecorder> recorders;
    private final List<Controller<ObjectKey>> controllers;

    private WorkloadControllers(Cluster cluster, List<EventRecorder> recorders) {
        this.informers = cluster.informers();
        this.recorders = recorders;
        controllers = List.of(DeploymentController.of(cluster), ReplicaSetController.of(cluster), JobController.of(cluster));
    }

    /** Controllers with informers of their own; not started yet. */
    public static WorkloadControllers over(KubernetesClient client) {
        return over(client, InformerFactory.create(client));
    }

    /**
     * As {@link #over(KubernetesClient)}, over informers that are used elsewhere, too; they are started and closed with the controllers.
     */
    public static WorkloadControllers over(KubernetesClient client, InformerFactory informers) {
        List<EventRecorder> recorders = new ArrayList<>();
        return new WorkloadControllers(new Cluster(client, informers, name -> {
            EventRecorder recorder = EventRecorder.of(client, name);
            recorders.add(recorder);
            return recorder;
        }, Schedulers.parallel()), recorders);
    }

    /** Starts the controllers, then the informers. Returns at once. */
    public void start() {
        controllers.forEach(Controller::start);
        informers.start();
    }

    /** Completes when all caches are complete, and work begins. */
    public Mono<Void> synced() {
        return informers.synced();
    }

    /** The results of all controllers from now on; see {@link Controller#results}. */
    public Flux<Reconciled<ObjectKey>> results() {
        return Flux.merge(controllers.stream().map(Controller::results).toList());
    }

    @Override
    public void close() {
        controllers.forEach(Controller::close);
        recorders.forEach(EventRecorder::close);
        informers.close();
    }
}
