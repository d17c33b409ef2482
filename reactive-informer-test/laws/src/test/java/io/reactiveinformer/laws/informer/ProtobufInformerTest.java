package io.reactiveinformer.laws.informer;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.reactiveinformer.Rounds;
import io.reactiveinformer.client.ClientOptions;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.reflector.ReflectorOptions;
import io.reactiveinformer.resource.FieldPath;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.PartialObjectMetadata;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.source.ListerWatcher;
import io.reactiveinformer.test.FakeApiServer;
import io.reactiveinformer.test.faults.Fault;
import io.reactiveinformer.transport.HttpRequest;
import io.reactiveinformer.transport.Transport;
import io.reactiveinformer.transport.TransportOptions;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.scheduler.VirtualTimeScheduler;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/** Informers of a client that accepts protocol buffers. */
class ProtobufInformerTest {

    private static final ResourceType<V1ConfigMap> CONFIG_MAPS = ResourceType.of(V1ConfigMap.class);
    private static final ClientOptions PROTOBUF = ClientOptions.defaults().withProtobuf(true);
    private static final int SEEDS = 6;
    private static final Duration HOUR = Duration.ofHours(1);
    private static final String DAMAGED = "damaged";

    record Row(@FieldPath("metadata.name") String name, @FieldPath("data['k']") String value) {}

    /** Notes what is accepted, and what comes. */
    private static final class Noting implements Transport {

        private final Transport transport;
        private final List<String> types = new CopyOnWriteArrayList<>();

        Noting(Transport transport) {
            this.transport = transport;
        }

        @Override
        public <R> Flux<R> exchange(HttpRequest request, Function<Answer, ? extends Publisher<R>> reader) {
            return transport.exchange(request, answer -> {
                String type = answer.headers().first("Content-Type").orElse("none");
                types.add(type);
                return reader.apply(new Answer(answer.status(), answer.headers(),
                        type.contains("protobuf") ? answer.body().map(Noting::damaged) : answer.body()));
            });
        }

        /** The data of a config map that has the key {@value #DAMAGED} are a group, which no message has. */
        private static ByteBuf damaged(ByteBuf body) {
            int key = body.toString(StandardCharsets.ISO_8859_1).indexOf(DAMAGED);
            if (key < 0) {
                return body;
            }
            ByteBuf damaged = Unpooled.copiedBuffer(body);
            body.release();
            return damaged.setByte(key - 4, 2 << 3 | 3);
        }

        @Override
        public Mono<Void> dispose() {
            return transport.dispose();
        }
    }

    private static <T> Informer<T> informer(Transport transport, ResourceType<T> type, VirtualTimeScheduler clock, boolean streaming) {
        var source = ListerWatcher.over(KubernetesClient.over(transport, PROTOBUF), type, Namespaces.all());
        return Informer.over(source, ReflectorOptions.defaults().withTimer(clock).withRandom(() -> 0.5).withStreaming(streaming)
                .withWatchTimeout(Duration.ofSeconds(30)));
    }

    @Test
    void readsBuiltInTypesFromProtocolBuffersAndCustomOnesFromJson() {
        VirtualTimeScheduler clock = VirtualTimeScheduler.create();
        try (FakeApiServer server = FakeApiServer.builder().scheduler(clock)
                .with("{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: t, annotations: {l: é}}, data: {k: v}}")
                .with("""
                        apiVersion: apiextensions.k8s.io/v1
                        kind: CustomResourceDefinition
                        metadata: {name: widgets.example.com}
                        spec:
                          group: example.com
                          names: {plural: widgets, kind: Widget}
                          scope: Namespaced
                          versions:
                          - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}
                        """)
                .build()) {
            for (boolean streaming : new boolean[] {false, true}) {
                var typed = new Noting(server.transport());
                Informer<V1ConfigMap> whole = informer(typed, CONFIG_MAPS, clock, streaming);
                var rows = new Noting(server.transport());
                Informer<Row> part = informer(rows, CONFIG_MAPS.as(Row.class), clock, streaming);
                var metadata = new Noting(server.transport());
                Informer<PartialObjectMetadata> labels =
                        informer(metadata, ResourceType.metadata("", "v1", "configmaps"), clock, streaming);
                var trees = new Noting(server.transport());
                Informer<JsonNode> custom = informer(trees, ResourceType.dynamic("example.com", "v1", "widgets"), clock, streaming);
                List<Informer<?>> all = List.of(whole, part, labels, custom);
                all.forEach(Informer::start);
                clock.advanceTimeBy(Duration.ofSeconds(1));
                assertThat(all).allMatch(Informer::hasSynced);
                server.objects().list(CONFIG_MAPS)
                        .forEach(object -> server.objects().update(object.set("data", object.objectNode().put("k", "w" + streaming))));
                clock.advanceTimeBy(Duration.ofSeconds(1));
                assertThat(whole.lister().list()).singleElement().satisfies(object -> {
                    assertThat(object.getKind()).isEqualTo("ConfigMap");
                    assertThat(object.getData()).isEqualTo(Map.of("k", "w" + streaming));
                    assertThat(object.getMetadata().getAnnotations()).isEqualTo(Map.of("l", "é"));
                });
                assertThat(part.lister().list()).isEqualTo(List.of(new Row("a", "w" + streaming)));
                assertThat(labels.lister().list()).singleElement().satisfies(object ->
                        assertThat(object.metadata().getAnnotations()).isEqualTo(Map.of("l", "é")));
                assertThat(List.of(typed, rows, metadata)).allSatisfy(noting ->
                        assertThat(noting.types).isNotEmpty().allMatch(type -> type.startsWith("application/vnd.kubernetes.protobuf")));
                assertThat(trees.types).isNotEmpty().allMatch(type -> type.startsWith("application/json"));
                all.forEach(Informer::stop);
            }
        }
    }

