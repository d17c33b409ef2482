package io.reactiveinformer.reflector;

import io.reactiveinformer.delta.ReflectorEvent;
import io.reactiveinformer.internal.ObserverCalls;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import reactor.core.scheduler.Scheduler;

/** Counts the events of one request and of one subscription, for an observer. What the observer throws is caught at each call. */
final class Observation {

    /** For the log. */
    static final String OBSERVED = "a reflector";

    private final ObserverCalls calls = new ObserverCalls(LoggerFactory.getLogger(Reflector.class), OBSERVED);
    private final Reflector.Observer observer;
    private final Scheduler timer;
    private final AtomicBoolean watching = new AtomicBoolean(); // a watch may end on the thread that receives it, and on one that cancels
    private int count;
    private long began;
    private @Nullable Long heardAt;

    Observation(Reflector.Observer observer, Scheduler timer) {
        this.observer = observer;
        this.timer = timer;
    }

    void see(ReflectorEvent<?> event) {
        if (event instanceof ReflectorEvent.ListingStarted<?> started) {
            begin(false);
            calls.contain(() -> observer.listing(started.reason()));
        } else if (event instanceof ReflectorEvent.ListingEnded<?>) {
            received();
            calls.contain(() -> observer.listed(count, lasted()));
        } else if (event instanceof ReflectorEvent.Watching<?> opened) {
            begin(true);
            calls.contain(() -> observer.watching(opened.resourceVersion()));
        } else if (event instanceof ReflectorEvent.Disrupted<?> disruption) {
            tellStaleness();
            calls.contain(() -> observer.disrupted(disruption));
        } else {
            count++;
            if (watching.get()) {
                received();
                tellReceived(event);
            }
        }
    }

    /** How many events of the present request, or of the last one, were not about the request itself. */
    int count() {
        return count;
    }

    private void received() {
        tellStaleness();
        heardAt = timer.now(TimeUnit.NANOSECONDS);
    }

    /** For each event: allocates nothing. */
    private void tellReceived(ReflectorEvent<?> event) {
        try {
            observer.received(event);
        } catch (Throwable thrown) {
            calls.threw(thrown);
        }
    }

    private void tellStaleness() {
        if (heardAt != null) {
            try {
                observer.stale(Duration.ofNanos(timer.now(TimeUnit.NANOSECONDS) - heardAt));
            } catch (Throwable thrown) {
                calls.threw(thrown);
            }
        }
    }

    /** Called when a request has ended. */
    void requestEnded() {
        if (watching.compareAndSet(true, false)) {
            calls.contain(() -> observer.watched(count, lasted()));
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
