package io.reactiveinformer.recordings.informer;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.client.WatchOptions;
import io.reactiveinformer.delta.Delta;
import io.reactiveinformer.delta.DeltaStage;
import io.reactiveinformer.recordings.Recording;
import io.reactiveinformer.reflector.Reflector;
import io.reactiveinformer.reflector.ReflectorOptions;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Reading;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.TransportException;
import io.reactiveinformer.source.ListerWatcher;
import io.reactiveinformer.store.Store;
import io.reactiveinformer.transport.HttpRequest;
import io.reactiveinformer.transport.HttpRequest.Headers;
import io.reactiveinformer.transport.Transport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.scheduler.VirtualTimeScheduler;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A watch that is cut after any byte, in order or not, is resumed from the last event that had come whole, without a list, and leads to the
 * same state.
 */
class CutAnywhereTest {

    private final AtomicReference<Transport> current = new AtomicReference<>();
    private final KubernetesClient client = KubernetesClient.over(new Switch());

    @SuppressWarnings("unchecked") // the objects' class does not matter here
    private final ResourceType<Object> type = (ResourceType<Object>) ResourceType.find("", "v1", "configmaps").orElseThrow();

    @ParameterizedTest
    @CsvSource({"05-watch-events, 1, 268, 272", "25-watch-single, 1, 674, 679", "08-watch-too-old, 1, 410, 414"})
    void convergesWithoutAList(String recording, int exchange, String from, String last) {
        byte[] watch = Recording.of(recording).exchange(exchange).body();
        makeReady(watch);
        Map<ObjectKey, String> whole = play(watch, watch.length, true, from, last);
        assertThat(whole).isNotNull();
        for (int cut = 0; cut < watch.length; cut++) {
            assertThat(play(watch, cut, false, from, last)).as("broken after %d bytes", cut).isEqualTo(whole);
            if (cut % 7 == 0) {
                assertThat(play(watch, cut, true, from, last)).as("ended after %d bytes", cut).isEqualTo(whole);
            }
        }
    }

    /** The client's first use of a type makes its readers ready, on a thread of its own; from then on all happens at once. */
    private void makeReady(byte[] watch) {
        current.set(new CutOnce(watch, 0, true));
        client.resources(type).watch(Namespaces.all(), WatchOptions.from("1", Duration.ofMinutes(1)), Reading.anew())
                .blockLast(Duration.ofSeconds(20));
    }

    private Map<ObjectKey, String> play(byte[] watch, int cut, boolean inOrder, String from, String last) {
        var clock = VirtualTimeScheduler.create();
        var server = new CutOnce(watch, cut, inOrder);
        current.set(server);
        Store<Object> store = Store.create();
        store.apply(new Delta.Replaced<>(Namespaces.all(), List.of(), from, false));
        ReflectorOptions options = ReflectorOptions.defaults().withTimer(clock);
        var subscription = Reflector.of(new Unproven<>(ListerWatcher.over(client, type, Namespaces.all())), store, options)
                .resumeFrom(from).events()
                .transform(DeltaStage.over(store)).subscribe(store::apply);
        clock.advanceTimeBy(Duration.ofSeconds(10));
        subscription.dispose();
        assertThat(server.asked).allMatch(uri -> uri.contains("watch=true")).hasSizeLessThanOrEqualTo(3);
        assertThat(store.reached(Namespaces.all())).isEqualTo(last);
        Map<ObjectKey, String> cached = new TreeMap<>();
        store.snapshot().forEach((key, entry) -> cached.put(key, entry.uid() + "@" + entry.resourceVersion()));
        return cached;
    }

    /** Asks whichever server is {@link #current}. */
    private final class Switch implements Transport {
        @Override
        public <R> Flux<R> exchange(HttpRequest request, Function<Transport.Answer, ? extends Publisher<R>> reader) {
            return Flux.defer(() -> current.get().exchange(request, reader));
        }

        @Override
        public Mono<Void> dispose() {
            return Mono.empty();
        }
    }

    /** Answers the first watch with so many bytes, and each later one with the lines that come after its version. */
    private static final class CutOnce implements Transport {
        private final byte[] watch;
        private final int cut;
        private final boolean inOrder;
        private final List<String> asked = new ArrayList<>();

        CutOnce(byte[] watch, int cut, boolean inOrder) {
            this.watch = watch;
            this.cut = cut;
            this.inOrder = inOrder;
        }

        @Override
        public <R> Flux<R> exchange(HttpRequest request, Function<Transport.Answer, ? extends Publisher<R>> reader) {
            return Flux.defer(() -> {
                asked.add(request.uri());
                Flux<ByteBuf> body = asked.size() == 1
                        ? buffer(Arrays.copyOf(watch, cut)).concatWith(
                                inOrder ? Mono.empty() : Mono.error(new TransportException("the recording was cut", null)))
                        : buffer(linesAfter(request.uri())).concatWith(Flux.never());
                return reader.apply(new Transport.Answer(200, Headers.of("Content-Type", "application/json"), body));
            });
        }

        private static Flux<ByteBuf> buffer(byte[] bytes) {
            return Flux.defer(() -> bytes.length == 0 ? Flux.empty() : Flux.just(Unpooled.wrappedBuffer(bytes)));
        }

        private byte[] linesAfter(String uri) {
            long from = Long.parseLong(uri.replaceAll(".*resourceVersion=(\\d+).*", "$1"));
            var lines = new StringBuilder();
            new String(watch, UTF_8).lines()
                    .filter(line -> Long.parseLong(line.replaceAll(".*?\"resourceVersion\":\"(\\d+)\".*", "$1")) > from)
                    .forEach(line -> lines.append(line).append('\n'));
            return lines.toString().getBytes(UTF_8);
        }

        @Override
        public Mono<Void> dispose() {
            return Mono.empty();
        }
    }
}
