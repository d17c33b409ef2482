package io.reactiveinformer.internal.warmstart;

import io.reactiveinformer.resource.Namespaces;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;

/** Saves the objects of an informer, periodically and when it stops, one save at a time. */
public final class Saver<T> {

    /**
     * The period in which changes are saved. After a process was killed, the next one receives the changes since the last save from the
     * watch.
     */
    static final Duration PERIOD = Duration.ofMinutes(1);

    /**
     * The period in which a new version is saved if no object has changed: the saved version gets older, and servers keep their history for
     * minutes. Longer than {@link #PERIOD}, as all objects are written again.
     */
    static final Duration QUIET_PERIOD = Duration.ofMinutes(10);

    /** Saving takes at most 1/{@value} of the time. */
    private static final int SHARE = 20;

    private final WarmStart<T> warmStart;
    private final Mono<Held<T>> held;
    private final Scheduler timer;
    private final Sinks.Empty<Void> stop = Sinks.empty();
    private final Sinks.Empty<Void> over = Sinks.empty();
    private boolean started;
    private volatile boolean stopping;
    private volatile @Nullable Held<T> last;

    // Used by one round at a time.
    private Duration pause = PERIOD;
    private boolean ends;
    private long savedChanges = -1;
    private Map<Namespaces, String> savedVersions = Map.of();
    private long savedAt;

    /** @param held emits the current state of the cache; empty if it is not complete */
    public Saver(WarmStart<T> warmStart, Mono<Held<T>> held, Scheduler timer) {
        this.warmStart = warmStart;
        this.held = held;
        this.timer = timer;
    }

    /**
     * Starts saving. Must not be called concurrently with {@link #stop}.
     *
     * @param restored the saved state that the informer began with; null if there was none
     * @param changes the number of changes of objects up to that state
     */
    public void start(@Nullable Saved<T> restored, long changes) {
        started = true;
        savedAt = now();
        if (restored != null) {
            savedChanges = changes;
            savedVersions = restored.versions();
        }
        Mono.defer(this::round).repeat(() -> !ends).then().subscribe(done -> {}, over::tryEmitError, over::tryEmitEmpty);
    }

    /** @param end the final state of the cache, which is saved if it is new; null if there is none */
    public void stop(@Nullable Held<T> end) {
        last = end;
        stopping = true;
        if (started) {
            stop.tryEmitEmpty();
        } else {
            over.tryEmitEmpty();
        }
    }

    /** Completes when the last save after {@link #stop} is over. */
    public Mono<Void> over() {
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
