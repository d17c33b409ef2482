package io.reactiveinformer.transport;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.nio.NioChannelOption;
import io.netty.handler.codec.http.HttpMethod;
import io.reactiveinformer.config.Endpoint;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import jdk.net.ExtendedSocketOptions;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.netty.http.client.HttpClient;
import reactor.netty.resources.ConnectionProvider;
import reactor.netty.resources.LoopResources;

/** The connections to one endpoint. Opened as exchanges need them; once retired, gone when the last exchange is over. */
final class Connections {

    /** Shorter than what load balancers and servers allow, so that it is rarely them who close. */
    private static final Duration IDLE = Duration.ofSeconds(30);
    private static final int GONE = -1;

    /** Whether the operating system's own selectors are used; they save nothing that a client notices. */
    static final boolean NATIVE = false;

    private final Endpoint endpoint;
    private final TransportOptions options;
    private final Failures failures;
    private final ConnectionProvider provider;
    private final Mono<HttpClient> client;
    private final AtomicInteger exchanges = new AtomicInteger();
    private volatile boolean retired;

    Connections(Endpoint endpoint, TransportOptions options, LoopResources loops) {
        this.endpoint = endpoint;
        this.options = options;
        this.failures = new Failures(endpoint);
        this.provider = ConnectionProvider.builder("reactive-informer")
                .maxConnections(Integer.MAX_VALUE) // over HTTP/1.1 each watch has one to itself, and informers must not wait for each other
                .pendingAcquireMaxCount(-1)
                .maxIdleTime(IDLE)
                .evictInBackground(IDLE)
                .build();
        this.client = Mono.fromCallable(() -> client(loops))
                .flatMap(built -> built.warmup().thenReturn(built))
                .subscribeOn(Schedulers.boundedElastic()) // keys, trust stores and classes are loaded here, not on an event loop
                .cacheInvalidateIf(built -> false); // a failure is not kept
    }

    Endpoint endpoint() {
        return endpoint;
    }

    private HttpClient client(LoopResources loops) {
        HttpClient plain = HttpClient.create(provider)
                .runOn(loops, NATIVE)
                .compress(endpoint.compression())
                .followRedirect(false) // a redirect would carry our credentials elsewhere
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) options.connectTimeout().toMillis())
                .option(ChannelOption.SO_KEEPALIVE, true)
                .option(NioChannelOption.of(ExtendedSocketOptions.TCP_KEEPIDLE), 30)
                .option(NioChannelOption.of(ExtendedSocketOptions.TCP_KEEPINTERVAL), 5)
                .option(NioChannelOption.of(ExtendedSocketOptions.TCP_KEEPCOUNT), 3);
        return "https".equals(endpoint.server().getScheme())
                ? plain.secure(spec -> Tls.configure(spec, endpoint, options.connectTimeout()))
                : plain;
    }

    /** @return false if these connections are gone, and others must be used */
    boolean enter() {
        return exchanges.getAndUpdate(count -> count == GONE ? GONE : count + 1) != GONE;
    }

    /** After {@link #enter}, once for each. */
    void leave() {
        exchanges.decrementAndGet();
        goIfDone();
    }

    /** No new exchange shall come. */
    void retire() {
        retired = true;
        goIfDone();
    }

    private void goIfDone() {
        if (retired && exchanges.compareAndSet(0, GONE)) {
            provider.dispose();
        }
    }

    Mono<Void> dispose() {
        return provider.disposeLater();
    }

    <R> Flux<R> exchange(HttpRequest request, Function<HttpAnswer, ? extends Publisher<R>> reader) {
        return client.flatMapMany(http -> send(http, request, reader));
    }

    private <R> Flux<R> send(HttpClient http, HttpRequest request, Function<HttpAnswer, ? extends Publisher<R>> reader) {
        var silence = new Silence(request.silence() == null ? options.silence() : request.silence(), options.timer());
        var answered = new AtomicBoolean();
        HttpClient.RequestSender sender = http.headers(headers -> request.headers().forEach(headers::add))
                .request(HttpMethod.valueOf(request.method()))
                .uri(endpoint.server() + request.uri());
        HttpClient.ResponseReceiver<?> receiver = request.body() == null ? sender : sender.send(Mono.fromSupplier(() -> Unpooled.wrappedBuffer(request.body())));
        Flux<R> exchange = receiver.response((response, bytes) -> {
            answered.set(true);
            Flux<ByteBuf> body = silence.listen(bytes.onErrorMap(failure -> failures.explain(failure, request, true)));
            return reader.apply(new HttpAnswer(response.status().code(), Headers.copyOf(response.responseHeaders()), body));
        });
        return silence.guard(exchange, limit -> failures.silent(request, limit, answered.get()))
                .onErrorMap(failure -> !answered.get(), failure -> failures.explain(failure, request, false));
    }
}
