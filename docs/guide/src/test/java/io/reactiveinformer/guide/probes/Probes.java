package io.reactiveinformer.guide.probes;

import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.view.InformerStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;
import reactor.netty.http.server.HttpServerResponse;

/** Probes of a program without Spring Boot: ready once each informer is synced. */
final class Probes {

    private static final Duration TOO_OLD = Duration.ofMinutes(5);

    private Probes() {}

    static Mono<? extends DisposableServer> serve(int port, Informer<?>... informers) {
        return HttpServer.create().port(port).route(routes -> routes
                .get("/livez", (request, response) -> response.sendString(Mono.just("ok")))
                .get("/readyz", (request, response) -> answer(response, List.of(informers))))
                .bind();
    }

    private static Mono<Void> answer(HttpServerResponse response, List<Informer<?>> informers) {
        return Flux.fromIterable(informers)
                .flatMap(informer -> informer.status().next()
                        .filter(status -> !isReady(status))
                        .map(status -> informer.description() + ": " + status.state()
                                + (status.cause() == null ? "" : ", " + status.cause().getMessage()) + "\n"))
                .collectList()
                .flatMap(reasons -> response.status(reasons.isEmpty() ? 200 : 503)
                        .sendString(Mono.just(reasons.isEmpty() ? "ok" : String.join("", reasons))).then());
    }

    /** A cache that is some minutes old may serve better than none: decide for your service. */
    private static boolean isReady(InformerStatus status) {
        return status.synced() && status.staleness(Instant.now()).compareTo(TOO_OLD) < 0;
    }
}
