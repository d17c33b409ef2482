package io.reactiveinformer.demo.controllers;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1DeploymentStatus;
import io.kubernetes.client.openapi.models.V1ReplicaSet;
import io.kubernetes.client.openapi.models.V1ReplicaSetStatus;
import io.reactiveinformer.client.DeleteOptions;
import io.reactiveinformer.client.Patch;
import io.reactiveinformer.client.ResourceClient;
import io.reactiveinformer.controller.Controller;
import io.reactiveinformer.controller.Owner;
import io.reactiveinformer.controller.ReconcileRequest;
import io.reactiveinformer.controller.Route;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.queue.Result;
import io.reactiveinformer.recorder.EventRecorder;
import io.reactiveinformer.resource.ConflictException;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.NotFoundException;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Replaces the pods of a deployment when its template changes. It creates a ReplicaSet for each template, scales it, and keeps it for a
 * rollback. {@code kubectl rollout undo} only writes an old template: its ReplicaSet is found again, and becomes the newest revision.
 *
 * <p>Left out is proportional scaling: Kubernetes scales all ReplicaSets of a deployment that is scaled during a rollout, or while it is
 * paused. Here only the new ReplicaSet is scaled, and a paused deployment with several ReplicaSets waits.
 *
 * @see <a href="https://kubernetes.io/docs/concepts/workloads/controllers/deployment/">Kubernetes: Deployments</a>
 */
final class DeploymentController {

    static final ResourceType<V1Deployment> DEPLOYMENTS = ResourceType.of(V1Deployment.class);

    private final Cluster cluster;
    private final ResourceClient<V1ReplicaSet> client;
    private final Informer<V1Deployment> deployments;
    private final Informer<V1ReplicaSet> sets;
    private final Ownership<V1Deployment, V1ReplicaSet> ownership;
    private final EventRecorder events;

    private DeploymentController(Cluster cluster) {
        this.cluster = cluster;
        this.client = cluster.resources(ReplicaSetController.REPLICA_SETS);
        this.deployments = cluster.informer(DEPLOYMENTS);
        this.sets = cluster.informer(ReplicaSetController.REPLICA_SETS);
        this.events = cluster.recorder("deployment-controller");
        this.ownership = new Ownership<>(cluster, DEPLOYMENTS, ReplicaSetController.REPLICA_SETS, each -> each.getSpec().getSelector());
    }

    /** Watches pods for their end only, which the strategy {@code Recreate} waits for. */
    static Controller<ObjectKey> of(Cluster cluster) {
        var controller = new DeploymentController(cluster);
        return Controller.named("deployments")
                .watches(controller.deployments, Route.self())
                .watches(controller.sets, controller.ownership.route())
                .watches(cluster.informer(PodControl.PODS), controller.throughSets(),
                        (before, after) -> Pods.isOver(before) != Pods.isOver(after))
                .reconcile(controller::reconcile);
    }

    private <T extends KubernetesObject> Route<ObjectKey, T, ObjectKey> throughSets() {
        Route<ObjectKey, T, ObjectKey> toSet = Route.toController(ReplicaSetController.REPLICA_SETS);
        Route<ObjectKey, V1ReplicaSet, ObjectKey> toDeployment = Route.toController(DEPLOYMENTS);
        return (key, pod) -> toSet.keys(key, pod).stream()
                .flatMap(set -> sets.lister().get(set).stream())
                .flatMap(set -> toDeployment.keys(Meta.key(set), set).stream())
                .toList();
    }

    private Mono<Result> reconcile(ReconcileRequest<ObjectKey> request) {
        return Mono.justOrEmpty(deployments.lister().get(request.key()))
                .filter(deployment -> !Meta.isLeaving(deployment))
                .flatMap(deployment -> ownership.claim(deployment, set -> true, request)
                        .flatMap(own -> new Look(deployment, own, request).act()));
    }

    /** One reconcile: a deployment and its ReplicaSets as they were in the cache. */
    private final class Look {

        private final V1Deployment deployment;
        private final RollingUpdate rolling;
        private final @Nullable V1ReplicaSet now;
        private final List<V1ReplicaSet> old;
        private final List<V1ReplicaSet> all;
        private final ReconcileRequest<?> request;

