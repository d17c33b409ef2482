package io.reactiveinformer.controller;

import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1ReplicaSet;
import io.reactiveinformer.controller.ReconcileRequest.Cause;
import io.reactiveinformer.delta.DeletionCause;
import io.reactiveinformer.queue.Result;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.store.Snapshot;
import io.reactiveinformer.store.Table;
import io.reactiveinformer.view.ChangeHub;
import io.reactiveinformer.view.Delivery;
import io.reactiveinformer.view.HubView;
import io.reactiveinformer.view.SubscriberStatus;
import io.reactiveinformer.view.View;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Which keys a row wakes. Numbers are of the stream scenarios. */
class ControllerRoutesTest extends ControllerFixture {

    @Test // 115
    void aRowThatConcernsAnotherKeyThanBeforeWakesBoth() {
        sync();
        pods.put("a/web-1", pod("web"));
        controller.start();
        begun();
        finish("a/web");
        pods.put("a/web-1", pod("api"));
        assertThat(begun()).containsExactly("a/web", "a/api");
    }

    @Test // 116
    void aRowThatVanishedInAListWakesItsOwner() {
        pods.put("a/web-1", pod("web"));
        sync();
        controller.start();
        finish("a/web");
        begun();
        pods.delete("a/web-1", DeletionCause.INFERRED);
        assertThat(begun()).containsExactly("a/web");
    }

    /** The cache is ahead of what the controller is notified of: work that runs in between has seen the pod. */
    @Test
    void aRowThatIsAddedAndDeletedAtOnceWakesItsOwner() {
        Table<ObjectKey, V1Pod> table = Table.create();
        table.commit(true);
        ChangeHub<ObjectKey, V1Pod> hub = ChangeHub.of(table.snapshot());
        List<Runnable> deliveries = new ArrayList<>();
        Controller<ObjectKey> owner = Controller.named("owner")
                .reconciles(ResourceType.of(V1ReplicaSet.class), sets)
                .owns(new HubView<>(table::snapshot, hub))
                .delivery(Delivery.conflated().on(Schedulers.fromExecutor(deliveries::add)))
                .queue(queue -> queue.withWorkers(time).withTimer(time))
                .reconcile(this::work);
        sets.sync();
        owner.start();
        runAll(deliveries);
        table.put(ObjectKey.of("a", "web-1"), new Versioned<>("u", "1", pod("web")), DeletionCause.OBSERVED);
        hub.publish(table.commit(true));
        table.remove(ObjectKey.of("a", "web-1"), DeletionCause.OBSERVED, "2");
        hub.publish(table.commit(true));
        assertThat(begun()).isEmpty();
        runAll(deliveries);
        assertThat(begun()).containsExactly("a/web");
        owner.close();
    }

    @Test
    void itsSubscriptionsAreNamedAfterTheController() {
        Table<ObjectKey, V1Pod> table = Table.create();
        ChangeHub<ObjectKey, V1Pod> hub = ChangeHub.of(table.snapshot());
        Controller<ObjectKey> owner = Controller.named("owner").watches(new HubView<>(table::snapshot, hub), Route.self())
                .reconcile(this::work);
        owner.warm();
        assertThat(hub.subscribers()).extracting(SubscriberStatus::name).containsExactly("owner");
        owner.close();
    }

    private static void runAll(List<Runnable> tasks) {
        while (!tasks.isEmpty()) {
            tasks.remove(0).run();
        }
    }

    @Test
    void anObjectThatIsDeletedIsLookedAtOnceMore() {
        sets.put("a/web", set(1));
        sync();
        controller.start();
        finish("a/web");
        sets.delete("a/web");
        assertThat(begun).extracting(request -> request.causes().iterator().next().kind())
                .containsExactly(Cause.Kind.PRESENT, Cause.Kind.DELETED);
    }

    @Test
    void aRouteThatThrowsIsReportedAndThatRowIsPassedOver() {
        List<ControllerStatus> statuses = new ArrayList<>();
        Controller<ObjectKey> broken = Controller.named("broken")
                .watches(pods, (key, pod) -> List.of(ObjectKey.of(key.namespace(), pod.getSpec().getNodeName())))
                .queue(queue -> queue.withWorkers(time).withTimer(time))
                .reconcile(this::work);
        broken.status().subscribe(statuses::add);
        pods.sync();
        broken.start();
        pods.put("a/bad", pod());
        pods.put("a/good", new V1Pod().spec(new V1PodSpec().nodeName("node")));
        assertThat(begun()).containsExactly("a/node");
        ControllerStatus last = statuses.get(statuses.size() - 1);
        assertThat(last.healthy()).isTrue();
        assertThat(last.views().get(0).failure()).isInstanceOf(NullPointerException.class);
        broken.close();
    }

