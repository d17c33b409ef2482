package io.reactiveinformer.benchmarks;

import com.sun.management.ThreadMXBean;
import io.kubernetes.client.openapi.models.V1Pod;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.reactiveinformer.apiserver.internal.cluster.Json;
import io.reactiveinformer.apiserver.internal.protobuf.ProtobufObjects;
import io.reactiveinformer.benchmarks.trial.Corpus;
import io.reactiveinformer.benchmarks.trial.PodBytes;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.config.ClusterConfig;
import io.reactiveinformer.delta.Delta;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.internal.codec.ObjectCodec;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectEvent;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.PartialObjectMetadata;
import io.reactiveinformer.resource.Reading;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.store.Store;
import io.reactiveinformer.test.FakeApiServer;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.openjdk.jol.info.GraphLayout;
import reactor.core.publisher.Flux;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertAll;

/**
 * What is counted, not timed: a tenth more than is written here fails the build. Runs with the simple compiler alone, which leaves out no
 * allocation, so that each run counts the same. Who makes something cheaper writes the new number down.
 */
@Timeout(120)
class CountedThingsTest {

    private static final ResourceType<V1Pod> PODS = ResourceType.of(V1Pod.class);
    private static final ResourceType<PartialObjectMetadata> METADATA = ResourceType.metadata("", "v1", "pods");
    private static final ResourceType<ReactiveInformer.FiveFields> PROJECTED = PODS.as(ReactiveInformer.FiveFields.class);

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** To renew: run this test, and write down what it prints. */
    private static final Map<String, Long> BASELINES = Map.ofEntries(
            Map.entry("allocated, typed, corpus A", 7_190L),
            Map.entry("allocated, typed, corpus B", 22_770L),
            Map.entry("allocated, typed, a change, corpus A", 3_770L),
            Map.entry("allocated, typed, a change, corpus B", 13_520L),
            Map.entry("allocated, projected", 2_010L),
            Map.entry("allocated, metadata", 4_420L),
            Map.entry("allocated, protobuf, corpus A", 7_060L),
            Map.entry("allocated, protobuf, corpus B", 22_600L),
            Map.entry("allocated, protobuf, a change, corpus A", 3_500L),
            Map.entry("allocated, protobuf, a change, corpus B", 13_250L),
            Map.entry("retained, typed, corpus A", 2_740L),
            Map.entry("retained, typed, corpus B", 8_230L),
            Map.entry("retained, projected", 375L),
            Map.entry("retained, metadata", 652L),
            Map.entry("retained, protobuf, corpus A", 2_730L),
            Map.entry("retained, protobuf, corpus B", 8_250L));

    @Test
    void bytesAllocatedForAnEvent() {
        assertAll(
                () -> check("allocated, typed, corpus A", allocated(PODS, Corpus.Kind.A, false)),
                () -> check("allocated, typed, corpus B", allocated(PODS, Corpus.Kind.B, false)),
                () -> check("allocated, typed, a change, corpus A", allocatedByChange(Corpus.Kind.A, false)),
                () -> check("allocated, typed, a change, corpus B", allocatedByChange(Corpus.Kind.B, false)),
                () -> check("allocated, projected", allocated(PROJECTED, Corpus.Kind.A, false)),
                () -> check("allocated, metadata", allocated(METADATA, Corpus.Kind.A, false)),
                () -> check("allocated, protobuf, corpus A", allocated(PODS, Corpus.Kind.A, true)),
                () -> check("allocated, protobuf, corpus B", allocated(PODS, Corpus.Kind.B, true)),
                () -> check("allocated, protobuf, a change, corpus A", allocatedByChange(Corpus.Kind.A, true)),
                () -> check("allocated, protobuf, a change, corpus B", allocatedByChange(Corpus.Kind.B, true)));
    }

