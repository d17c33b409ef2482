package io.reactiveinformer.reflector;

import io.reactiveinformer.backoff.Delays;
import io.reactiveinformer.resource.ForbiddenException;
import io.reactiveinformer.resource.InvalidRequestException;
import io.reactiveinformer.resource.KubernetesException;
import io.reactiveinformer.resource.NotFoundException;
import io.reactiveinformer.resource.StatusException;
import io.reactiveinformer.resource.UnauthorizedException;
import java.time.Duration;
import java.util.function.DoubleSupplier;

/**
 * How long to pause after a failure. Progress lets the pauses start over: an answer alone does not, since the next may fail again. Between lists
 * that follow from what watches told, only time does: one that tells of a change and then says 410, each time, would cost a list a second.
 */
final class Pace {

    /** After a refusal that stands until somebody acts: once or twice in two minutes, so that who then looks is not kept waiting. */
    static final Duration LONGEST_WHEN_REFUSED = Duration.ofSeconds(60);

    private final Delays delays;
    private final Delays relists;
    private final DoubleSupplier random;
    private final Duration longest;
    private boolean listed;

    Pace(ReflectorOptions<?> options) {
        this.delays = options.backoff().delays(options.timer(), options.random());
        this.relists = options.backoff().delays(options.timer(), options.random());
        this.random = options.random();
        this.longest = options.backoff().max();
    }

    /** How many tries in a row have failed. */
    int failures() {
        return delays.failures();
    }

    /** @param relist whether a watch ended so that everything is listed again */
    Duration pauseAfter(KubernetesException cause, boolean relist) {
        Duration pause = pauseAfter(cause);
        Duration apart = relist ? relists.next() : pause;
        return apart.compareTo(pause) > 0 ? apart : pause;
    }

    private Duration pauseAfter(KubernetesException cause) {
        return delays.next(cause instanceof StatusException refusal ? refusal.status().retryAfter() : null, longestAfter(cause));
    }

    /** Between this and twice this. */
    Duration spaced(Duration least) {
        return least.plusMillis(Math.round(least.toMillis() * random.getAsDouble()));
    }

    /** A watch has brought us further. */
    void progress() {
        delays.reset();
    }

    /** The first complete state is progress. Another one is not yet: the watch from it may be refused as the one was that led to it. */
    void listed() {
        if (!listed) {
            listed = true;
            delays.reset();
        }
    }

    private Duration longestAfter(KubernetesException cause) {
        boolean refused = cause instanceof UnauthorizedException
                || cause instanceof ForbiddenException
                || cause instanceof NotFoundException
                || cause instanceof InvalidRequestException;
        return refused && longest.compareTo(LONGEST_WHEN_REFUSED) < 0 ? LONGEST_WHEN_REFUSED : longest;
    }
}
