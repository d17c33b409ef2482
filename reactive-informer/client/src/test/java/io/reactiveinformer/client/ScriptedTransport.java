package io.reactiveinformer.client;

import io.netty.buffer.Unpooled;
import io.reactiveinformer.transport.HttpRequest;
import io.reactiveinformer.transport.HttpRequest.Headers;
import io.reactiveinformer.transport.Transport;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;

/** Answers each request with what comes next in its script; the last answer, again and again. */
public final class ScriptedTransport implements Transport {

    private final Queue<Mono<Transport.Answer>> script = new ArrayDeque<>();
    private final List<HttpRequest> requests = new CopyOnWriteArrayList<>();

    public ScriptedTransport then(int status, String body, String... headers) {
        return then(status, Flux.just(body), headers);
    }

    public ScriptedTransport then(int status, Flux<String> body, String... headers) {
        Headers all = Headers.empty();
        for (int i = 0; i < headers.length; i += 2) {
            all = all.with(headers[i], headers[i + 1]);
        }
        script.add(Mono.just(new Transport.Answer(status, all, body.map(text -> Unpooled.copiedBuffer(text, StandardCharsets.UTF_8)))));
        return this;
    }

    ScriptedTransport thenFail(RuntimeException failure) {
        script.add(Mono.error(failure));
        return this;
    }

    /** Forgets all. */
    void reset() {
        script.clear();
        requests.clear();
    }

    public List<HttpRequest> requests() {
        return requests;
    }

    public void verifyAsked(String... uris) {
        assertThat(requests.stream().map(HttpRequest::toString)).containsExactly(uris);
    }

    @Override
    public <R> Flux<R> exchange(HttpRequest request, Function<Transport.Answer, ? extends Publisher<R>> reader) {
        return Flux.defer(() -> {
            requests.add(request);
            Mono<Transport.Answer> next = script.size() > 1 ? script.remove() : script.element();
            return next.flatMapMany(reader);
        });
    }

    @Override
    public Mono<Void> dispose() {
        return Mono.empty();
    }
}
