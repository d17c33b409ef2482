package io.reactiveinformer.internal;

import java.time.Duration;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * What may end the pause after a failure early: its cause may go away by something that the client can see, such as a credential that is
 * replaced. Travels with the failure, as a suppressed exception, from the place that knows it to the place that pauses.
 */
public final class Remedy extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient Mono<Void> found;

    private Remedy(Mono<Void> found) {
        super("tried again when this is replaced", null, false, false);
        this.found = found;
    }

    /**
     * Attaches a remedy to {@code failure}, and returns that.
     *
     * @param found completes when another try may succeed; subscribed to while somebody pauses, and cancelled when the pause is over
     */
    public static <E extends Throwable> E attach(E failure, Mono<Void> found) {
        failure.addSuppressed(new Remedy(found));
        return failure;
    }

    /** Completes after {@code pause}, or as soon as a remedy for {@code failure} is found; in both cases on {@code timer}. */
    public static Mono<Void> pause(Throwable failure, Duration pause, Scheduler timer) {
        Mono<Void> over = Mono.delay(pause, timer).then();
        for (Throwable attached : failure.getSuppressed()) {
            if (attached instanceof Remedy remedy) {
                return Mono.firstWithSignal(over, remedy.found.publishOn(timer));
            }
        }
        return over;
    }
}
