package io.reactiveinformer.reflector;

import io.reactiveinformer.delta.ReflectorEvent;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.scheduler.Scheduler;

/**
 * Counts the events of one request and of one subscription, for an observer. An observer that throws is logged, once, and does not stop the
 * reflector.
 */
final class Observation {

    private static final Logger log = LoggerFactory.getLogger(Reflector.class);

    private final Reflector.Observer observer;
    private final Scheduler timer;
    private final AtomicBoolean watching = new AtomicBoolean(); // a watch may end on the thread that receives it, and on one that cancels
    private int count;
    private long began;
    private @Nullable Long heardAt;
    private boolean failed;

    Observation(Reflector.Observer observer, Scheduler timer) {
        this.observer = observer;
        this.timer = timer;
    }

    void see(ReflectorEvent<?> event) {
        try {
            tell(event);
        } catch (Throwable failure) {
            report(failure);
        }
    }

    private void tell(ReflectorEvent<?> event) {
        if (event instanceof ReflectorEvent.ListingStarted<?> started) {
            begin(false);
            observer.listing(started.reason());
        } else if (event instanceof ReflectorEvent.ListingEnded<?>) {
            received();
            observer.listed(count, lasted());
        } else if (event instanceof ReflectorEvent.Watching<?> opened) {
            begin(true);
            observer.watching(opened.resourceVersion());
        } else if (event instanceof ReflectorEvent.Disrupted<?> disruption) {
            tellStaleness();
            observer.disrupted(disruption);
        } else {
            count++;
            if (watching.get()) {
                received();
                observer.received(event);
            }
        }
    }

    private void received() {
        try {
            tellStaleness();
        } finally {
            heardAt = timer.now(TimeUnit.NANOSECONDS);
        }
    }

    private void tellStaleness() {
        if (heardAt != null) {
            observer.stale(Duration.ofNanos(timer.now(TimeUnit.NANOSECONDS) - heardAt));
        }
    }

    /** Called when a request has ended. */
    void requestEnded() {
        if (watching.compareAndSet(true, false)) {
            try {
                observer.watched(count, lasted());
            } catch (Throwable failure) {
                report(failure);
            }
        }
    }

    private void report(Throwable failure) {
        if (!failed) {
            failed = true;
            log.warn("an observer of a reflector failed; its failures are not reported again", failure);
        }
    }

    private void begin(boolean watch) {
        watching.set(watch);
        count = 0;
        began = timer.now(TimeUnit.NANOSECONDS);
    }

    private Duration lasted() {
        return Duration.ofNanos(timer.now(TimeUnit.NANOSECONDS) - began);
    }
}
