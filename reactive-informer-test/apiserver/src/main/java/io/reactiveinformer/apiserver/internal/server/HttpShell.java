package io.reactiveinformer.apiserver.internal.server;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPromise;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http2.Http2StreamChannel;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.util.concurrent.GlobalEventExecutor;
import io.reactiveinformer.apiserver.ApiRequest;
import io.reactiveinformer.apiserver.internal.server.Breaks.ConnectionCut;
import io.reactiveinformer.transport.HttpRequest;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.Http2SslContextSpec;
import reactor.netty.http.HttpProtocol;
import reactor.netty.http.server.HttpServer;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;
import reactor.netty.resources.LoopResources;
import reactor.netty.tcp.SslProvider.GenericSslContextSpec;

/**
 * The server on a port: sends the answers of a {@link RequestHandler} over HTTP/1.1 and HTTP/2. The client chooses by ALPN with TLS, and by
 * an upgrade or prior knowledge without TLS.
 */
public final class HttpShell {

    private static final Logger LOG = LoggerFactory.getLogger(HttpShell.class);
    private static final int THREADS = 2;
    private static final int LARGEST_BODY = 3 * 1024 * 1024;
    private static final int STREAMS_OF_A_CONNECTION = 100;
    private static final Duration CLOSING = Duration.ofSeconds(30);

    private final RequestHandler handler;
    private final boolean secure;
    private final LoopResources loops = LoopResources.create("fake-apiserver", THREADS, true);
    private final ChannelGroup connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
    private final DisposableServer server;

    /**
     * Listens on the loopback address only. Blocks until it does.
     *
     * @param port 0 for a free one
     * @param authority the authority that signs the certificates of the server and its users; null for no TLS
     */
    public HttpShell(RequestHandler handler, int port, @Nullable CertificateAuthority authority) {
        this.handler = handler;
        this.secure = authority != null;
        HttpServer plain = HttpServer.create()
                .bindAddress(() -> new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
                .runOn(loops)
                .channelGroup(connections)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .http2Settings(settings -> settings.maxConcurrentStreams(STREAMS_OF_A_CONNECTION))
                .httpRequestDecoder(decoder -> decoder.maxInitialLineLength(16 * 1024).maxHeaderSize(64 * 1024)
                        .h2cMaxContentLength(LARGEST_BODY))
                .handle(this::handle);
        this.server = (authority == null ? plain.protocol(HttpProtocol.HTTP11, HttpProtocol.H2C) : secure(plain, authority))
                .bindNow(CLOSING);
    }

    private static HttpServer secure(HttpServer plain, CertificateAuthority authority) {
        CertificateAuthority.Issued own =
                authority.server(List.of("localhost", "kubernetes", "kubernetes.default.svc", "127.0.0.1", "::1"));
        GenericSslContextSpec<SslContextBuilder> context = Http2SslContextSpec.forServer(own.key(), own.certificate())
                .configure(builder -> builder.sslProvider(SslProvider.JDK).trustManager(authority.certificate())
                        .clientAuth(ClientAuth.OPTIONAL));
        return plain.protocol(HttpProtocol.H2, HttpProtocol.HTTP11).secure(spec -> spec.sslContext(context));
    }

    /** The server's address, such as {@code http://127.0.0.1:49152}; {@code https} with TLS. */
    public String url() {
        return (secure ? "https" : "http") + "://127.0.0.1:" + server.port();
    }

    /** Resets all connections. New ones are accepted at once. Does not block. */
    public void resetConnections() {
        connections.forEach(channel -> close(channel, true).addListener(closed -> LOG.debug("{} was reset", channel)));
    }

    /** Ends every connection and releases the port and the threads. Blocks until that is done. */
    public void close() {
        server.dispose();
        resetConnections(); // otherwise it would wait for answers without an end
        server.onDispose().block(CLOSING);
        loops.onServer(LoopResources.DEFAULT_NATIVE).forEach(loop -> loop.submit(() -> {}).syncUninterruptibly());
        resetConnections(); // also what was accepted at last, which is registered by now
        loops.disposeLater(Duration.ZERO, CLOSING).block(CLOSING);
    }

    private Publisher<Void> handle(HttpServerRequest request, HttpServerResponse response) {
        return request.receive()
                .aggregate()
                .asByteArray()
                .defaultIfEmpty(new byte[0])
                .map(body -> new HttpRequest(
                        request.method().name(), request.uri(), CertifiedUser.headers(request), body.length == 0 ? null : body))
                .flatMap(asked -> handler.handle(ApiRequest.of(asked)))
                .flatMap(answer -> isWebSocket(request, answer) ? sendFrames(answer, response) : send(answer, response))
                .onErrorResume(ConnectionCut.class, cut -> cut(cut, response));
    }

    private static Mono<Void> send(Answer answer, HttpServerResponse response) {
        response.status(answer.status());
        answer.headers().forEach((name, value) -> response.addHeader(name, value));
        if (answer.status() == 304) {
            return response.send();
        }
        return answer.headers().first("Content-Length").isPresent() ? response.sendObject(answer.body()).then()
                : response.sendHeaders().send(answer.body(), buffer -> true).then();
    }

    /** Whether the client asks for a watch over a WebSocket, where each event is a message. */
    private static boolean isWebSocket(HttpServerRequest request, Answer answer) {
        return answer.status() == 200 && HttpHeaderValues.WEBSOCKET.contentEqualsIgnoreCase(request.requestHeaders()
                .get(HttpHeaderNames.UPGRADE, ""));
    }

    private static Mono<Void> sendFrames(Answer answer, HttpServerResponse response) {
        return response.sendWebsocket((in, out) -> out.sendObject(answer.body().map(TextWebSocketFrame::new), frame -> true)
                .then()
                .onErrorResume(ConnectionCut.class, cut -> cut(cut, response)));
    }

    private static Mono<Void> cut(ConnectionCut cut, HttpServerResponse response) {
        return Mono.create(sink -> response.withConnection(connection -> {
            Channel stream = connection.channel();
            Channel channel = stream instanceof Http2StreamChannel ? stream.parent() : stream;
            close(channel, cut.reset()).addListener(closed -> sink.success());
        }));
    }

    /** Closes without the pipeline, which would end in order: HTTP/2 with GOAWAY and the end of its streams, TLS with close_notify. */
    private static ChannelFuture close(Channel channel, boolean reset) {
        ChannelPromise closed = channel.newPromise();
        channel.eventLoop().execute(() -> {
            if (reset && channel.isOpen() && channel instanceof SocketChannel socket) {
                socket.config().setSoLinger(0);
            }
            channel.unsafe().close(closed);
        });
        return closed;
    }
}
