package io.reactiveinformer.test.server;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.SocketChannel;
import io.reactiveinformer.transport.Headers;
import io.reactiveinformer.transport.HttpRequest;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;
import reactor.netty.resources.LoopResources;

/** The server on a port: what a {@link RequestHandler} answers, over HTTP/1.1. */
public final class HttpShell {

    private static final int THREADS = 2;
    private static final Duration CLOSING = Duration.ofSeconds(10);

    private final RequestHandler handler;
    private final LoopResources loops = LoopResources.create("fake-apiserver", THREADS, true);
    private final DisposableServer server;

    /**
     * Begins to listen, on the loopback address only; blocks until it does.
     *
     * @param port 0 for one that is free
     */
    public static HttpShell listen(RequestHandler handler, int port) {
        return new HttpShell(handler, port);
    }

    private HttpShell(RequestHandler handler, int port) {
        this.handler = handler;
        this.server = HttpServer.create()
                .bindAddress(() -> new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
                .runOn(loops)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .httpRequestDecoder(decoder -> decoder.maxInitialLineLength(16 * 1024).maxHeaderSize(64 * 1024))
                .handle(this::handle)
                .bindNow(CLOSING);
    }

    public String url() {
        return "http://127.0.0.1:" + server.port();
    }

    /** Ends every connection and releases the port and the threads. Blocks until that is done. */
    public void close() {
        server.disposeNow(CLOSING);
        loops.disposeLater(Duration.ZERO, CLOSING).block(CLOSING);
    }

    private Publisher<Void> handle(HttpServerRequest request, HttpServerResponse response) {
        return request.receive()
                .aggregate()
                .asByteArray()
                .defaultIfEmpty(new byte[0])
                .map(body -> new HttpRequest(
                        request.method().name(), request.uri(), Headers.copyOf(request.requestHeaders()), body.length == 0 ? null : body))
                .flatMap(handler::handle)
                .flatMap(answer -> send(answer, response))
                .onErrorResume(ConnectionCut.class, cut -> cut(cut, response));
    }

    private static Mono<Void> send(Answer answer, HttpServerResponse response) {
        response.status(answer.status());
        answer.headers().forEach((name, value) -> response.addHeader(name, value));
        if (answer.status() == 304) {
            return response.send();
        }
        boolean whole = answer.headers().first("Content-Length").isPresent();
        Flux<ByteBuf> body = answer.body();
        return whole ? response.sendObject(body).then() : response.sendHeaders().send(body, buffer -> true).then();
    }

    private static Mono<Void> cut(ConnectionCut cut, HttpServerResponse response) {
        return Mono.create(sink -> response.withConnection(connection -> {
            Channel channel = connection.channel();
            if (cut.reset() && channel instanceof SocketChannel socket) {
                socket.config().setSoLinger(0);
            }
            channel.close().addListener(closed -> sink.success());
        }));
    }
}
