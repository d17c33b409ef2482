package io.reactiveinformer.sharding;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.reactiveinformer.client.ClientOptions;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.controller.Controller;
import io.reactiveinformer.controller.Route;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.informer.InformerSpec;
import io.reactiveinformer.leader.ElectionOptions;
import io.reactiveinformer.queue.RateLimiter;
import io.reactiveinformer.queue.Result;
import io.reactiveinformer.reflector.ReflectorOptions;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.sharding.ShardedController.Division;
import io.reactiveinformer.sharding.ShardedController.Share;
import io.reactiveinformer.test.FakeApiServer;
import io.reactiveinformer.transport.TransportOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.test.scheduler.VirtualTimeScheduler;

import static org.assertj.core.api.Assertions.assertThat;

/** Members that hold no more than their share, against one server. */
class NarrowedShardingTest {

    private static final ResourceType<V1ConfigMap> IMAGES = ResourceType.of(V1ConfigMap.class);
    private static final int COUNT = 200;
    private static final Duration SETTLED = Duration.ofSeconds(20);

    private final VirtualTimeScheduler clock = VirtualTimeScheduler.getOrSet();
    private final FakeApiServer server = FakeApiServer.builder().scheduler(clock).build();
    private final Random random = new Random(3);
    private final List<String> missing = new ArrayList<>();

    NarrowedShardingTest() {
        for (String namespace : List.of("red", "green", "blue", "prod")) {
            server.objects().create("{apiVersion: v1, kind: Namespace, metadata: {name: " + namespace + "}}");
        }
        for (int i = 0; i < COUNT; i++) {
            server.objects().create("{apiVersion: v1, kind: ConfigMap, metadata: {namespace: "
                    + List.of("red", "green", "blue", "prod").get(i % 4) + ", name: image-" + i + "}, data: {of: '"
                    + "x".repeat(2_000) + "'}}");
        }
    }

    @AfterEach
    void end() {
        server.close();
        VirtualTimeScheduler.reset();
    }

    private final class Replica {
        final CountingTransport transport = new CountingTransport(server.transport());
        final KubernetesClient client = KubernetesClient.over(transport, ClientOptions.defaults()
                .withTransport(TransportOptions.defaults().withSilence(Duration.ofMinutes(1), clock))
                .withWriteLimit(0, 1)
                .withListsAtOnce(0));
        final InformerFactory informers = InformerFactory.create(client, ReflectorOptions.defaults().withTimer(clock));
        final Informer<V1ConfigMap> images;
        final ShardedController<ObjectKey> mirrors;
        final Set<ObjectKey> mirrored = new TreeSet<>();
        final Sinks.Empty<Result> pending = Sinks.empty();
        boolean holdsOn;
        int decoded;
        Share share = Share.NONE;

        Replica(boolean narrow) {
            this(narrow, Division.byKey());
        }

        Replica(boolean narrow, Division division) {
            images = informers.of(InformerSpec.of(IMAGES).withTransform(image -> {
                decoded++;
                return image;
            }));
            mirrors = ShardedController.of(
                    client, ObjectKey.of("prod", "image-mirror"),
                    Controller.named("image-mirror").watches(images, Route.self())
                            .queue(queue -> queue.withLimiter(RateLimiter.standard(clock)).withTimer(clock).withWorkers(clock)),
                    request -> mirror(request.key()),
                    ElectionOptions.defaults().withTimer(clock).withWorkers(clock).withRandom(random::nextDouble),
                    narrow ? division.narrowing(images) : division);
            mirrors.shares().subscribe(next -> share = next);
            mirrors.start();
            informers.start();
            clock.advanceTimeBy(SETTLED);
        }

        private Mono<Result> mirror(ObjectKey key) {
            if (images.lister().get(key).isEmpty()) {
                missing.add(key.toString());
            }
            mirrored.add(key);
            return holdsOn ? pending.asMono() : Mono.just(Result.done());
        }

        void stop() {
            mirrors.drain(Duration.ofSeconds(20)).then(informers.stop(Duration.ofSeconds(5))).subscribe();
            clock.advanceTimeBy(SETTLED);
        }

