package io.reactiveinformer.demo.controllers;

import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1ReplicaSet;
import io.kubernetes.client.openapi.models.V1ReplicaSetStatus;
import io.reactiveinformer.controller.Controller;
import io.reactiveinformer.controller.ReconcileRequest;
import io.reactiveinformer.controller.Route;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.queue.Result;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Keeps as many pods as a ReplicaSet wants. Its status has no {@code ReplicaFailure}: failures are in {@link Controller#results}.
 *
 * @see <a href="https://kubernetes.io/docs/concepts/workloads/controllers/replicaset/">Kubernetes: ReplicaSet</a>
 */
final class ReplicaSetController {

    static final ResourceType<V1ReplicaSet> REPLICA_SETS = ResourceType.of(V1ReplicaSet.class);

    private final Cluster cluster;
    private final Informer<V1ReplicaSet> sets;
    private final Ownership<V1ReplicaSet, V1Pod> ownership;
    private final PodControl<V1ReplicaSet> pods;

    private ReplicaSetController(Cluster cluster) {
        this.cluster = cluster;
        this.sets = cluster.informer(REPLICA_SETS);
        this.ownership = new Ownership<>(cluster, REPLICA_SETS, PodControl.PODS, set -> set.getSpec().getSelector());
        this.pods = new PodControl<>(cluster, REPLICA_SETS, cluster.recorder("replicaset-controller"));
    }

    static Controller<ObjectKey> of(Cluster cluster) {
        var controller = new ReplicaSetController(cluster);
        return Controller.named("replicasets")
                .watches(controller.sets, Route.self())
                .watches(cluster.informer(PodControl.PODS), controller.ownership.route())
                .reconcile(controller::reconcile);
    }

    /** Ignores a ReplicaSet that is gone or being deleted: the garbage collector deletes its pods. */
    private Mono<Result> reconcile(ReconcileRequest<ObjectKey> request) {
        return Mono.justOrEmpty(sets.lister().get(request.key()))
                .filter(set -> !Meta.isLeaving(set))
                .flatMap(set -> ownership.claim(set, Pods::isActive, request)
                        .flatMap(active -> Flux.concatDelayError(scale(set, active, request), report(set, active, request))
                                .then(Mono.fromSupplier(() -> nextLook(set, active)))));
    }

    static int replicas(V1ReplicaSet set) {
        return Objects.requireNonNullElse(set.getSpec().getReplicas(), 1);
    }

    private Mono<Void> scale(V1ReplicaSet set, List<V1Pod> active, ReconcileRequest<?> request) {
        int missing = replicas(set) - active.size();
        return missing >= 0
                ? pods.create(missing, set, set.getSpec().getTemplate(), metadata -> metadata, request)
                : pods.delete(active.stream().sorted(Pods.VICTIMS).limit(-missing).toList(), set, request);
    }

    /** Writes the status of the pods in the cache; the next reconcile reports what this one has changed. */
    private Mono<Void> report(V1ReplicaSet set, List<V1Pod> active, ReconcileRequest<?> request) {
        V1ReplicaSetStatus before = Objects.requireNonNullElseGet(set.getStatus(), V1ReplicaSetStatus::new);
        Map<String, String> wanted = Meta.orEmpty(set.getSpec().getTemplate().getMetadata().getLabels());
        var status = new V1ReplicaSetStatus()
                .replicas(active.size())
                .fullyLabeledReplicas(count(active, pod -> Meta.labels(pod).entrySet().containsAll(wanted.entrySet())))
                .readyReplicas(count(active, Pods::isReady))
                .availableReplicas(count(active, pod -> Duration.ZERO.equals(Pods.untilAvailable(pod, minReadySeconds(set), cluster))))
                .terminatingReplicas(before.getTerminatingReplicas())
                .observedGeneration(set.getMetadata().getGeneration())
                .conditions(before.getConditions());
        return status.equals(before)
                ? Mono.empty()
                : cluster.report(REPLICA_SETS, new V1ReplicaSet().metadata(set.getMetadata()).spec(set.getSpec()).status(status), request)
                        .then();
    }

    private static @Nullable Integer count(List<V1Pod> pods, Predicate<V1Pod> which) {
        return Meta.orNothing((int) pods.stream().filter(which).count());
    }

    private static int minReadySeconds(V1ReplicaSet set) {
        return Meta.count(set.getSpec().getMinReadySeconds());
    }

    /** The time after which the next pod becomes available, if nothing else changes. */
    private Result nextLook(V1ReplicaSet set, List<V1Pod> active) {
        return active.stream()
                .map(pod -> Pods.untilAvailable(pod, minReadySeconds(set), cluster))
                .filter(left -> left != null && !left.isZero())
                .min(Comparator.naturalOrder())
                .map(Result::again)
                .orElse(Result.done());
    }
}