    /** An object in a list, and one in a watch of a minute later, when protocol buffers are requested again. */
    @ParameterizedTest(name = "streaming lists: {0}")
    @ValueSource(booleans = {false, true})
    void readsFromJsonWhatIsUnreadableInProtocolBuffers(boolean streaming) {
        VirtualTimeScheduler clock = VirtualTimeScheduler.create();
        try (FakeApiServer server = FakeApiServer.builder().scheduler(clock).with(damagedConfigMap("a")).build()) {
            var noting = new Noting(server.transport());
            ClientOptions options = ClientOptions.defaults().withTransport(TransportOptions.defaults().withSilence(HOUR, clock));
            var source = ListerWatcher.over(KubernetesClient.over(noting, options), CONFIG_MAPS, Namespaces.all());
            Informer<V1ConfigMap> informer = Informer.over(source, ReflectorOptions.defaults().withTimer(clock).withRandom(() -> 0.5)
                    .withStreaming(streaming).withWatchTimeout(Duration.ofSeconds(30)));
            informer.start();
            clock.advanceTimeBy(Duration.ofSeconds(5));
            assertThat(states(informer)).isEqualTo(states(server)).hasSize(1);
            assertThat(noting.types).last().asString().startsWith("application/json");
            clock.advanceTimeBy(Duration.ofMinutes(2));
            assertThat(noting.types).last().asString().startsWith("application/vnd.kubernetes.protobuf");
            server.objects().create(damagedConfigMap("b"));
            clock.advanceTimeBy(Duration.ofSeconds(5));
            assertThat(states(informer)).isEqualTo(states(server)).hasSize(2);
            assertThat(informer.status().blockFirst()).satisfies(status -> assertThat(status.stale()).isEmpty());
            informer.stop();
        }
    }

    private static String damagedConfigMap(String name) {
        return "{apiVersion: v1, kind: ConfigMap, metadata: {name: " + name + ", namespace: t}, data: {" + DAMAGED + ": v}}";
    }

    /** An hour of faults, and then the cache is that of the server. */
    @Test
    void getsOverFaults() {
        List<String> faults = new ArrayList<>();
        for (long seed : Rounds.seeds("faults", SEEDS, 2)) {
            VirtualTimeScheduler clock = VirtualTimeScheduler.create();
            try (FakeApiServer server = FakeApiServer.builder().scheduler(clock).seed(seed).build()) {
                var noting = new Noting(server.transport());
                Informer<V1ConfigMap> informer = informer(noting, CONFIG_MAPS, clock, seed % 2 == 0);
                server.faults().occurrences().map(Fault.Occurrence::fault).subscribe(faults::add);
                server.faults().random(seed).rate(0.5).stalls().restarts().onListsAndWatches("configmaps");
                informer.start();
                for (int i = 0; i < 60; i++) {
                    server.objects().create("{apiVersion: v1, kind: ConfigMap, metadata: {generateName: c, namespace: t}, data: {k: v}}");
                    clock.advanceTimeBy(Duration.ofMinutes(1));
                }
                server.faults().clear();
                clock.advanceTimeBy(Duration.ofHours(1));
                server.objects().list(CONFIG_MAPS).forEach(object -> server.objects().update(object.put("immutable", false)));
                clock.advanceTimeBy(Duration.ofHours(1));
                assertThat(states(informer)).as("seed %d", seed).isEqualTo(states(server));
                assertThat(noting.types).as("seed %d", seed).anyMatch(type -> type.startsWith("application/vnd.kubernetes.protobuf"));
                informer.stop();
            }
        }
        assertThat(faults).anyMatch(fault -> fault.contains("garbled")).anyMatch(fault -> fault.contains("compacted"));
    }

    private static Set<String> states(Informer<V1ConfigMap> informer) {
        return informer.lister().list().stream()
                .map(object -> object.getMetadata().getName() + "@" + object.getMetadata().getResourceVersion() + object.getData())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> states(FakeApiServer server) {
        return server.objects().list(CONFIG_MAPS).stream().map(object -> object.at("/metadata/name").asString() + "@"
                + object.at("/metadata/resourceVersion").asString() + object.at("/data").properties().stream()
                        .collect(Collectors.toMap(Map.Entry::getKey, entry -> entry.getValue().asString())))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
