package io.reactiveinformer.reflector;

import io.reactiveinformer.resource.TransportException;
import java.time.Duration;
import java.util.function.Function;
import java.util.function.Supplier;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Scheduler;

/** How long a server may be silent. */
final class Silence {

    private Silence() {}

    /** @param limit may grow during the subscription */
    static <E> Function<Flux<E>, Flux<E>> fails(Supplier<Duration> limit, Scheduler timer, String what) {
        return IdleTimeout.after(limit, timer, () -> new SilentException(what, limit.get()));
    }

    /** Has no stack trace: what matters is which source was silent. */
    static final class SilentException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        SilentException(String what, Duration limit) {
            super(what + ": the server was silent for " + limit.toSeconds() + " s; the connection is not trusted any more",
                    null, false, false);
        }

        TransportException explained() {
            return new TransportException(String.valueOf(getMessage()), null);
        }
    }
}