    @Test
    void bytesRetainedByAnObject() {
        assertAll(
                () -> check("retained, typed, corpus A", retained(PODS, Corpus.Kind.A, false)),
                () -> check("retained, typed, corpus B", retained(PODS, Corpus.Kind.B, false)),
                () -> check("retained, projected", retained(PROJECTED, Corpus.Kind.A, false)),
                () -> check("retained, metadata", retained(METADATA, Corpus.Kind.A, false)),
                () -> check("retained, protobuf, corpus A", retained(PODS, Corpus.Kind.A, true)),
                () -> check("retained, protobuf, corpus B", retained(PODS, Corpus.Kind.B, true)));
    }

    /** The list and the watch, then a proof of one object and a watch to go on after the cut; changes cost none. */
    @Test
    void requests() {
        try (FakeApiServer server = FakeApiServer.builder().with(configMap("default", 0)).build().start();
                var client = KubernetesClient.create(ClusterConfig.of(server.url())); var informers = InformerFactory.create(client)) {
            Informer<?> informer = informers.of(ResourceType.dynamic("", "v1", "configmaps"));
            informers.start();
            informer.synced().block(Duration.ofSeconds(30));
            server.requests().await(request -> request.uri().contains("watch=true"), Duration.ofSeconds(30)).block();
            for (int i = 1; i <= 1_000; i++) {
                if (i == 500) {
                    server.restartKeeping(4096);
                }
                var created = server.objects().create(configMap("default", i));
                if (i % 500 == 0) {
                    informer.atLeast(ObjectKey.of("default", "settings-" + i), created.at("/metadata/resourceVersion").stringValue())
                            .block(Duration.ofSeconds(30));
                }
            }
            assertThat(server.requests().all()).satisfiesExactly(
                    list -> assertThat(list.uri()).contains("resourceVersion=0").doesNotContain("watch=true"),
                    watch -> assertThat(watch.uri()).contains("watch=true").doesNotContain("sendInitialEvents"),
                    proof -> assertThat(proof.uri()).contains("limit=1", "resourceVersionMatch=Exact"),
                    resumed -> assertThat(resumed.uri()).contains("watch=true").doesNotContain("sendInitialEvents"));
        }
    }

    /** Beside those for what blocks, which come and go: the server in the same JVM needs some, too. */
    @Test
    void threads() {
        try (FakeApiServer server = FakeApiServer.create().start()) {
            Set<Thread> before = Thread.getAllStackTraces().keySet();
            try (var client = KubernetesClient.create(ClusterConfig.of(server.url())); var informers = InformerFactory.create(client)) {
                List<Informer<?>> all = IntStream.range(0, 20).<Informer<?>>mapToObj(
                        i -> informers.of(ResourceType.dynamic("", "v1", "configmaps"), Namespaces.of("ns-" + i))).toList();
                informers.start();
                Flux.fromIterable(all).flatMap(Informer::synced, all.size()).blockLast(Duration.ofSeconds(30));
                List<String> added = Thread.getAllStackTraces().keySet().stream().filter(thread -> !before.contains(thread))
                        .map(Thread::getName)
                        .filter(name -> !name.startsWith("fake-apiserver") && !name.startsWith("boundedElastic")).toList();
                assertThat(added).hasSizeLessThanOrEqualTo(2 * Runtime.getRuntime().availableProcessors() + 4);
            }
        }
    }

    private static void check(String what, long seen) {
        long baseline = BASELINES.get(what);
        System.out.printf("%s: %d (baseline %d)%n", what, seen, baseline);
        assertThat(seen).as("bytes %s: a tenth more than the baseline of %d fails; what made it dearer?", what, baseline)
                .isLessThanOrEqualTo(baseline + baseline / 10);
    }

    /** From the bytes of the event to the row in the cache, after as many others. */
    private static <T> long allocated(ResourceType<T> type, Corpus.Kind kind, boolean protobuf) {
        int count = 500;
        var codec = ObjectCodec.create();
        Store<T> store = Store.create();
        var events = new Events(kind, protobuf);
        apply(codec, type, store, events, events.of(0, count, 0));
        long bytes = allocated(codec, type, store, events, events.of(count, 2 * count, 0));
        assertThat(store.snapshot().size()).isEqualTo(2 * count);
        return bytes / count;
    }

