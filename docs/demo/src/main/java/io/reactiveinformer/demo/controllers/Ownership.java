package io.reactiveinformer.demo.controllers;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1LabelSelector;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import io.reactiveinformer.client.Patch;
import io.reactiveinformer.controller.Owner;
import io.reactiveinformer.controller.ReconcileRequest;
import io.reactiveinformer.controller.Route;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.resource.InvalidRequestException;
import io.reactiveinformer.resource.NotFoundException;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.store.Index;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Determines which objects an owner controls, by their owner references. An object without a controller is adopted if the owner's selector
 * matches it; an owned object that the selector no longer matches is released.
 *
 * @param <O> the class of the owners
 * @param <T> the class of the owned objects
 */
final class Ownership<O extends KubernetesObject, T extends KubernetesObject> {

    private static final int AT_ONCE = 16;

    private final Cluster cluster;
    private final ResourceType<O> owners;
    private final ResourceType<T> type;
    private final Informer<T> cache;
    private final Function<O, @Nullable V1LabelSelector> selector;
    private final Index<T, Controller> byController;

    /** The controller of an object. Empty kind and name: the object has none. */
    private record Controller(@Nullable String namespace, String kind, String name) {

        static Controller of(KubernetesObject object) {
            V1OwnerReference reference = Meta.controller(object);
            String namespace = object.getMetadata().getNamespace();
            return reference == null ? new Controller(namespace, "", "") : new Controller(namespace,
                    reference.getKind(), reference.getName());
        }
    }

    Ownership(Cluster cluster, ResourceType<O> owners, ResourceType<T> type, Function<O, @Nullable V1LabelSelector> selector) {
        this.cluster = cluster;
        this.owners = owners;
        this.type = type;
        this.selector = selector;
        this.cache = cluster.informer(type);
        this.byController = Index.of("controller of " + type.plural(), Controller::of);
        cache.addIndex(byController).subscribe(); // before the first read: controllers wait until the cache is complete
    }

    /** From an object to its controller, and from an object without one to all owners that could adopt it. */
    Route<ObjectKey, T, ObjectKey> route() {
        Route<ObjectKey, T, ObjectKey> toController = Route.toController(owners);
        Informer<O> candidates = cluster.informer(owners);
        return (key, object) -> Meta.controller(object) != null
                ? toController.keys(key, object)
                : candidates.lister().inNamespace(Meta.namespace(object)).list(owner -> selects(owner, object))
                        .stream().map(Meta::key).toList();
    }

    /** The objects whose controller has this name. It may be deleted, or be another object of the same name. */
    List<T> controlledBy(ObjectKey owner) {
        return cache.snapshot().by(byController, new Controller(owner.namespace(), String.valueOf(owners.kind()), owner.name()));
    }

    /** The objects without a controller. */
    List<T> orphans(ObjectKey inNamespaceOf) {
        return cache.snapshot().by(byController, new Controller(inNamespaceOf.namespace(), "", ""));
    }

    /** The objects that {@code owner} controls and {@code counts} accepts, after objects were adopted and released. */
    Mono<List<T>> claim(O owner, Predicate<? super T> counts, ReconcileRequest<?> request) {
        List<T> own = controlledBy(Meta.key(owner)).stream().filter(counts).filter(Owner.of(owners, owner)::controls).toList();
        List<T> lost = own.stream().filter(object -> !selects(owner, object)).toList();
        List<T> found = orphans(Meta.key(owner)).stream()
                .filter(counts)
                .filter(object -> !Meta.isLeaving(object) && selects(owner, object))
                .toList();
        if (lost.isEmpty() && found.isEmpty()) {
            return Mono.just(own);
        }
        return Flux.fromIterable(lost)
                .flatMap(object -> settle(object, Map.of("$patch", "delete", "uid", Meta.uid(owner)), request), AT_ONCE)
                .then(adopt(owner, found, request))
                .map(adopted -> {
                    List<T> all = new ArrayList<>(own);
                    all.removeAll(lost);
                    all.addAll(adopted);
                    return all;
                });
    }

    private Mono<List<T>> adopt(O owner, List<T> found, ReconcileRequest<?> request) {
        return found.isEmpty()
                ? Mono.just(List.of())
                : cluster.confirmed(owners, owner)
                        .flatMapMany(now -> Flux.fromIterable(found))
                        .flatMap(object -> settle(object, Owner.of(owners, owner).reference(), request), AT_ONCE)
                        .collectList();
    }

    /** Changes the owner references of {@code object}; empty if the object is gone or another writer was faster. */
    private Mono<T> settle(T object, Object ownerReference, ReconcileRequest<?> request) {
        var patch = Map.of("metadata", Map.of("uid", Meta.uid(object), "ownerReferences", List.of(ownerReference)));
        return cluster.resources(type)
                .patch(Meta.key(object), Patch.strategic(patch))
                .doOnNext(request.wrote(cache))
                .onErrorComplete(failure -> failure instanceof NotFoundException || failure instanceof InvalidRequestException);
    }

    private boolean selects(O owner, T object) {
        V1LabelSelector wanted = selector.apply(owner);
        return wanted != null && Selection.matches(wanted, Meta.labels(object));
    }
}
