package io.reactiveinformer.apiserver.internal.server;

import io.reactiveinformer.internal.Interruption;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** Breaks all exchanges under way on command. Bytes that were not sent to the client yet are never sent. */
public final class Breaks {

    private volatile Life life = new Life();

    /** A handler that passes requests to {@code handler}, and whose exchanges {@link #breakAll} breaks. */
    public RequestHandler around(RequestHandler handler) {
        return request -> Mono.defer(() -> life.around(handler.handle(request)));
    }

    /**
     * Runs {@code change}, and then breaks the exchanges that began before its end. A client that reconnects at once finds the changed
     * state. Meanwhile no exchange ends in order. The exchanges are broken also if the change throws.
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
            last.broken.tryEmitValue(new ConnectionCut(true)); // without the lock: clients react on this thread
        }
    }

    /** The time from one break to the next. */
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

    /** Signals that a connection is to break on purpose, in the middle of an answer or instead of one. */
    public static final class ConnectionCut extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final boolean reset;

        /**
         * Breaks the connection of the answer that fails with this.
         *
         * @param reset true for RST; otherwise the connection is closed in order, although the answer is incomplete
         */
        public ConnectionCut(boolean reset) {
            super(reset ? "the connection was reset" : "the connection was closed", null, false, false);
            this.reset = reset;
        }

        boolean reset() {
            return reset;
        }
    }
}
