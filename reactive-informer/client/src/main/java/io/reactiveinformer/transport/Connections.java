package io.reactiveinformer.transport;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.nio.NioChannelOption;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameCodec;
import io.netty.resolver.AddressResolver;
import io.netty.resolver.AddressResolverGroup;
import io.netty.resolver.InetNameResolver;
import io.netty.util.NetUtil;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Promise;
import io.reactiveinformer.config.Cluster.Endpoint;
import io.reactiveinformer.resource.KubernetesException;
import io.reactiveinformer.resource.TransportException;
import io.reactiveinformer.transport.HttpRequest.Headers;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import jdk.net.ExtendedSocketOptions;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;
import reactor.netty.NettyPipeline;
import reactor.netty.http.HttpProtocol;
import reactor.netty.http.client.Http2AllocationStrategy;
import reactor.netty.http.client.HttpClient;
import reactor.netty.resources.ConnectionProvider;
import reactor.netty.resources.LoopResources;

/**
 * The connections to one endpoint. They are opened as exchanges need them. Once retired, they refuse new exchanges, and are closed when the
 * last one has ended.
 *
 * <p>They retire by themselves when answers do not come. A connection may answer pings and still carry no request: the load balancer before
 * a server is alive, and the server behind it is gone. Nothing on the connection shows that, so the next exchange tries another connection.
 * Exchanges in progress on the old ones go on.
 */
final class Connections {

    private static final int GONE = -1;
    /**
     * Limit of successive exchanges that failed or were cancelled before any answer. A single one may be due to the request or its caller.
     */
    private static final int MOST_UNANSWERED = 2;
    /** How often in a row a server may refuse to look at a request: as for its other retries, 3.6 seconds in all. */
    private static final int MOST_REFUSALS = 9;
    /** Pause times the number of refusals after the first. */
    private static final Duration AFTER_REFUSAL = Duration.ofMillis(100);
    /** A caller that cancels sooner has not waited for an answer. */
    private static final Duration A_WAIT = Duration.ofSeconds(1);

    /** Whether the operating system's own selectors are used; they bring no noticeable gain to a client. */
    static final boolean NATIVE = false;

    private final Endpoint endpoint;
    private final TransportOptions options;
    private final TransportFailures failures;
    private final ConnectionProvider provider;
    private final Mono<HttpClient> client;
    private final AtomicInteger exchanges = new AtomicInteger();
    private final Sinks.Empty<Void> gone = Sinks.empty();
    private final AtomicInteger unanswered = new AtomicInteger();
    private volatile boolean retired;

    Connections(Endpoint endpoint, TransportOptions options, LoopResources loops) {
        this.endpoint = endpoint;
        this.options = options;
        this.failures = new TransportFailures(endpoint, options);
        this.provider = provider(options);
        this.client = Mono.defer(() -> warm(loops))
                // Loads keys, trust stores and classes, which must not block an event loop. A thread of its own, since those of a pool may
                // be lost forever after memory was short.
                .subscribeOn(Schedulers.fromExecutor(Connections::start))
                .cacheInvalidateIf(built -> false); // a failure is not cached
    }

    Endpoint endpoint() {
        return endpoint;
    }

    private static ConnectionProvider provider(TransportOptions options) {
        var builder = ConnectionProvider.builder("reactive-informer")
                .maxConnections(Integer.MAX_VALUE) // over HTTP/1.1 each watch has one to itself, and informers must not wait for each other
                .pendingAcquireMaxCount(-1)
                .maxIdleTime(options.ping()) // also what starts a ping
                .evictInBackground(options.ping(), options.timer());
        if (options.http2()) {
            builder.allocationStrategy(Http2AllocationStrategy.builder()
                    .maxConnections(Integer.MAX_VALUE)
                    .maxConcurrentStreams(ConnectionWindow.STREAMS)
                    .strictConnectionReuse(true) // else a hundred watches that begin at once open a hundred connections
                    .build());
        }
        return builder.build();
    }

    private static void start(Runnable work) {
        try {
            new Thread(work, "reactive-informer-keys").start();
        } catch (Throwable noThread) { // Reactor passes only a rejection on to the requests that wait
            throw new RejectedExecutionException("cannot start a thread to prepare connections: " + noThread, noThread);
        }
    }

    /**
     * Turns each error into a failure: an error that Reactor takes for fatal would end this thread, and the requests that wait for the
     * client would wait forever.
     */
    private Mono<HttpClient> warm(LoopResources loops) {
        try {
            HttpClient client = client(loops);
            client.warmup().block();
            return Mono.just(client);
        } catch (Error thrown) {
            return Mono.error(new TransportException("cannot prepare connections to " + endpoint.server() + ": " + thrown, thrown));
        }
    }

