package io.reactiveinformer.test.server;

import java.time.Duration;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** Breaks every exchange that is under way, when told to: what its client has not been sent yet, it never will be. */
public final class Breaks {

    private static final Duration RIVALS = Duration.ofSeconds(1);

    private final Sinks.Many<Integer> breaks = Sinks.many().multicast().directBestEffort();

    public RequestHandler around(RequestHandler handler) {
        return request -> Mono.defer(() -> {
            var exchange = new Exchange();
            return handler.handle(request)
                    .takeUntilOther(exchange.broken)
                    .switchIfEmpty(exchange.failure())
                    .map(answer -> answer.body(answer.body().takeUntilOther(exchange.broken).concatWith(exchange.failure())));
        });
    }

    /** One request and its answer. What is under way is cancelled, for which the break has to be a value and not a failure. */
    private final class Exchange {

        private volatile boolean isBroken;
        final Mono<Integer> broken = breaks.asFlux().next().doOnNext(number -> isBroken = true);

        <R> Mono<R> failure() {
            return Mono.defer(() -> isBroken ? Mono.error(new ConnectionCut(true)) : Mono.empty());
        }
    }

    public void breakAll() {
        breaks.emitNext(1, Sinks.EmitFailureHandler.busyLooping(RIVALS));
    }
}
