package io.reactiveinformer.guide.rsocket;

import io.kubernetes.client.openapi.models.V1Pod;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.view.Delivery;
import io.rsocket.Payload;
import io.rsocket.SocketAcceptor;
import io.rsocket.core.RSocketConnector;
import io.rsocket.core.RSocketServer;
import io.rsocket.transport.netty.client.TcpClientTransport;
import io.rsocket.transport.netty.server.CloseableChannel;
import io.rsocket.transport.netty.server.TcpServerTransport;
import io.rsocket.util.DefaultPayload;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Pods as a stream of RSocket: what the other side requests is what the cache is asked for. */
final class PodSockets {

    private PodSockets() {}

    static Mono<CloseableChannel> serve(Informer<V1Pod> pods, int port) {
        return RSocketServer.create(SocketAcceptor.forRequestStream(request -> pods.changes(Delivery.conflated().named("rsocket"))
                        .map(change -> change.match(
                                added -> "+ " + added.key() + " " + phase(added.object()),
                                updated -> "~ " + updated.key() + " " + phase(updated.after()),
                                deleted -> "- " + deleted.key(),
                                synced -> "= " + synced.count()))
                        .map(DefaultPayload::create)))
                .bind(TcpServerTransport.create("127.0.0.1", port));
    }

    static Flux<String> connect(int port) {
        return RSocketConnector.connectWith(TcpClientTransport.create("127.0.0.1", port))
                .flatMapMany(socket -> socket.requestStream(DefaultPayload.create("pods"))
                        .map(Payload::getDataUtf8)
                        .doFinally(end -> socket.dispose()));
    }

    private static String phase(V1Pod pod) {
        return pod.getStatus() == null ? "" : pod.getStatus().getPhase();
    }
}
