package io.reactiveinformer.reflector;

import io.reactiveinformer.delta.ReflectorEvent;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import reactor.core.scheduler.Scheduler;

/** Counts the events of one request and of one subscription, for an observer. */
final class Observation {

    private final ReflectorObserver observer;
    private final Scheduler timer;
    private boolean watching;
    private int count;
    private long began;

    Observation(ReflectorObserver observer, Scheduler timer) {
        this.observer = observer;
        this.timer = timer;
    }

    void see(ReflectorEvent<?> event) {
        if (event instanceof ReflectorEvent.ListingStarted<?> started) {
            begin(false);
            observer.listing(started.reason());
        } else if (event instanceof ReflectorEvent.ListingEnded<?>) {
            observer.listed(count, lasted());
        } else if (event instanceof ReflectorEvent.Watching<?> opened) {
            begin(true);
            observer.watching(opened.resourceVersion());
        } else if (event instanceof ReflectorEvent.Disrupted<?> disruption) {
            observer.disrupted(disruption);
        } else {
            count++;
            if (watching) {
                observer.heard(event);
            }
        }
    }

    /** A request is over. */
    void requestEnded() {
        if (watching) {
            watching = false;
            observer.watched(count, lasted());
        }
    }

    private void begin(boolean watch) {
        watching = watch;
        count = 0;
        began = timer.now(TimeUnit.NANOSECONDS);
    }

    private Duration lasted() {
        return Duration.ofNanos(timer.now(TimeUnit.NANOSECONDS) - began);
    }
}
