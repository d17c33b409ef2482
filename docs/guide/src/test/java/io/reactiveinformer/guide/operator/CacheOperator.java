package io.reactiveinformer.guide.operator;

import io.kubernetes.client.openapi.models.V1Condition;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1ContainerPort;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1DeploymentSpec;
import io.kubernetes.client.openapi.models.V1DeploymentStatus;
import io.kubernetes.client.openapi.models.V1LabelSelector;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import io.kubernetes.client.openapi.models.V1Service;
import io.kubernetes.client.openapi.models.V1ServicePort;
import io.kubernetes.client.openapi.models.V1ServiceSpec;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.controller.Conditions;
import io.reactiveinformer.controller.Controller;
import io.reactiveinformer.controller.Dependents;
import io.reactiveinformer.controller.Finalizer;
import io.reactiveinformer.controller.ReconcileRequest;
import io.reactiveinformer.controller.StatusWriter;
import io.reactiveinformer.controller.UpdateFilter;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.queue.Result;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import reactor.core.publisher.Mono;

/** Runs a deployment and a service for each cache. */
public final class CacheOperator {

    private static final ResourceType<V1Deployment> DEPLOYMENTS = ResourceType.of(V1Deployment.class);
    private static final ResourceType<V1Service> SERVICES = ResourceType.of(V1Service.class);

    private final Informer<Cache> caches;
    private final Informer<V1Deployment> deployments;
    private final Dependents<Cache> dependents;
    private final Finalizer<Cache> finalizer;
    private final StatusWriter<Cache> status;
    private final Function<ObjectKey, Mono<Void>> dropBackups;
    private final Controller<ObjectKey> controller;

    public CacheOperator(KubernetesClient client, InformerFactory informers, Function<ObjectKey, Mono<Void>> dropBackups) {
        this.caches = informers.of(Cache.TYPE);
        this.deployments = informers.of(DEPLOYMENTS);
        Informer<V1Service> services = informers.of(SERVICES);
        this.dependents = Dependents.of(client, Cache.TYPE, cache -> List.of(service(cache), deployment(cache)))
                .kind(DEPLOYMENTS, deployments)
                .kind(SERVICES, services)
                .waitFor(DEPLOYMENTS, CacheOperator::isRolledOut);
        this.finalizer = Finalizer.of("example.com/backups", client, Cache.TYPE, caches);
        this.status = StatusWriter.of(client, Cache.TYPE, caches);
        this.dropBackups = dropBackups;
        this.controller = Controller.named("caches")
                .reconciles(Cache.TYPE, caches, UpdateFilter.generation())
                .owns(deployments)
                .owns(services)
                .reconcile(this::reconcile);
    }

    public Controller<ObjectKey> controller() {
        return controller;
    }

    private Mono<Result> reconcile(ReconcileRequest<ObjectKey> request) {
        return caches.lister().get(request.key())
                .map(cache -> status.reporting(request, cache,
                        finalizer.around(request, cache, marked -> run(request, marked), gone -> dropBackups.apply(request.key())),
                        (now, failure) -> statusOf(now, "False", "Failed", String.valueOf(failure.getMessage()))))
                .orElse(Mono.empty());
    }

    private Mono<Result> run(ReconcileRequest<ObjectKey> request, Cache cache) {
        return dependents.reconcile(request, cache).flatMap(report -> report.result() instanceof Result.Failed
                ? Mono.just(report.result())                                // reported, and tried again
                : status.write(request, cache, now -> running(now, report.isReady())).thenReturn(report.result()));
    }

    private Cache.Status running(Cache cache, boolean all) {
        return statusOf(cache, all ? "True" : "False", all ? "Running" : "Starting", ready(cache) + " of " + cache.spec().replicas());
    }

    private Cache.Status statusOf(Cache cache, String ready, String reason, String message) {
        List<V1Condition> conditions = Conditions.of(cache.conditions(), cache.metadata().getGeneration())
                .with("Ready", ready, reason, message)
                .list();
        return new Cache.Status(ready(cache), conditions);
    }

    private int ready(Cache cache) {
        return deployments.lister().get(ObjectKey.of(cache.metadata().getNamespace(), cache.metadata().getName()))
                .map(V1Deployment::getStatus)
                .map(V1DeploymentStatus::getReadyReplicas)
                .orElse(0);
    }

    /** Whether its status is of its present spec, and all of its replicas are. */
    private static boolean isRolledOut(V1Deployment deployment) {
        V1DeploymentStatus status = deployment.getStatus();
        Integer replicas = deployment.getSpec().getReplicas();
        return status != null
                && Objects.equals(status.getObservedGeneration(), deployment.getMetadata().getGeneration())
                && Objects.equals(status.getUpdatedReplicas(), replicas)
                && Objects.equals(status.getReadyReplicas(), replicas);
    }

    private static V1Deployment deployment(Cache cache) {
        Map<String, String> labels = Map.of("cache", cache.metadata().getName());
        return new V1Deployment()
                .metadata(new V1ObjectMeta().name(cache.metadata().getName()))
                .spec(new V1DeploymentSpec()
                        .replicas(cache.spec().replicas())
                        .selector(new V1LabelSelector().matchLabels(labels))
                        .template(new V1PodTemplateSpec()
                                .metadata(new V1ObjectMeta().labels(labels))
                                .spec(new V1PodSpec().addContainersItem(new V1Container()
                                        .name("redis").image("redis:8").addPortsItem(new V1ContainerPort().containerPort(6379))))));
    }

    private static V1Service service(Cache cache) {
        return new V1Service()
                .metadata(new V1ObjectMeta().name(cache.metadata().getName()))
                .spec(new V1ServiceSpec()
                        .selector(Map.of("cache", cache.metadata().getName()))
                        .addPortsItem(new V1ServicePort().port(6379)));
    }
}
