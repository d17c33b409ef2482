package io.reactiveinformer.test.server;

import java.time.Duration;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** Breaks every exchange that is under way, when told to: what its client has not been sent yet, it never will be. */
public final class Breaks {

    private static final Duration RIVALS = Duration.ofSeconds(1);

    private final Sinks.Many<Integer> breaks = Sinks.many().multicast().directBestEffort();

    public RequestHandler around(RequestHandler handler) {
        return request -> {
            Mono<Void> broken = breaks.asFlux().next().flatMap(number -> Mono.error(new ConnectionCut(true)));
            return handler.handle(request)
                    .takeUntilOther(broken)
                    .map(answer -> answer.body(answer.body().takeUntilOther(broken)));
        };
    }

    public void breakAll() {
        breaks.emitNext(1, Sinks.EmitFailureHandler.busyLooping(RIVALS));
    }
}
