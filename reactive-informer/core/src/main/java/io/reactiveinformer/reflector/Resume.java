package io.reactiveinformer.reflector;

import io.reactiveinformer.backoff.Backoff;
import io.reactiveinformer.backoff.Backoff.Delays;
import io.reactiveinformer.internal.ResourceVersion;
import io.reactiveinformer.resource.ForbiddenException;
import io.reactiveinformer.resource.ResourceVersionExpiredException;
import io.reactiveinformer.resource.StatusException;
import io.reactiveinformer.resource.TransportException;
import io.reactiveinformer.resource.UnauthorizedException;
import io.reactiveinformer.resource.WatchEvent;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.SynchronousSink;
import reactor.core.scheduler.Scheduler;
import reactor.util.retry.Retry;

/** A watch that continues where it was cut off: client-go's RetryWatcher, as an operator. Caches no objects, and never lists. */
public final class Resume {

    private final Scheduler timer;
    private final Delays delays;
    private String reached;
    private String asked;
    private boolean progressed;
    private long began;

    private Resume(String from, Delays delays, Scheduler timer) {
        this.reached = from;
        this.asked = from;
        this.delays = delays;
        this.timer = timer;
    }

    /**
     * Changes after {@code resourceVersion}, each once and in order, over as many watches as it takes.
     *
     * <pre>
     * watch(5)  ──a₆──b₇──│
     * watch(7)              ──────✕
     * watch(7)                      ──[bookmark 9]──c₁₀──…
     * result    ──a₆──b₇──  ──────  ──[bookmark 9]──c₁₀──…      │ closed: at once, though not more than once a second
     *                                                           ✕ failed: after a pause of {@code backoff}
     * </pre>
     *
     * <p>Fails when resuming cannot help: with {@link ResourceVersionExpiredException} when the server's history does not reach back any
     * more (list, then start anew; see {@link Relist}), with {@link ForbiddenException} and {@link UnauthorizedException}; with
     * {@link TransportException} when an event or bookmark came without a version, or is older than what the same watch, or for a bookmark
     * any, sent before it, since something may be missing then (list as well); and with {@link IllegalStateException} when {@code watch}
     * throws. What a watch repeats, at or below the version that it was requested from, is dropped. A {@link WatchEvent.Opened} is emitted
     * for each watch that was accepted.
     *
     * @param resourceVersion one that the server sent; "0" and none would begin with the complete state, in no order
     * @param watch requests the changes after a version; each subscription is one request
     * @throws IllegalArgumentException if {@code resourceVersion} is empty or "0"
     */
    public static <T> Flux<WatchEvent<T>> from(
            String resourceVersion, Function<String, ? extends Publisher<WatchEvent<T>>> watch, Backoff backoff, Scheduler timer) {
        ResourceVersion.requireSent(resourceVersion);
        return Flux.defer(() -> {
            var resume = new Resume(resourceVersion, backoff.delays(timer), timer);
            return Flux.defer(() -> resume.next(watch))
                    .repeatWhen(closes -> closes.concatMap(close -> resume.pauseAfterClose()))
                    .retryWhen(Retry.from(failures -> failures.concatMap(signal -> resume.pauseAfter(signal.failure()))))
                    .handle(Resume::refuseUnversioned);
        });
    }

    private <T> Flux<WatchEvent<T>> next(Function<String, ? extends Publisher<WatchEvent<T>>> request) {
        began = now();
        progressed = false;
        asked = reached;
        try {
            return Flux.<WatchEvent<T>>from(request.apply(asked)).filter(this::isNews);
        } catch (RuntimeException failure) {
            return Flux.error(new MistakeException(asked, failure));
        }
    }

    private boolean isNews(WatchEvent<?> event) {
        String version = version(event);
        if (version == null) {
            return true;
        }
        boolean bookmark = event instanceof WatchEvent.Bookmark;
        if (!bookmark && (version.equals(reached) || ResourceVersion.isAtMost(version, asked))) {
            return false; // repeated
        }
        if (ResourceVersion.isNewer(reached, version)) {
            throw new MistakeException("a watch cannot be resumed: something of version " + version + " came after " + reached
                    + ", so that something may be missing; list again");
        }
        progressed |= !version.equals(reached);
        reached = version;
        return true;
    }

    private Mono<Long> pauseAfterClose() {
        Duration lasted = Duration.ofNanos(now() - began);
        if (!progressed && lasted.compareTo(WatchStream.BRIEF) < 0) {
            return Mono.delay(delays.next(), timer);
        }
        delays.reset();
        Duration left = delays.spread(Session.SPACING).minus(lasted);
        return left.isNegative() ? Mono.just(0L) : Mono.delay(left, timer);
    }

    private Mono<Long> pauseAfter(Throwable failure) {
        if (failure instanceof MistakeException mistake) {
            return Mono.error(mistake.explained());
        }
        if (failure instanceof ResourceVersionExpiredException
                || failure instanceof ForbiddenException
                || failure instanceof UnauthorizedException) {
            return Mono.error(failure);
        }
        if (progressed) {
            delays.reset();
        }
        return Mono.delay(delays.next(failure instanceof StatusException refusal ? refusal.status().retryAfter() : null), timer);
    }

    private static <T> void refuseUnversioned(WatchEvent<T> event, SynchronousSink<WatchEvent<T>> sink) {
        if (event instanceof WatchEvent.Opened || version(event) != null) {
            sink.next(event);
        } else {
            sink.error(new TransportException("a watch cannot be resumed: an event came without a resourceVersion", null));
        }
    }

    /** The version of {@code event}; null if the server sent none. "0" is only ever requested, never sent. */
    private static @Nullable String version(WatchEvent<?> event) {
        String version = event.resourceVersion();
        return ResourceVersion.isSent(version) ? version : null;
    }

    /** A failure that no retry can fix. */
    private static final class MistakeException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        MistakeException(String reason) {
            super(reason, null, false, false);
        }

        MistakeException(String from, RuntimeException cause) {
            super("the function that asks for the watch from " + from + " threw " + cause, cause, false, false);
        }

        RuntimeException explained() {
            String reason = String.valueOf(getMessage());
            return getCause() == null ? new TransportException(reason, null) : new IllegalStateException(reason, getCause());
        }
    }

    private long now() {
        return timer.now(TimeUnit.NANOSECONDS);
    }
}
