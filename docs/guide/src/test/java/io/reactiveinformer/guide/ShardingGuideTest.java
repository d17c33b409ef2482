package io.reactiveinformer.guide;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1ReplicaSet;
import io.reactiveinformer.client.ClientOptions;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.controller.Controller;
import io.reactiveinformer.controller.Route;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.informer.InformerSpec;
import io.reactiveinformer.leader.ElectionOptions;
import io.reactiveinformer.queue.Result;
import io.reactiveinformer.reflector.ReflectorOptions;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.Selector;
import io.reactiveinformer.sharding.ShardedController;
import io.reactiveinformer.sharding.ShardedController.Division;
import io.reactiveinformer.sharding.ShardedController.Share;
import io.reactiveinformer.test.FakeApiServer;
import io.reactiveinformer.transport.TransportOptions;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.test.scheduler.VirtualTimeScheduler;

import static org.assertj.core.api.Assertions.assertThat;

/** The code of docs/guide/sharding.md, in three processes against one server. */
class ShardingGuideTest {

    private static final ResourceType<V1ConfigMap> IMAGES = ResourceType.of(V1ConfigMap.class);
    private static final ResourceType<V1Pod> PODS = ResourceType.of(V1Pod.class);
    private static final int COUNT = 40;

    private final VirtualTimeScheduler clock = VirtualTimeScheduler.getOrSet();
    private final FakeApiServer server = FakeApiServer.builder().scheduler(clock).build();

    @AfterEach
    void end() {
        server.close();
        VirtualTimeScheduler.reset();
    }

    private final class Replica {
        final KubernetesClient client = KubernetesClient.over(server.transport(), ClientOptions.defaults()
                .withTransport(TransportOptions.defaults().withSilence(Duration.ofMinutes(1), clock))
                .withWriteLimit(0, 1)
                .withListsAtOnce(0));
        final InformerFactory informers = InformerFactory.create(client, ReflectorOptions.defaults().withTimer(clock));
        final Informer<V1ConfigMap> images = informers.of(IMAGES);
        final Set<String> mirrored = new TreeSet<>();
        final ShardedController<ObjectKey> mirrors;
        final ElectionOptions options = ElectionOptions.defaults().withTimer(clock).withWorkers(clock);
        Share latest;

        Replica() {
            ShardedController<ObjectKey> mirrors = ShardedController.of(
                    client, ObjectKey.of("prod", "image-mirror"),                       // the group: leases prod/image-mirror-…
                    Controller.named("image-mirror").watches(images, Route.self()),     // what every member watches
                    request -> mirror(request.key()),                                   // what only one does for a key
                    options);                                                           // timings; an elector's unless given
            mirrors.start();
            informers.start();
            this.mirrors = mirrors;
            mirrors.shares().subscribe(share -> latest = share);
        }

        private Mono<Result> mirror(ObjectKey key) {
            mirrored.add(key.name());
            return Mono.just(Result.done());
        }

        Mono<Void> stop() {
            return mirrors.drain(Duration.ofSeconds(20))                                // others take over, work ends
                    .then(informers.stop(Duration.ofSeconds(5)));
        }
    }

    private void change() {
        for (int i = 0; i < COUNT; i++) {
            server.objects().edit(IMAGES, ObjectKey.of("prod", "image-" + i), image -> {
                image.withObject("data").put("at", "" + clock.now(TimeUnit.MILLISECONDS));
                return image;
            });
        }
        clock.advanceTimeBy(Duration.ofSeconds(1));
    }

    @Test
    void threeReplicasShareTheImages() {
        server.objects().create("{apiVersion: v1, kind: Namespace, metadata: {name: prod}}");
        for (int i = 0; i < COUNT; i++) {
            server.objects().create("{apiVersion: v1, kind: ConfigMap, metadata: {namespace: prod, name: image-" + i + "}}");
        }
        var first = new Replica();
        var second = new Replica();
        var third = new Replica();
        clock.advanceTimeBy(Duration.ofSeconds(10));
        assertThat(first.latest.members()).isEqualTo(3);
        first.mirrored.clear();
        second.mirrored.clear();
        third.mirrored.clear();

        change();
        assertThat(first.mirrored.size() + second.mirrored.size() + third.mirrored.size()).as("each once").isEqualTo(COUNT);
        assertThat(first.mirrored).isNotEmpty().hasSizeLessThan(COUNT);

        first.stop().subscribe();
        clock.advanceTimeBy(Duration.ofSeconds(10));
        first.mirrored.clear();
        change();
        assertThat(first.mirrored).isEmpty();
        assertThat(second.mirrored.size() + third.mirrored.size()).isGreaterThanOrEqualTo(COUNT);
        assertThat(second.latest.members()).isEqualTo(2);
        second.stop().subscribe();
        third.stop().subscribe();
        clock.advanceTimeBy(Duration.ofSeconds(10));
        assertThat(server.objects().list(ResourceType.dynamic("coordination.k8s.io", "v1", "leases")))
                .allMatch(lease -> !lease.path("spec").has("holderIdentity"), "is given back");
    }

    @Test
    void informersHoldNoMoreThanAShare() {
        server.objects().create("{apiVersion: v1, kind: Namespace, metadata: {name: prod}}");
        for (int i = 0; i < COUNT; i++) {
            server.objects().create("{apiVersion: v1, kind: Pod, metadata: {namespace: prod, name: pod-"
                    + i + "}, spec: {containers: [{name: a, image: b}]}}");
        }
        Set<String> seen = new TreeSet<>();
        int replicas = 3;
        for (int ordinal = 0; ordinal < replicas; ordinal++) {
            InformerFactory informers = new Replica().informers;
            Informer<V1Pod> pods =
                    informers.of(InformerSpec.of(PODS).withSelector(Selector.shards(Selector.Shards.byUid(ordinal, replicas))));
            clock.advanceTimeBy(Duration.ofSeconds(1));
            pods.snapshot().forEach((key, pod) -> assertThat(seen.add(key.name())).isTrue());
        }
        assertThat(seen).hasSize(COUNT);

        InformerFactory informers = new Replica().informers;
        Informer<V1ConfigMap> images = informers.of(IMAGES);
        Informer<V1ReplicaSet> replicaSets = informers.of(ResourceType.of(V1ReplicaSet.class));
        Informer<V1Pod> pods = informers.of(PODS);
        Division byKey = Division.byKey().narrowing(images);
        Division byNamespace = Division.byNamespace().narrowing(replicaSets, pods);
        assertThat(byKey).isNotEqualTo(byNamespace);
    }
}