        int size() {
            return images.snapshot().size();
        }
    }

    private void changeAll() {
        long at = clock.now(TimeUnit.MILLISECONDS);
        for (int i = 0; i < COUNT; i++) {
            server.objects().edit(IMAGES, ObjectKey.of(List.of("red", "green", "blue", "prod").get(i % 4), "image-" + i), image -> {
                image.withObject("data").put("at", "" + at);
                return image;
            });
        }
        clock.advanceTimeBy(Duration.ofSeconds(2));
    }

    private static int mirrored(List<Replica> replicas) {
        return replicas.stream().mapToInt(replica -> replica.mirrored.size()).sum();
    }

    @Test
    void fiveMembersHoldAndDecodeWhatIsTheirs() {
        List<Replica> replicas = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            replicas.add(new Replica(true));
        }
        assertThat(missing).as("of what was worked on").isEmpty();
        assertThat(replicas.stream().mapToInt(Replica::size).sum()).as("cached by all together").isEqualTo(COUNT);
        Replica last = replicas.get(4);
        assertThat(last.decoded).as("by the fifth, ever").isEqualTo(last.size()).isBetween(COUNT / 10, COUNT * 3 / 10);

        replicas.forEach(replica -> {
            replica.mirrored.clear();
            replica.decoded = 0;
        });
        changeAll();
        assertThat(mirrored(replicas)).as("each once").isEqualTo(COUNT);
        assertThat(replicas.stream().mapToInt(replica -> replica.decoded).sum()).as("by all together").isEqualTo(COUNT);

        replicas.remove(0).stop();
        changeAll();
        assertThat(replicas.stream().mapToInt(Replica::size).sum()).as("cached by those who stay").isEqualTo(COUNT);
        replicas.forEach(replica -> replica.mirrored.clear());
        changeAll();
        assertThat(mirrored(replicas)).as("each once").isEqualTo(COUNT);
        assertThat(missing).isEmpty();
        assertThat(replicas).allMatch(replica -> replica.images.snapshot().complete());
    }

    @Test
    void withoutItEachHoldsAndDecodesEverything() {
        var narrow = new Replica(true);
        var wide = new Replica(false);
        assertThat(wide.size()).isEqualTo(COUNT);
        assertThat(wide.decoded).isEqualTo(COUNT);
        assertThat(narrow.size()).isBetween(COUNT / 3, COUNT * 2 / 3);
    }

    @Test
    void whatIsStillWorkedOnStaysInTheCache() {
        var first = new Replica(true);
        first.holdsOn = true;
        changeAll();
        assertThat(first.mirrored).hasSize(COUNT);
        int atWork = first.mirrors.size();

        var second = new Replica(true);
        assertThat(first.size()).as("while some that are given away are worked on").isEqualTo(COUNT);
        assertThat(second.size()).as("holds what it is to work on").isLessThan(COUNT);

        first.holdsOn = false;
        first.pending.tryEmitEmpty();
        clock.advanceTimeBy(SETTLED);
        assertThat(first.size() + second.size()).as("after " + atWork).isEqualTo(COUNT);
        assertThat(missing).isEmpty();
    }

    @Test
    void byNamespaceAllOfItIsCachedByOne() {
        List<Replica> replicas = List.of(new Replica(true, Division.byNamespace()), new Replica(true, Division.byNamespace()),
                new Replica(true, Division.byNamespace()));
        changeAll();
        assertThat(replicas.stream().mapToInt(Replica::size).sum()).isEqualTo(COUNT);
        replicas.forEach(replica -> assertThat(replica.size() % (COUNT / 4)).as("whole namespaces").isZero());
        Replica some = replicas.stream().filter(replica -> replica.size() > 0).findFirst().orElseThrow();
        some.images.snapshot().forEach((key, image) -> assertThat(some.share.owns(ObjectKey.of(key.namespace(), "another"))).isTrue());
        assertThat(missing).isEmpty();
    }
}
