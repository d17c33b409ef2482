package io.reactiveinformer.laws.informer;

import io.netty.buffer.ByteBuf;
import io.reactiveinformer.client.ClientOptions;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.reflector.ReflectorOptions;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.test.FakeApiServer;
import io.reactiveinformer.transport.HttpRequest;
import io.reactiveinformer.transport.Transport;
import io.reactiveinformer.transport.TransportOptions;
import io.reactiveinformer.view.InformerStatus;
import io.reactiveinformer.view.InformerStatus.State;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.scheduler.VirtualTimeScheduler;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/** How many lists a server is asked for at once, counted at its door, when a hundred informers start and when it comes back. */
class ListsAtOnceTest {

    private static final int INFORMERS = 100;
    private static final ResourceType<JsonNode> CONFIG_MAPS = ResourceType.dynamic("", "v1", "configmaps");

    private final VirtualTimeScheduler clock = VirtualTimeScheduler.create();
    private final FakeApiServer server = FakeApiServer.builder().scheduler(clock).build();
    private final Door door = new Door();
    private final List<InformerFactory> factories = new ArrayList<>();
    private final List<Informer<JsonNode>> informers = new ArrayList<>();

    @AfterEach
    void close() {
        factories.forEach(InformerFactory::close);
        server.close();
    }

    /** Those of one client share its {@link ClientOptions#listsAtOnce}. */
    @ParameterizedTest(name = "{0} factories over one client, streaming lists: {1}")
    @CsvSource({"1, true", "1, false", "10, true", "10, false"})
    void aHundredInformersListNoMoreThanDocumentedAtOnce(int count, boolean streaming) {
        ClientOptions options = ClientOptions.defaults();
        int documented = options.listsAtOnce();
        informers(count, streaming, options);
        createInEach("a");
        factories.forEach(InformerFactory::start);
        clock.advanceTimeBy(Duration.ofMinutes(1));
        assertAllLiveWith(1);
        assertThat(door.lists).isEqualTo(INFORMERS);
        assertThat(door.mostAtOnce).isEqualTo(documented);

        createInEach("b"); // the versions of all but one are behind it
        server.restart();
        createInEach("c");
        clock.advanceTimeBy(Duration.ofMinutes(1));
        assertAllLiveWith(3);
        assertThat(door.lists).isBetween(2 * INFORMERS - 1, 2 * INFORMERS);
        assertThat(door.mostAtOnce).isEqualTo(documented);
    }

    /** With one place, the last of them waits longer than a server may be silent, for each list and each proof. */
    @ParameterizedTest(name = "streaming lists: {0}")
    @ValueSource(booleans = {true, false})
    void waitingForAPlaceIsNoSilenceOfTheServer(boolean streaming) {
        informers(1, streaming, ClientOptions.defaults().withListsAtOnce(1));
        door.takes = Duration.ofSeconds(2);
        var disrupted = new ArrayList<String>();
        for (Informer<JsonNode> informer : informers) {
            informer.status().filter(status -> status.state() == State.DISRUPTED)
                    .subscribe(status -> disrupted.add(String.valueOf(status.cause())));
        }
        createInEach("a");
        factories.forEach(InformerFactory::start);
        clock.advanceTimeBy(Duration.ofSeconds(2 * INFORMERS + 1));
        assertAllLiveWith(1);
        assertThat(disrupted).isEmpty();

        server.restartKeeping(1_000);
        clock.advanceTimeBy(Duration.ofSeconds(2 * INFORMERS + 3));
        assertAllLiveWith(1);
        assertThat(door.lists).isEqualTo(INFORMERS);
        assertThat(disrupted).allMatch(cause -> !cause.contains("silent"));
    }

    private void informers(int count, boolean streaming, ClientOptions options) {
        TransportOptions timed = options.transport().withSilence(options.transport().silence(), clock);
        KubernetesClient client = KubernetesClient.over(door, options.withTransport(timed));
        for (int i = 0; i < count; i++) {
            factories.add(InformerFactory.create(client, ReflectorOptions.defaults().withTimer(clock).withStreaming(streaming)));
        }
        for (int i = 0; i < INFORMERS; i++) {
            informers.add(factories.get(i % count).of(CONFIG_MAPS, Namespaces.of("n" + i)));
        }
    }

    private void createInEach(String name) {
        for (int i = 0; i < INFORMERS; i++) {
            server.objects().create("{apiVersion: v1, kind: ConfigMap, metadata: {name: " + name + ", namespace: n" + i + "}}");
        }
    }

    private void assertAllLiveWith(int objects) {
        for (Informer<JsonNode> informer : informers) {
            assertThat(informer.status().map(InformerStatus::state).blockFirst()).isEqualTo(State.LIVE);
            assertThat(informer.snapshot().size()).isEqualTo(objects);
        }
    }

    /** Lets lists and proofs in after a while, as a server does that has to read them from its store, and counts them. */
    private final class Door implements Transport {
        private Duration takes = Duration.ofSeconds(1);
        private int lists;
        private int atOnce;
        private int mostAtOnce;

        @Override
        public <R> Flux<R> exchange(HttpRequest request, Function<Transport.Answer, ? extends Publisher<R>> reader) {
            // before a watch that broke is resumed: all of a small cache, or one object that is no older than the cached one
            boolean proof = request.uri().contains("resourceVersionMatch=Exact") || request.uri().contains("limit=1&");
            boolean list = !proof && !request.uri().contains("watch=true") || request.uri().contains("sendInitialEvents=true");
            return list || proof ? Flux.defer(() -> list(request, reader, list ? 1 : 0)) : server.transport().exchange(request, reader);
        }

        private <R> Flux<R> list(HttpRequest request, Function<Transport.Answer, ? extends Publisher<R>> reader, int count) {
            lists += count;
            mostAtOnce = Math.max(mostAtOnce, ++atOnce);
            var left = new AtomicBoolean();
            Runnable leave = () -> {
                if (left.compareAndSet(false, true)) {
                    atOnce--;
                }
            };
            Flux<R> exchange = server.transport().exchange(request, answer -> reader.apply(new Transport.Answer(
                    answer.status(), answer.headers(), answer.body().doOnNext(bytes -> {
                        if (hasEndMark(bytes)) {
                            leave.run();
                        }
                    }))));
            return Mono.delay(takes, clock).thenMany(exchange).doOnTerminate(leave).doOnCancel(leave);
        }

        private boolean hasEndMark(ByteBuf bytes) {
            return bytes.toString(StandardCharsets.UTF_8).contains("k8s.io/initial-events-end");
        }

        @Override
        public Mono<Void> dispose() {
            return server.transport().dispose();
        }
    }
}