    /** The same for cached pods, in whose status a time and a number have changed; most of each pod is as it was. */
    private static long allocatedByChange(Corpus.Kind kind, boolean protobuf) {
        int count = 500;
        var codec = ObjectCodec.create();
        Store<V1Pod> store = Store.create();
        var events = new Events(kind, protobuf);
        apply(codec, PODS, store, events, events.of(0, count, 0));
        long bytes = allocated(codec, PODS, store, events, events.of(0, count, 1));
        assertThat(store.snapshot().list()).hasSize(count).allMatch(pod -> pod.getMetadata().getResourceVersion().startsWith("15"));
        return bytes / count;
    }

    private static <T> long allocated(ObjectCodec codec, ResourceType<T> type, Store<T> store, Events events, List<ByteBuf> body) {
        long before = THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
        apply(codec, type, store, events, body);
        return THREADS.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;
    }

    /** The snapshot with its rows, as the JVM lays them out, less one with fewer rows: what is there once does not count. */
    private static <T> long retained(ResourceType<T> type, Corpus.Kind kind, boolean protobuf) {
        int count = Boolean.getBoolean("test.thorough") ? 500 : 200;
        var codec = ObjectCodec.create();
        Store<T> store = Store.create();
        var events = new Events(kind, protobuf);
        apply(codec, type, store, events, events.of(0, 100, 0));
        long before = GraphLayout.parseInstance(store.snapshot()).totalSize();
        apply(codec, type, store, events, events.of(100, 100 + count, 0));
        assertThat(store.snapshot().size()).isEqualTo(100 + count);
        return (GraphLayout.parseInstance(store.snapshot()).totalSize() - before) / count;
    }

    private static <T> void apply(ObjectCodec codec, ResourceType<T> type, Store<T> store, Events events, List<ByteBuf> body) {
        events.read(codec, Flux.fromIterable(body), type, Reading.of(store::find)).doOnNext(event -> {
            if (event instanceof ObjectEvent.Applied<T> added) {
                store.apply(new Delta.Upserted<>(Namespaces.all(), added.key(), added.entry()));
            }
        }).blockLast();
    }

    /** Of pods that are added, in JSON or in protocol buffers. */
    private record Events(Corpus.Kind kind, boolean protobuf) {

        private static final byte[] OPENING =
                "{\"type\":\"ADDED\",\"object\":{\"kind\":\"Pod\",\"apiVersion\":\"v1\",".getBytes(StandardCharsets.UTF_8);

        <T> Flux<ObjectEvent<T>> read(ObjectCodec codec, Flux<ByteBuf> body, ResourceType<T> type, Reading<T> known) {
            return protobuf ? codec.watchInProtobuf(body, type, known, "watch") : codec.watch(body, type, known, "watch");
        }

        List<ByteBuf> of(int from, int to, int revision) {
            var corpus = new Corpus(kind, 2, 200, 1);
            return IntStream.range(from, to).mapToObj(number -> event(corpus.pod(number), number, revision))
                    .map(event -> protobuf ? ProtobufObjects.event((ObjectNode) Json.read(event)) : event)
                    .map(Unpooled::wrappedBuffer).toList();
        }

        private static byte[] event(PodBytes pod, int number, int revision) {
            byte[] event = new byte[OPENING.length - 1 + pod.length() + 2];
            // ten digits, as a server writes none before them
            pod.write(event, OPENING.length - 1, 1_000_000_000 + 500_000_000 * revision + number, number, revision, 0, false);
            System.arraycopy(OPENING, 0, event, 0, OPENING.length);
            event[event.length - 2] = '}';
            event[event.length - 1] = '\n';
            return event;
        }
    }

    private static String configMap(String namespace, int number) {
        return """
                {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"namespace": "%s", "name": "settings-%d"}, "data": {"a": "1"}}
                """.formatted(namespace, number);
    }
}
