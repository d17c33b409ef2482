package io.reactiveinformer.spring;

import io.netty.channel.Channel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.NettyDataBufferFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.AbstractServerHttpResponse;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.http.server.reactive.ServerHttpResponseDecorator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.netty.Connection;
import reactor.netty.http.server.HttpServerResponse;

/** Writes server-sent events to a response; each piece is requested once the connection has taken the one before. */
final class PacedResponse {

    private PacedResponse() {}

    /**
     * A connection that has not taken what was written when {@code told} ends is closed: nobody reads there, and an answer that waits for
     * its end would keep it.
     */
    static Mono<Void> write(ServerHttpResponse response, Flux<Told> told, Duration retry) {
        Sinks.Empty<Void> over = Sinks.empty();
        Mono<DataBuffer> taken = taken(response, over.asMono());
        Flux<DataBuffer> pieces = told.doFinally(any -> over.tryEmitEmpty()).concatMap(those -> those.pieces(retry), 0)
                .concatMap(piece -> Flux.concat(
                        Mono.just(response.bufferFactory().wrap(piece.getBytes(StandardCharsets.UTF_8))), taken), 0);
        response.getHeaders().setContentType(MediaType.TEXT_EVENT_STREAM);
        return response.writeAndFlushWith(pieces.map(Mono::just)).doOnError(refused -> {
            if (!response.isCommitted()) {
                response.getHeaders().remove(HttpHeaders.CONTENT_TYPE);
            }
        });
    }

    /** Completes when the connection takes more. Reactor Netty requests a hundred pieces without asking it; other servers one at a time. */
    private static Mono<DataBuffer> taken(ServerHttpResponse response, Mono<Void> over) {
        ServerHttpResponse own = response;
        while (own instanceof ServerHttpResponseDecorator decorator) {
            own = decorator.getDelegate();
        }
        if (!(own.bufferFactory() instanceof NettyDataBufferFactory && own instanceof AbstractServerHttpResponse server
                && server.getNativeResponse() instanceof HttpServerResponse netty)) {
            return Mono.empty();
        }
        var connections = new ArrayList<Connection>(1);
        netty.withConnection(connections::add); // at once
        Connection connection = connections.get(0);
        Channel channel = connection.channel();
        Scheduler loop = Schedulers.fromExecutorService(channel.eventLoop());
        return Mono.just(channel).subscribeOn(loop).filter(open -> open.isWritable() || !open.isActive()) // after the write
                .repeatWhenEmpty(Integer.MAX_VALUE, tries -> tries
                        .concatMap(n -> Mono.delay(Duration.ofMillis(10L << Math.min(n, 6)), loop)))
                .takeUntilOther(over.doOnSuccess(ended -> {
                    if (!channel.isWritable()) {
                        connection.dispose();
                    }
                })).then(Mono.empty());
    }
}
