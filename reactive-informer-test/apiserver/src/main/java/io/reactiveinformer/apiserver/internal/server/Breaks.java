package io.reactiveinformer.apiserver.internal.server;

import io.reactiveinformer.transport.Interruption;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** Breaks every exchange that is under way, when told to: what its client has not been sent yet, it never will be. */
public final class Breaks {

    private volatile Life life = new Life();

    public RequestHandler around(RequestHandler handler) {
        return request -> Mono.defer(() -> life.around(handler.handle(request)));
    }

    /**
     * Makes {@code change}, and then breaks what was under way before it: who comes back at once finds what it made. Meanwhile nothing ends in order,
     * and who comes is broken too; also if the change fails.
     */
    public void breakAll(Runnable change) {
        Life last = life;
        try {
            synchronized (this) {
                last = life;
                last.ending = true;
                try {
                    change.run();
                } finally {
                    life = new Life();
                }
            }
        } finally {
            last.broken.tryEmitValue(new ConnectionCut(true)); // not while the lock is held: clients act on this thread
        }
    }

    /** From one break to the next. */
    private static final class Life {

        final Sinks.One<ConnectionCut> broken = Sinks.one();
        volatile boolean ending;

        Mono<Answer> around(Mono<Answer> answer) {
            return until(answer.flux()).next().map(begun -> begun.body(until(begun.body())));
        }

        private <R> Flux<R> until(Flux<R> stream) {
            return Interruption.by(broken.asMono(), stream.concatWith(Flux.defer(() -> ending ? Flux.never() : Flux.empty())));
        }
    }
}
