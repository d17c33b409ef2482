package io.reactiveinformer.leader;

import io.kubernetes.client.openapi.models.V1Pod;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.queue.RateLimiter;
import io.reactiveinformer.queue.Result;
import io.reactiveinformer.queue.WorkQueue;
import io.reactiveinformer.queue.WorkQueueOptions;
import io.reactiveinformer.reflector.ReflectorOptions;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.source.ListerWatcher;
import io.reactiveinformer.test.FakeApiServer;
import io.reactiveinformer.view.Change;
import io.reactiveinformer.view.Delivery;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.test.scheduler.VirtualTimeScheduler;

import static org.assertj.core.api.Assertions.assertThat;

/** Scenario 123: sources are warm, no run before leadership; on loss runs stop; regained, they go on without a list. */
class LeadershipGuideTest {

    private final VirtualTimeScheduler clock = VirtualTimeScheduler.create();
    private final FakeApiServer server = FakeApiServer.builder().scheduler(clock).build();
    private final WorkQueue<ObjectKey> queue = WorkQueue.create(WorkQueueOptions.<ObjectKey>defaults()
            .withLimiter(RateLimiter.standard(clock)).withTimer(clock).withWorkers(clock));
    private final List<String> runs = new ArrayList<>();

    private void enqueue(Change<ObjectKey, V1Pod> change) {
        if (change instanceof Change.Added<ObjectKey, V1Pod> added) {
            queue.add(added.key());
        }
    }

    private Mono<Result> reconcile(ObjectKey key, long token) {
        runs.add(key.name() + " in term " + token);
        return Mono.just(Result.done());
    }

    private void pod(String name) {
        server.objects().create("{apiVersion: v1, kind: Pod, metadata: {namespace: prod, name: "
                + name + "}, spec: {containers: [{name: c, image: i}]}}");
        clock.advanceTimeBy(Duration.ofSeconds(1));
    }

    @Test
    void s123worksOnlyWhileLeadingAndIsWarmOtherwise() {
        server.objects().create("{apiVersion: v1, kind: Namespace, metadata: {name: prod}}");
        server.objects().create("""
                {apiVersion: coordination.k8s.io/v1, kind: Lease, metadata: {namespace: prod, name: image-mirror},
                 spec: {holderIdentity: another, leaseDurationSeconds: 15, leaseTransitions: 3}}
                """);
        KubernetesClient client = KubernetesClient.over(server.transport());
        Informer<V1Pod> pods = Informer.over(ListerWatcher.over(client, ResourceType.of(V1Pod.class), Namespaces.all()),
                ReflectorOptions.defaults().withTimer(clock));
        pods.start();
        LeaderElector elector = LeaderElector.of(
                client, ObjectKey.of("prod", "image-mirror"), ElectionOptions.defaults().withTimer(clock).withWorkers(clock));
        pods.changes(Delivery.conflated().on(clock)).subscribe(this::enqueue);
        Disposable working = elector
                .whileLeading(term -> queue.process(4, key -> reconcile(key, term.token())))
                .subscribe();

        pod("a");
        assertThat(pods.snapshot().size()).as("warm").isEqualTo(1);
        assertThat(runs).isEmpty();
        clock.advanceTimeBy(Duration.ofSeconds(20));
        assertThat(runs).containsExactly("a in term 4");

        server.objects().edit(ResourceType.dynamic("coordination.k8s.io", "v1", "leases"), ObjectKey.of("prod", "image-mirror"), lease -> {
            lease.withObject("spec").put("holderIdentity", "another").put("leaseTransitions", 5);
            return lease;
        });
        clock.advanceTimeBy(Duration.ofSeconds(3));
        pod("b");
        assertThat(runs).containsExactly("a in term 4");
        clock.advanceTimeBy(Duration.ofSeconds(20));
        assertThat(runs).containsExactly("a in term 4", "b in term 6");
        assertThat(server.requests().all()).filteredOn(request -> request.resource().equals("pods"))
                .as("one list, or watch that lists").hasSizeLessThanOrEqualTo(2);
        working.dispose();
        pods.stop();
        server.close();
    }
}
