package io.reactiveinformer.informer;

import io.reactiveinformer.resource.Scope;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;

/** Saves what an informer holds, from time to time and at its end, one after the other. */
final class Saver<T> {

    /** What changed in so long is lost to a process that is killed, and heard again from the watch. */
    static final Duration PERIOD = Duration.ofMinutes(1);

    /** Where nothing changed but the version: it ages, and servers forget. A disk has better things to do than to write the same again. */
    static final Duration QUIET_PERIOD = Duration.ofMinutes(10);

    /** Saving takes at most one part in so many of the time. */
    private static final int SHARE = 20;

    private final WarmStart<T> warmStart;
    private final Mono<Held<T>> held;
    private final Scheduler timer;
    private final Sinks.Empty<Void> stop = Sinks.empty();
    private final Sinks.Empty<Void> over = Sinks.empty();
    private boolean started;
    private volatile boolean stopping;
    private volatile @Nullable Held<T> last;

    // Of one round after the other.
    private Duration pause = PERIOD;
    private boolean ends;
    private long savedChanges = -1;
    private Map<Scope, String> savedVersions = Map.of();
    private long savedAt;

    /** @param held what is held now; empty where that is not complete */
    Saver(WarmStart<T> warmStart, Mono<Held<T>> held, Scheduler timer) {
        this.warmStart = warmStart;
        this.held = held;
        this.timer = timer;
    }

    /**
     * Not to be called at the same time as {@link #stop}.
     *
     * @param restored what is saved already, where it was begun with that
     * @param changes how many objects had changed by then
     */
    void start(@Nullable Saved<T> restored, long changes) {
        started = true;
        savedAt = now();
        if (restored != null) {
            savedChanges = changes;
            savedVersions = restored.versions();
        }
        Mono.defer(this::round).repeat(() -> !ends).then().subscribe(done -> {}, over::tryEmitError, over::tryEmitEmpty);
    }

    /** @param end what is held in the end, to be saved if it is news; null if nothing is */
    void stop(@Nullable Held<T> end) {
        last = end;
        stopping = true;
        if (started) {
            stop.tryEmitEmpty();
        } else {
            over.tryEmitEmpty();
        }
    }

    /** Completes when, after {@link #stop}, nothing is being saved any more. */
    Mono<Void> over() {
        return over.asMono();
    }

    private Mono<Void> round() {
        return Mono.firstWithSignal(Mono.delay(pause, timer).then(), stop.asMono()).then(Mono.defer(() -> {
            ends = stopping;
            return (ends ? Mono.justOrEmpty(last) : held).filter(this::isDue).flatMap(this::save);
        }));
    }

    private boolean isDue(Held<T> now) {
        boolean overdue = ends || now() - savedAt >= QUIET_PERIOD.toMillis();
        return now.changes() != savedChanges || overdue && !now.versions().equals(savedVersions);
    }

    private Mono<Void> save(Held<T> now) {
        long began = now();
        return warmStart.save(now).doOnNext(saved -> {
            Duration longer = Duration.ofMillis(SHARE * (now() - began));
            pause = longer.compareTo(PERIOD) > 0 ? longer : PERIOD;
            if (saved) {
                savedChanges = now.changes();
                savedVersions = now.versions();
                savedAt = now();
            }
        }).then();
    }

    private long now() {
        return timer.now(TimeUnit.MILLISECONDS);
    }
}