        Look(V1Deployment deployment, List<V1ReplicaSet> own, ReconcileRequest<?> request) {
            this.deployment = deployment;
            this.request = request;
            this.rolling = RollingUpdate.of(deployment);
            this.all = own.stream().sorted(Meta.BY_AGE).toList();
            this.now = all.stream()
                    .filter(set -> Templates.same(set.getSpec().getTemplate(), deployment.getSpec().getTemplate()))
                    .findFirst()
                    .orElse(null);
            this.old = all.stream().filter(set -> !isNow(set)).toList();
        }

        Mono<Result> act() {
            Map<String, Integer> sizes = sizes();
            Mono<Integer> collisions = now == null && sizes.isEmpty() ? createNew() : Mono.just(0);
            return Flux.fromIterable(all)
                    .concatMapDelayError(set -> change(set, sizes.getOrDefault(Meta.name(set), ReplicaSetController.replicas(set))))
                    .then(collisions)
                    .flatMap(more -> numbered().flatMap(numbered -> report(numbered, more)));
        }

        private boolean isNow(V1ReplicaSet set) {
            return now != null && Meta.uid(now).equals(Meta.uid(set));
        }

        private boolean isPaused() {
            return Boolean.TRUE.equals(deployment.getSpec().getPaused());
        }

        private boolean isRecreated() {
            return deployment.getSpec().getStrategy() != null && "Recreate".equals(deployment.getSpec().getStrategy().getType());
        }

        /** The next sizes of ReplicaSets, by name; the others stay as they are. */
        private Map<String, Integer> sizes() {
            List<V1ReplicaSet> active = all.stream().filter(set -> ReplicaSetController.replicas(set) > 0).toList();
            if (isPaused()) {
                V1ReplicaSet only = active.size() == 1 ? active.get(0) : active.isEmpty() ? now : null;
                return only == null ? Map.of() : Map.of(Meta.name(only), rolling.replicas());
            } else if (isRecreated()) {
                Map<String, Integer> gone = new HashMap<>();
                active.stream().filter(set -> !isNow(set)).forEach(set -> gone.put(Meta.name(set), 0));
                return !gone.isEmpty() || now == null || oldPodsRun() ? gone : Map.of(Meta.name(now), rolling.replicas());
            }
            return now == null ? Map.of() : rolling.next(size(now), old.stream().map(this::size).toList());
        }

        private RollingUpdate.Size size(V1ReplicaSet set) {
            V1ReplicaSetStatus status = Objects.requireNonNullElseGet(set.getStatus(), V1ReplicaSetStatus::new);
            return new RollingUpdate.Size(Meta.name(set), ReplicaSetController.replicas(set), Meta.count(status.getAvailableReplicas()),
                    Objects.equals(status.getObservedGeneration(), set.getMetadata().getGeneration()));
        }

        private boolean oldPodsRun() {
            List<Owner> owners = old.stream().map(set -> Owner.of(ReplicaSetController.REPLICA_SETS, set)).toList();
            return !cluster.informer(PodControl.PODS).lister().inNamespace(Meta.namespace(deployment))
                    .list(pod -> !Pods.isOver(pod) && owners.stream().anyMatch(owner -> owner.controls(pod)))
                    .isEmpty();
        }

        /**
         * Creates the ReplicaSet of the current template. Its name depends on the template, so it is created once. Emits 1 if another
         * template's ReplicaSet has that name, since both have the same hash; otherwise 0.
         */
        private Mono<Integer> createNew() {
            if (isPaused() || isRecreated() && oldPodsRun()) {
                return Mono.just(0);
            }
            var template = deployment.getSpec().getTemplate();
            V1ReplicaSet set = Templates.replicaSet(deployment, Templates.hash(template, collisions()));
            set.getMetadata().annotations(Revisions.annotations(deployment, set, old));
            set.getSpec().replicas(isRecreated() ? rolling.replicas() : rolling.growth(null, old.stream().map(this::size).toList()));
            return cluster.confirmed(DEPLOYMENTS, deployment)
                    .flatMap(there -> client.create(Namespaces.of(Meta.namespace(deployment)), set))
                    .doOnNext(request.wrote(sets))
                    .doOnNext(created -> tellScaled(created, 0))
                    .map(created -> 0)
                    .defaultIfEmpty(0)
                    .onErrorResume(ConflictException.class, taken -> client.get(Meta.key(set))
                            .doOnNext(request.wrote(sets))
                            .map(there -> Owner.of(DEPLOYMENTS, deployment).controls(there)
                                    && Templates.same(there.getSpec().getTemplate(), template) ? 0 : 1));
        }