    private HttpClient client(LoopResources loops) {
        // An address, as a pod is told that of its server, needs none of the classes that ask name servers. The resolver before the loops,
        // for which Reactor Netty makes one of its own if there is none.
        boolean here = options.jvmResolver() || NetUtil.createByteArrayFromIpAddressString(endpoint.server().getHost()) != null;
        HttpClient direct = (here ? HttpClient.create(provider).resolver(JvmResolver.INSTANCE) : HttpClient.create(provider))
                .runOn(loops, NATIVE)
                .compress(endpoint.compression())
                .followRedirect(false) // a redirect would send the credentials elsewhere
                .doOnRequest((request, connection) -> InterimAnswers.skipOn(connection.channel()))
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) options.connectTimeout().toMillis())
                .option(ChannelOption.SO_KEEPALIVE, true)
                .option(NioChannelOption.of(ExtendedSocketOptions.TCP_KEEPIDLE), 30)
                .option(NioChannelOption.of(ExtendedSocketOptions.TCP_KEEPINTERVAL), 5)
                .option(NioChannelOption.of(ExtendedSocketOptions.TCP_KEEPCOUNT), 3);
        HttpClient plain = ProxyWay.of(direct, endpoint, options);
        if (!"https".equals(endpoint.server().getScheme())) {
            return plain;
        }
        boolean http2 = options.http2() && ProxyWay.allowsHttp2(endpoint);
        HttpClient secure = plain.secure(spec -> Tls.configure(spec, endpoint, options, http2));
        return http2
                ? secure.protocol(HttpProtocol.H2, HttpProtocol.HTTP11)
                        .http2Settings(settings -> settings.pingAckTimeout(options.pingTimeout())
                                .initialWindowSize(ConnectionWindow.STREAM))
                        .doOnChannelInit((observer, channel, remote) ->
                                channel.pipeline()
                                        .addBefore(NettyPipeline.ReactiveBridge, "reactive-informer.window", new ConnectionWindow()))
                : secure;
    }

    /** @return false if these connections are retired, and others must be used */
    boolean enter() {
        return !retired && hold();
    }

    private boolean hold() {
        return exchanges.getAndUpdate(count -> count == GONE ? GONE : count + 1) != GONE;
    }

    /** To be called once after each successful {@link #enter} or {@link #hold}. */
    void leave() {
        exchanges.decrementAndGet();
        goIfDone();
    }

    /** Refuses new exchanges; closes the connections when the last exchange has ended. */
    void retire() {
        retired = true;
        goIfDone();
    }

    private void goIfDone() {
        if (retired && exchanges.compareAndSet(0, GONE)) {
            provider.disposeLater().subscribe(nothing -> {}, gone::tryEmitError, gone::tryEmitEmpty);
        }
    }

    /** Retires these connections. Completes when they are closed, that is after the last exchange has left. */
    Mono<Void> dispose() {
        return Mono.defer(() -> {
            retire();
            return gone.asMono();
        });
    }

    <R> Flux<R> exchange(HttpRequest request, Function<Transport.Answer, ? extends Publisher<R>> reader) {
        return client.flatMapMany(http -> held(send(http, request, reader, 0)));
    }

    /**
     * A cancelled exchange leaves at once, but the thread that subscribes may still open a connection: until then the event loops must not
     * be ended.
     */
    private <R> Flux<R> held(Flux<R> exchange) {
        return Flux.from(subscriber -> {
            if (!hold()) {
                Operators.error(subscriber, new TransportException("the connection was closed before the request was sent", null));
                return;
            }
            try {
                exchange.subscribe(subscriber);
            } finally {
                leave();
            }
        });
    }

    /** Netty writes each character of a header as one byte: these are the bytes of UTF-8. */
    private static String utf8(String value) {
        return new String(value.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    }

    /** A request may extend the limit for its body; the limit for the headers it can only shorten. */
    private SilenceTimer silence(HttpRequest request) {
        Duration body = request.silence() == null ? options.silence() : request.silence();
        Duration headers = body.compareTo(options.silence()) < 0 ? body : options.silence();
        return new SilenceTimer(headers, body, options.timer());
    }

    /**
     * @param tries how many connections have refused the request so far; then the server has not acted on it, so even a write is sent again
     */
    private <R> Flux<R> send(HttpClient http, HttpRequest request, Function<Transport.Answer, ? extends Publisher<R>> reader, int tries) {
        SilenceTimer silence = silence(request);
        var progress = new RequestProgress();
        HttpClient.RequestSender sender = http.headers(headers -> request.headers()
                .forEach((name, value) -> headers.add(name, utf8(value))))
                .doOnRequest((sent, connection) -> progress.begun(connection.channel()))
                .request(HttpMethod.valueOf(request.method()))
                .uri(URI.create(endpoint.server() + request.uri())); // in text, Reactor Netty takes a one-digit port for a part of the host
        HttpClient.ResponseReceiver<?> receiver = request.body() == null
                ? sender : sender.send(Mono.fromSupplier(() -> Unpooled.wrappedBuffer(request.body())));
        Flux<R> exchange = receiver.response((response, bytes) -> {
            progress.answered();
            unanswered.set(0);
            silence.answered();
            Flux<ByteBuf> body = silence.listen(bytes.onErrorMap(failure -> failures.explain(failure, request, progress)));
            return reader.apply(new Transport.Answer(response.status().code(), Headers.copyOf(response.responseHeaders()), body));
        });
        long began = now();
        return silence.guard(exchange, progress.lost(), limit -> {
                    retire();
                    return failures.silent(request, limit, progress.isAnswered());
                })
                .doOnCancel(() -> {
                    if (!progress.isAnswered() && now() - began >= A_WAIT.toNanos()) {
                        retireIfNoneIsAnswered();
                    }
                })
                .onErrorResume(failure -> !progress.isAnswered(), failure -> {
                    if (progress.isRefused(failure) && tries < MOST_REFUSALS) {
                        Flux<R> again = Flux.defer(() -> send(http, request, reader, tries + 1));
                        return tries == 0 ? again : again.delaySubscription(AFTER_REFUSAL.multipliedBy(tries), options.timer());
                    }
                    KubernetesException explained = failures.explain(failure, request, progress);
                    if (explained instanceof TransportException lost && lost.beforeAnswer()) {
                        retireIfNoneIsAnswered();
                    }
                    return Flux.error(explained);
                });
    }

    private void retireIfNoneIsAnswered() {
        if (unanswered.incrementAndGet() >= MOST_UNANSWERED) {
            retire();
        }
    }

    private long now() {
        return options.timer().now(TimeUnit.NANOSECONDS);
    }

    /** Resolves names as {@link InetAddress} does. Netty's resolver of that kind looks names up on the event loop, which must not block. */
    private static final class JvmResolver extends AddressResolverGroup<InetSocketAddress> {

        static final JvmResolver INSTANCE = new JvmResolver();

        private JvmResolver() {}

        @Override
        protected AddressResolver<InetSocketAddress> newResolver(EventExecutor executor) {
            return new Names(executor).asAddressResolver();
        }

        private static final class Names extends InetNameResolver {

            Names(EventExecutor executor) {
                super(executor);
            }

            @Override
            protected void doResolve(String name, Promise<InetAddress> promise) {
                lookUp(() -> InetAddress.getByName(name), promise);
            }

            @Override
            protected void doResolveAll(String name, Promise<List<InetAddress>> promise) {
                lookUp(() -> List.of(InetAddress.getAllByName(name)), promise);
            }

            private static <R> void lookUp(Callable<R> lookUp, Promise<R> promise) {
                Mono.fromCallable(lookUp)
                        .subscribeOn(Schedulers.boundedElastic())
                        .subscribe(promise::trySuccess, promise::tryFailure);
            }
        }
    }

    /**
     * Makes the window of an HTTP/2 connection as large as those of all its streams. A paused reader leaves up to a
     * stream's window of bytes unread, which count for the connection too. Netty's own window of a connection is that of two
     * streams, so a third reader would wait for
     * two paused ones. The unread bytes of a connection are then bounded by its streams, at {@link #STREAMS} times {@link #STREAM}.
     */
    static final class ConnectionWindow extends ChannelInboundHandlerAdapter {

        /** The window of one stream in bytes: what a list needs to be fast over a connection of high latency. */
        static final int STREAM = 1 << 20;
        /** Limit of streams of a connection, as the API server sets it; other servers allow more. */
        static final int STREAMS = 100;
        /** Twice, since Netty sends a window update only when half of the window has been read. */
        private static final int WIDTH = 2 * STREAMS * STREAM;

        @Override
        public void channelActive(ChannelHandlerContext context) throws Http2Exception {
            context.fireChannelActive(); // the protocol may be known only after this
            Http2FrameCodec codec = context.pipeline().get(Http2FrameCodec.class);
            if (codec != null) {
                Http2Connection connection = codec.connection();
                connection.local().flowController().incrementWindowSize(connection.connectionStream(), WIDTH);
                context.channel().flush();
            }
            context.pipeline().remove(this);
        }
    }
}
