package io.reactiveinformer.client;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.reactiveinformer.recordings.Recording;
import io.reactiveinformer.transport.HttpRequest;
import io.reactiveinformer.transport.HttpRequest.Headers;
import io.reactiveinformer.transport.Transport;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Stream;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/** Answers with recorded exchanges, in order, and refuses a request that asks for something else than the recorded one did. */
final class RecordedTransport implements Transport {

    private final List<Recording.Exchange> script;
    private final AtomicInteger next = new AtomicInteger();
    private final List<HttpRequest> requests = new CopyOnWriteArrayList<>();

    private RecordedTransport(List<Recording.Exchange> script) {
        this.script = script;
    }

    static RecordedTransport of(String recording, int... exchanges) {
        Recording all = Recording.of(recording);
        return new RecordedTransport(Arrays.stream(exchanges).mapToObj(all::exchange).toList());
    }

    List<HttpRequest> requests() {
        return requests;
    }

    HttpRequest last() {
        return requests.get(requests.size() - 1);
    }

    void verifyPlayedToTheEnd() {
        assertThat(next).hasValue(script.size());
    }

    @Override
    public <R> Flux<R> exchange(HttpRequest request, Function<Transport.Answer, ? extends Publisher<R>> reader) {
        return Flux.defer(() -> {
            requests.add(request);
            Recording.Exchange exchange = script.get(next.getAndIncrement());
            compare(request, exchange);
            return reader.apply(answer(exchange));
        });
    }

    private static Transport.Answer answer(Recording.Exchange exchange) {
        Headers headers = Headers.empty();
        for (String name : List.of("Content-Type", "Retry-After", "Etag", "Warning")) {
            headers = exchange.header(name).isEmpty() ? headers : headers.with(name, exchange.header(name));
        }
        List<byte[]> pieces = exchange.header("Transfer-Encoding").equals("chunked") ? exchange.chunks() : List.of(exchange.body());
        Flux<ByteBuf> body = Flux.fromIterable(pieces).map(Unpooled::wrappedBuffer);
        return new Transport.Answer(exchange.status(), headers, body);
    }

    private static void compare(HttpRequest request, Recording.Exchange exchange) {
        String[] line = exchange.requestLine().split(" ", -1);
        String[] asked = request.uri().split("\\?", 2);
        String[] expected = line[1].split("\\?", 2);
        assertThat(request.method()).as(exchange.title()).isEqualTo(line[0]);
        assertThat(asked[0]).as(exchange.title()).isEqualTo(expected[0]);
        assertThat(parameters(asked)).as(exchange.title()).isEqualTo(parameters(expected));
        String body = new String(exchange.request(), StandardCharsets.UTF_8).split("\r\n\r\n", 2)[1];
        if (!body.isBlank()) {
            assertThat(JsonMapper.shared().readTree(request.body())).as(exchange.title()).isEqualTo(JsonMapper.shared().readTree(body));
        }
        for (String name : List.of("Accept", "Content-Type", "If-None-Match")) {
            assertThat(request.headers().first(name).orElse("")).as(exchange.title() + ": " + name)
                    .isEqualTo(requestHeader(exchange, name));
        }
    }

    /** In any order; without those that an informer sends and the recorder left to the server. */
    private static Set<String> parameters(String[] uri) {
        var parameters = new HashSet<String>();
        if (uri.length == 2) {
            Stream.of(uri[1].split("&", -1))
                    .map(parameter -> parameter.replace("(", "%28").replace(")", "%29").replace(",", "%2C").replace("!", "%21"))
                    .filter(parameter -> !parameter.startsWith("timeoutSeconds="))
                    .forEach(parameters::add);
        }
        return parameters;
    }

    private static String requestHeader(Recording.Exchange exchange, String name) {
        return new String(exchange.request(), StandardCharsets.ISO_8859_1).lines()
                .takeWhile(line -> !line.isEmpty())
                .filter(line -> line.regionMatches(true, 0, name + ": ", 0, name.length() + 2))
                .map(line -> line.substring(name.length() + 2))
                .findFirst().orElse("");
    }

    @Override
    public Mono<Void> dispose() {
        return Mono.empty();
    }
}
