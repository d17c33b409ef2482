package io.reactiveinformer.reflector;

import io.reactiveinformer.delta.ReflectorEvent;
import io.reactiveinformer.internal.OutageLog;
import io.reactiveinformer.internal.informer.Observed;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import reactor.core.scheduler.Scheduler;

/**
 * Counts the events of one request and of one subscription, for an observer and for the end of an outage in the log. What the observer
 * throws is caught at each call.
 */
final class Observation {

    private final Observed<Reflector.Observer> observer;
    private final Scheduler timer;
    private final AtomicBoolean watching = new AtomicBoolean(); // a watch may end on the thread that receives it, and on one that cancels
    private final OutageLog outages;
    private boolean hasWatched;
    private boolean listing;
    private int count;
    private long began;
    private @Nullable Long heardAt;

    Observation(Reflector.Observer observer, Scheduler timer, OutageLog outages) {
        this.observer = observed(observer);
        this.timer = timer;
        this.outages = outages;
    }

    static Observed<Reflector.Observer> observed(Reflector.Observer observer) {
        return new Observed<>(Reflector.Observer.class, observer, LoggerFactory.getLogger(Reflector.class), "a reflector");
    }

    void see(ReflectorEvent<?> event) {
        if (event instanceof ReflectorEvent.ListingStarted<?> started) {
            begin(false);
            observer.tell(one -> one.listing(started.reason()));
        } else if (event instanceof ReflectorEvent.ListingEnded<?>) {
            received();
            observer.tell(one -> one.listed(count, lasted()));
        } else if (event instanceof ReflectorEvent.Watching<?> opened) {
            outages.ended(hasWatched ? "live again" : "live", listing ? ", by a list of " + OutageLog.objects(count)
                    : ", by resuming from version " + opened.resourceVersion());
            hasWatched = true;
            begin(true);
            observer.tell(one -> one.watching(opened.resourceVersion()));
        } else if (event instanceof ReflectorEvent.Disrupted<?> disruption) {
            tellStaleness();
            observer.tell(one -> one.disrupted(disruption));
        } else {
            count++;
            if (watching.get()) {
                received();
                observer.tell(one -> one.received(event));
            }
        }
    }

    private void received() {
        tellStaleness();
        heardAt = timer.now(TimeUnit.NANOSECONDS);
    }

    private void tellStaleness() {
        Long last = heardAt;
        if (last != null) {
            Duration stale = Duration.ofNanos(timer.now(TimeUnit.NANOSECONDS) - last);
            observer.tell(one -> one.stale(stale));
        }
    }

    /** Called when a request has ended. */
    void requestEnded() {
        if (watching.compareAndSet(true, false)) {
            observer.tell(one -> one.watched(count, lasted()));
        }
    }

    private void begin(boolean watch) {
        watching.set(watch);
        listing = !watch;
        count = 0;
        began = timer.now(TimeUnit.NANOSECONDS);
    }

    private Duration lasted() {
        return Duration.ofNanos(timer.now(TimeUnit.NANOSECONDS) - began);
    }
}