    @Test
    void aRouteThatAssertsInVainIsReportedToo() {
        List<ControllerStatus> statuses = new ArrayList<>();
        Controller<ObjectKey> broken = Controller.named("broken")
                .watches(pods, (key, pod) -> {
                    if (key.name().equals("bad")) {
                        throw new AssertionError("no pod of ours is bad");
                    }
                    return List.of(key);
                })
                .queue(queue -> queue.withWorkers(time).withTimer(time))
                .reconcile(this::work);
        broken.status().subscribe(statuses::add);
        pods.sync();
        broken.start();
        pods.put("a/bad", pod());
        pods.put("a/good", pod());
        assertThat(begun()).containsExactly("a/good");
        assertThat(statuses.get(statuses.size() - 1).views().get(0).failure()).isInstanceOf(AssertionError.class);
        broken.close();
    }

    private record Unspeakable() {
        @Override
        public String toString() {
            throw new IllegalStateException("has no name");
        }
    }

    @Test
    void nobodyWaitsForAKeyThatCannotBeNamed() {
        Controller<Unspeakable> unspeakable = Controller.named("unspeakable", Unspeakable.class)
                .watches(pods, (key, pod) -> List.of(new Unspeakable()))
                .queue(queue -> queue.withWorkers(time).withTimer(time))
                .reconcile(request -> Mono.just(Result.done()));
        pods.sync();
        unspeakable.start();
        pods.put("a/pod", pod());
        time.advanceTimeBy(Duration.ofMillis(1));
        StepVerifier.create(unspeakable.idle(any -> true)).expectComplete().verify(Duration.ofSeconds(10));
        unspeakable.close();
    }

    /** To the keys that it has come to concern, or concerns no more, the row is added or deleted. */
    @Test
    void aFilterHidesNoChangeOfOwner() {
        Controller<ObjectKey> filtered = Controller.named("filtered")
                .watches(pods, Route.toController(ResourceType.of(V1ReplicaSet.class)), UpdateFilter.generation())
                .queue(queue -> queue.withWorkers(time).withTimer(time))
                .reconcile(request -> {
                    begun.add(request);
                    return Mono.just(Result.done());
                });
        pods.sync();
        filtered.start();
        pods.put("a/web-1", ofGeneration(pod("web")));
        pods.put("a/web-1", ofGeneration(pod("web")));
        assertThat(begun()).containsExactly("a/web");
        pods.put("a/web-1", ofGeneration(pod("api")));
        assertThat(begun()).containsExactly("a/web", "a/api");
        pods.put("a/web-1", ofGeneration(pod()));
        assertThat(begun()).containsExactly("a/api");
        filtered.close();
    }

    private static V1Pod ofGeneration(V1Pod pod) {
        pod.getMetadata().generation(1L);
        return pod;
    }

    /** As where a route asks an object for a field that it does not have, and where nobody can say whose key it is. */
    @Test
    void aKeyThatIsNoneOrCannotBeJudgedIsReportedAndPassedOver() {
        List<ControllerStatus> statuses = new ArrayList<>();
        Controller<String> byNode = Controller.named("nodes", String.class)
                .watches(pods, (key, pod) -> Collections.singletonList(pod.getSpec().getNodeName()))
                .keys(node -> {
                    if (node.equals("odd")) {
                        throw new IllegalStateException("planned");
                    }
                    return true;
                })
                .queue(queue -> queue.withWorkers(time).withTimer(time))
                .reconcile(request -> {
                    cancelled.add(request.key());
                    return Mono.just(Result.done());
                });
        byNode.status().subscribe(statuses::add);
        pods.sync();
        byNode.start();
        pods.put("a/pending", new V1Pod().spec(new V1PodSpec()));
        pods.put("a/odd", new V1Pod().spec(new V1PodSpec().nodeName("odd")));
        pods.put("a/good", new V1Pod().spec(new V1PodSpec().nodeName("node")));
        assertThat(cancelled).containsExactly("node");
        assertThat(statuses.get(statuses.size() - 1).views().get(0).failure()).as("the first").hasMessage("a route returned null as a key");
        byNode.close();
    }

    @Test
    void saysWhatIsMissingBeforeItOwnsAnything() {
        assertThatThrownBy(() -> Controller.named("early").owns(pods))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("call reconciles(type, view) before it, or use watches(view, route)");
        ResourceType<V1ReplicaSet> type = ResourceType.of(V1ReplicaSet.class);
        assertThatThrownBy(() -> Controller.named("twice").reconciles(type, sets).reconciles(ResourceType.of(V1Pod.class), pods))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("twice reconciles replicasets.v1.apps");
        assertThatThrownBy(() -> Controller.named("none").reconcile(request -> Mono.empty()))
                .hasMessageContaining("none has no view: add one with reconciles(…) or watches(…)");
    }

    @Test
    void onlyObjectsAreOwned() {
        View<String, Snapshot<ObjectKey, V1Pod>> nodes = pods.group(pod -> Optional.of("node"));
        assertThatThrownBy(() -> Controller.named("texts", String.class).reconciles(ResourceType.of(V1Pod.class), nodes).owns(nodes))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("texts: owns(view) needs keys of type ObjectKey");
    }
}
