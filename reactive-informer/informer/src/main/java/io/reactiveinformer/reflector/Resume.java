package io.reactiveinformer.reflector;

import io.reactiveinformer.backoff.Backoff;
import io.reactiveinformer.internal.ResourceVersion;
import io.reactiveinformer.resource.ForbiddenException;
import io.reactiveinformer.resource.KubernetesException;
import io.reactiveinformer.resource.ObjectEvent;
import io.reactiveinformer.resource.ResourceVersionExpiredException;
import io.reactiveinformer.resource.TransportException;
import io.reactiveinformer.resource.UnauthorizedException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.util.retry.Retry;

/**
 * A watch that continues where it was cut off: client-go's RetryWatcher, as an operator. Caches no objects, and never lists: it does not
 * notice that a server's store was restored to an older state, if the server has passed the version again since. What it emits is then of
 * the new history, and what differs before that is never emitted. Where a store may be restored, use a {@link Reflector}, which proves its
 * past; otherwise list after a restore, and begin with the version of that list.
 */
public final class Resume {

    private final Scheduler timer;
    private final RetryPauses pace;
    private final ResumePoint cursor;
    private String asked;
    private String request = "";
    private boolean opened;
    private boolean progressed;
    private long began;

    private Resume(String from, Backoff backoff, Scheduler timer) {
        this.cursor = new ResumePoint(from);
        this.asked = from;
        this.pace = new RetryPauses(backoff, timer, () -> ThreadLocalRandom.current().nextDouble());
        this.timer = timer;
    }

    /**
     * Changes after {@code resourceVersion}, each once and in order, over as many watches as it takes.
     *
     * <pre>
     * watch(5)  ──a₆──b₇──│
     * watch(7)              ──────✕
     * watch(7)                      ──[bookmark 9]──c₁₀──…
     * result    ──a₆──b₇──  ──────  ──[bookmark 9]──c₁₀──…      │ closed: almost at once, but on average once a second
     *                                                           ✕ failed: after a pause of {@code backoff}
     * </pre>
     *
     * <p>The pauses are those of a {@link Reflector}: after a useful watch that closed, or whose connection broke, 25 to 50 ms, three times
     * in a row and once more for each second; then, and after watches without an event that end within ten seconds, longer ones. Pauses
     * start over after an event or a bookmark. A server's Retry-After is the least pause.
     *
     * <p>Fails when resuming cannot help: with {@link ResourceVersionExpiredException} when the server's history does not reach back any
     * more (list, then start anew; see {@link Relist}), with {@link ForbiddenException} and {@link UnauthorizedException}; with
     * {@link TransportException} when an event or bookmark came without a version, or is older than what the same watch, or for a bookmark
     * any, sent before it, since something may be missing then (list as well); and with {@link IllegalStateException} when {@code watch}
     * throws. What a watch repeats, at or below the version that it was requested from, is dropped. A {@link ObjectEvent.Opened} is emitted
     * for each watch that was accepted.
     *
     * @param resourceVersion one that the server sent; "0" and none would begin with the complete state, in no order
     * @param watch requests the changes after a version; each subscription is one request
     * @throws IllegalArgumentException if {@code resourceVersion} is empty or "0"
     */
    public static <T> Flux<ObjectEvent<T>> from(
            String resourceVersion, Function<String, ? extends Publisher<ObjectEvent<T>>> watch, Backoff backoff, Scheduler timer) {
        ResourceVersion.requireSent(resourceVersion);
        return Flux.defer(() -> {
            var resume = new Resume(resourceVersion, backoff, timer);
            return Flux.defer(() -> resume.next(watch))
                    .repeatWhen(closes -> closes.concatMap(close -> resume.pauseAfterClose()))
                    .retryWhen(Retry.from(failures -> failures.concatMap(signal -> resume.pauseAfter(signal.failure()))));
        });
    }

    private <T> Flux<ObjectEvent<T>> next(Function<String, ? extends Publisher<ObjectEvent<T>>> watch) {
        began = now();
        opened = false;
        progressed = false;
        asked = cursor.toString();
        request = "the watch from " + asked;
        try {
            return Flux.<ObjectEvent<T>>from(watch.apply(asked)).filter(this::isNews);
        } catch (RuntimeException failure) {
            return Flux.error(new MistakeException(asked, failure));
        }
    }

    private boolean isNews(ObjectEvent<?> event) {
        String version = event.resourceVersion();
        if (event instanceof ObjectEvent.Opened) {
            opened = true;
            return true;
        }
        if (event instanceof ObjectEvent.Bookmark && version != null && ResourceVersion.isSent(version)) {
            if (!version.equals(cursor.resumeFrom())) {
                cursor.bookmark(version);
                progress();
            }
            return true;
        }
        if (ResourceVersion.isSent(version) && ResourceVersion.isAtMost(version, asked)) {
            return false; // repeated
        }
        if (cursor.advances(request, version)) {
            progress();
            return true;
        }
        if (Objects.equals(version, cursor.resumeFrom())) {
            return false;
        }
        throw cursor.late(request, version);
    }

    private void progress() {
        progressed = true;
        pace.progress();
    }

    private Mono<Long> pauseAfterClose() {
        Duration lasted = lasted();
        if (!RetryPauses.isUseful(progressed, lasted)) {
            return Mono.delay(pace.pauseAfter(new TransportException("the server closed the watch without a word", null), false), timer);
        }
        return lasted.compareTo(RetryPauses.SPACING) < 0 ? Mono.delay(pace.pauseBetweenWatches(), timer) : Mono.just(0L);
    }

    private Mono<Long> pauseAfter(Throwable failure) {
        if (failure instanceof MistakeException mistake) {
            return Mono.error(mistake.explained());
        }
        if (failure instanceof Outcome.Thrown doubt) {
            return Mono.error(new TransportException(
                    "a watch cannot be resumed: " + doubt.getMessage() + ", so that something may be missing; list again", null));
        }
        if (failure instanceof ResourceVersionExpiredException
                || failure instanceof ForbiddenException
                || failure instanceof UnauthorizedException) {
            return Mono.error(failure);
        }
        KubernetesException cause = failure instanceof KubernetesException known ? known : new TransportException("" + failure, failure);
        return Mono.delay(pace.pauseAfter(cause, RetryPauses.isUseful(progressed, opened ? lasted() : Duration.ZERO)), timer);
    }

    private Duration lasted() {
        return Duration.ofNanos(now() - began);
    }

    /** The function that asks for the watch threw: no retry can fix that. */
    private static final class MistakeException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        MistakeException(String from, RuntimeException cause) {
            super("the function that asks for the watch from " + from + " threw " + cause, cause, false, false);
        }

        RuntimeException explained() {
            return new IllegalStateException(getMessage(), getCause());
        }
    }

    private long now() {
        return timer.now(TimeUnit.NANOSECONDS);
    }
}
