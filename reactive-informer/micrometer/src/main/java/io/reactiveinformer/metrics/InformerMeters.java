package io.reactiveinformer.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.view.InformerStatus;
import io.reactiveinformer.view.InformerStatus.State;
import io.reactiveinformer.view.SubscriberStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import reactor.core.Disposable;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.util.retry.Retry;

/**
 * Gauges of one informer, which are read at each scrape. Removed when the informer is stopped, or when disposed of. If the informer has
 * given up, they stay until they are disposed of, so that the failure is visible.
 */
final class InformerMeters extends BaseSubscriber<InformerStatus> {

    /** If a status cannot be delivered, for lack of a thread, the subscription fails; the next one starts with the current status. */
    private static final Retry UNDELIVERED = Retry.fixedDelay(Long.MAX_VALUE, Duration.ofSeconds(1));

    private final Meters in;
    private final String name;
    private final Informer<?> informer;
    private final Runnable atEnd;
    private final Scheduler clock = Schedulers.parallel();
    private final List<Meter> meters = new ArrayList<>(); // written before the start
    private final AtomicBoolean removed = new AtomicBoolean();
    private volatile InformerStatus status;

    InformerMeters(Meters in, String name, Informer<?> informer, Runnable atEnd) {
        this.in = in;
        this.name = name;
        this.informer = informer;
        this.atEnd = atEnd;
        this.status = InformerStatus.idle(now());
    }

    /** Registers the gauges; all or, if the registry throws, none. */
    Disposable start() {
        try {
            register();
        } catch (Throwable failure) { // of a registry; thrown again
            remove();
            throw failure;
        }
        informer.status().retryWhen(UNDELIVERED).subscribe(this);
        return this;
    }

    private void register() {
        gauge("objects", "Objects in the cache", self -> informer.snapshot().size());
        gauge("revision", "Grows with each change of the cache", self -> informer.snapshot().revision());
        gauge("synced", "1 once a complete state was received", self -> status.synced() ? 1 : 0);
        gauge("live", "1 while changes are received as they happen", self -> status.state() == State.LIVE ? 1 : 0);
        gauge("staleness.seconds", "The age that served objects may have, or the time for which the first complete state has been awaited",
                self -> status.staleness(now()).toMillis() / 1e3);
        gauge("unreadable", "Objects whose latest state could not be read, so that an older state is served, or none",
                self -> status.stale().size());
        gauge("subscribers", "Subscriptions to the changes of the informer", self -> informer.subscribers().size());
        gauge("backlog", "Changes that wait for the demand of subscribers", self -> sum(SubscriberStatus::backlog));
        gauge("backlog.max", "Changes that wait for the subscriber with the largest backlog",
                self -> informer.subscribers().stream().mapToInt(SubscriberStatus::backlog).max().orElse(0));
        gauge("conflated", "Changes that the present subscribers did not receive, because newer ones replaced them",
                self -> sum(SubscriberStatus::conflated));
        gauge("missed", "Changes that handlers and audits have missed, because more waited than their delivery allows",
                self -> sum(SubscriberStatus::missed));
    }

    private void gauge(String what, String description, ToDoubleFunction<InformerMeters> value) {
        meters.add(Gauge.builder("informer." + what, this, value)
                .description(description)
                .tags(in.tags("informer", name))
                .strongReference(true) // nothing else refers to this when the informer has given up
                .register(in.registry()));
    }

    private long sum(ToLongFunction<SubscriberStatus> what) {
        return informer.subscribers().stream().mapToLong(what).sum();
    }

    private Instant now() {
        return Instant.ofEpochMilli(clock.now(TimeUnit.MILLISECONDS));
    }

    @Override
    protected void hookOnNext(InformerStatus next) {
        status = next;
    }

    @Override
    protected void hookOnComplete() {
        if (status.cause() == null) {
            remove();
        }
    }

    @Override
    public void dispose() {
        super.dispose();
        remove();
    }

    private void remove() {
        if (removed.compareAndSet(false, true)) {
            meters.forEach(in.registry()::remove);
            atEnd.run();
        }
    }
}
