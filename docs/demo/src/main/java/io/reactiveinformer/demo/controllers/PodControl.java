package io.reactiveinformer.demo.controllers;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import io.reactiveinformer.client.DeleteOptions;
import io.reactiveinformer.client.ResourceClient;
import io.reactiveinformer.controller.Owner;
import io.reactiveinformer.controller.ReconcileRequest;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.recorder.EventRecorder;
import io.reactiveinformer.resource.ConflictException;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.NotFoundException;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Creates and deletes the pods of an owner. The owner's next reconcile waits until the cache shows these writes, which Kubernetes'
 * controllers call expectations.
 */
final class PodControl<O extends KubernetesObject> {

    static final ResourceType<V1Pod> PODS = ResourceType.of(V1Pod.class);

    private static final int AT_ONCE = 16;

    /** Most pods in one reconcile; the next one continues. */
    private static final int MOST = 500;

    private final Cluster cluster;
    private final ResourceType<O> owners;
    private final ResourceClient<V1Pod> client;
    private final Informer<V1Pod> cache;
    private final EventRecorder events;

    PodControl(Cluster cluster, ResourceType<O> owners, EventRecorder events) {
        this.cluster = cluster;
        this.owners = owners;
        this.client = cluster.resources(PODS);
        this.cache = cluster.informer(PODS);
        this.events = events;
    }

    /**
     * Creates {@code n} pods: first one, and the others if that succeeded, so that an exhausted quota refuses one request and not hundreds.
     */
    Mono<Void> create(int n, O owner, V1PodTemplateSpec template, UnaryOperator<V1ObjectMeta> change, ReconcileRequest<?> request) {
        List<V1Pod> pods = PodNames.of(owner)
                .filter(name -> cache.snapshot().find(ObjectKey.of(Meta.namespace(owner), name)) == null)
                .distinct()
                .limit(Math.min(n, MOST))
                .map(name -> new V1Pod().spec(template.getSpec()).metadata(change.apply(metadata(name, owner, template))))
                .toList();
        return pods.isEmpty()
                ? Mono.empty()
                : cluster.confirmed(owners, owner)
                        .flatMap(there -> create(pods.get(0), owner, request))
                        .flatMapMany(first -> Flux.fromIterable(pods).skip(1))
                        .flatMapDelayError(next -> create(next, owner, request), AT_ONCE, 1)
                        .then();
    }

    private V1ObjectMeta metadata(String name, O owner, V1PodTemplateSpec template) {
        V1ObjectMeta wanted = Objects.requireNonNullElseGet(template.getMetadata(), V1ObjectMeta::new);
        return new V1ObjectMeta()
                .namespace(Meta.namespace(owner))
                .name(name)
                .labels(wanted.getLabels())
                .annotations(wanted.getAnnotations())
                .finalizers(wanted.getFinalizers())
                .addOwnerReferencesItem(Owner.of(owners, owner).reference());
    }

    private Mono<V1Pod> create(V1Pod pod, O owner, ReconcileRequest<?> request) {
        return client.create(Namespaces.of(Meta.namespace(owner)), pod)
                .doOnNext(request.wrote(cache))
                .doOnNext(made -> events.normal(owner, "SuccessfulCreate", "Create", "Created pod: " + Meta.name(made)))
                .onErrorResume(ConflictException.class, taken -> client.get(Meta.key(pod))
                        .doOnNext(request.wrote(cache))
                        .filter(Owner.of(owners, owner)::controls) // created before, but not in the cache yet
                        .switchIfEmpty(Mono.error(taken)))
                .doOnError(failure -> events.warning(owner, "FailedCreate", "Create", "Error creating: " + failure.getMessage()));
    }

    /** Deletes {@code pods}, each only if it still has the same uid. */
    Mono<Void> delete(Collection<V1Pod> pods, O owner, ReconcileRequest<?> request) {
        return Flux.fromIterable(pods).take(MOST).flatMapDelayError(pod -> delete(pod, owner, request), AT_ONCE, 1).then();
    }

    private Mono<Void> delete(V1Pod pod, O owner, ReconcileRequest<?> request) {
        return client.delete(Meta.key(pod), DeleteOptions.defaults().withUid(Meta.uid(pod)))
                .doOnSuccess(done -> events.normal(owner, "SuccessfulDelete", "Delete", "Deleted pod: " + Meta.name(pod)))
                .onErrorComplete(failure -> failure instanceof NotFoundException || failure instanceof ConflictException)
                .doOnSuccess(done -> request.holdUntil(leaves(pod)));
    }

    /** Completes when the cache shows that the pod is being deleted, or is gone. */
    private Mono<Void> leaves(V1Pod pod) {
        return Mono.firstWithSignal(
                cache.awaitAbsent(Meta.key(pod)),
                cache.await(Meta.key(pod), now -> Meta.isLeaving(now) || !Meta.uid(now).equals(Meta.uid(pod))).then());
    }
}