        private int collisions() {
            return deployment.getStatus() == null ? 0 : Meta.count(deployment.getStatus().getCollisionCount());
        }

        /** Writes the size of a ReplicaSet, and the deployment's annotations to the new one. Empty if nothing has to change. */
        private Mono<V1ReplicaSet> change(V1ReplicaSet set, int replicas) {
            Map<String, String> annotations = isNow(set) ? Revisions.annotations(deployment, set, old) : Meta.annotations(set);
            Integer minReady = isNow(set) ? deployment.getSpec().getMinReadySeconds() : set.getSpec().getMinReadySeconds();
            if (replicas == ReplicaSetController.replicas(set)
                    && annotations.equals(Meta.annotations(set))
                    && Meta.count(minReady) == Meta.count(set.getSpec().getMinReadySeconds())) {
                return Mono.empty();
            }
            var metadata = Map.of("resourceVersion", Objects.requireNonNull(set.getMetadata().getResourceVersion()),
                    "annotations", annotations);
            var spec = Map.of("replicas", replicas, "minReadySeconds", Meta.count(minReady));
            return client.patch(Meta.key(set), Patch.merge(Map.of("metadata", metadata, "spec", spec)))
                    .doOnNext(request.wrote(sets))
                    .doOnNext(changed -> tellScaled(changed, ReplicaSetController.replicas(set)));
        }

        private void tellScaled(V1ReplicaSet set, int before) {
            int after = ReplicaSetController.replicas(set);
            if (after != before) {
                events.normal(deployment, "ScalingReplicaSet", "Scale",
                        "Scaled %s replica set %s from %d to %d".formatted(after > before ? "up" : "down", Meta.name(set), before, after));
            }
        }

        /** The deployment with the annotation of the current revision; empty if the deployment is gone. */
        private Mono<V1Deployment> numbered() {
            String revision = now == null ? null : Revisions.annotations(deployment, now, old).get(Revisions.REVISION);
            if (revision == null || revision.equals(Meta.annotations(deployment).get(Revisions.REVISION))) {
                return Mono.just(deployment);
            }
            // otherwise the status might describe a spec that was not read
            String version = Objects.requireNonNull(deployment.getMetadata().getResourceVersion());
            var metadata = Map.of("resourceVersion", version, "annotations", Map.of(Revisions.REVISION, revision));
            return cluster.resources(DEPLOYMENTS)
                    .patch(key(), Patch.merge(Map.of("metadata", metadata)))
                    .doOnNext(request.wrote(deployments))
                    .onErrorComplete(NotFoundException.class);
        }

        private ObjectKey key() {
            return Meta.key(deployment);
        }

        private Mono<Result> report(V1Deployment numbered, int collisions) {
            var progress = new DeploymentProgress(numbered, now, all, cluster);
            V1DeploymentStatus status = progress.status(collisions() + collisions);
            Mono<?> written = status.equals(progress.before())
                    ? Mono.empty()
                    : cluster.report(
                            DEPLOYMENTS, new V1Deployment().metadata(numbered.getMetadata()).spec(numbered.getSpec()).status(status),
                            request);
            return written
                    .thenMany(Flux.fromIterable(progress.isComplete(status) ? Revisions.outdated(deployment, old) : List.of()))
                    .concatMapDelayError(this::forget)
                    .then(Mono.just(Optional.ofNullable(progress.untilDeadline()).filter(left -> !left.isNegative())
                            .map(Result::again).orElse(Result.done())));
        }

        private Mono<Void> forget(V1ReplicaSet outdated) {
            String version = Objects.requireNonNull(outdated.getMetadata().getResourceVersion());
            return client.delete(Meta.key(outdated), DeleteOptions.defaults().withUid(Meta.uid(outdated)).withResourceVersion(version))
                    .onErrorComplete(NotFoundException.class);
        }
    }
}
