package io.reactiveinformer.recorder;

import io.kubernetes.client.openapi.models.EventsV1Event;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.client.Patch;
import io.reactiveinformer.client.ResourceClient;
import io.reactiveinformer.internal.OutageLog;
import io.reactiveinformer.internal.SparedTimer;
import io.reactiveinformer.internal.Watchdog;
import io.reactiveinformer.internal.informer.Contained;
import io.reactiveinformer.internal.informer.Instrumented;
import io.reactiveinformer.internal.informer.Observed;
import io.reactiveinformer.internal.operator.CountsEvents;
import io.reactiveinformer.queue.RateLimiter;
import io.reactiveinformer.queue.Result;
import io.reactiveinformer.queue.WorkQueue;
import io.reactiveinformer.queue.WorkQueueOptions;
import io.reactiveinformer.recorder.EventRecorder.Observer.Drop;
import io.reactiveinformer.recorder.EventRecorder.Occurrence;
import io.reactiveinformer.recorder.Ledger.Noted;
import io.reactiveinformer.recorder.Ledger.Write;
import io.reactiveinformer.resource.ConflictException;
import io.reactiveinformer.resource.KubernetesException;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.NotFoundException;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.StatusException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * A {@link Ledger}, and a queue of its series that are to be written. After a shortage of memory, starts the periodic
 * tasks and queues the waiting writes again.
 */
final class QueueingRecorder implements EventRecorder, Instrumented, CountsEvents, Watchdog.Watched {

    private static final Logger LOG = LoggerFactory.getLogger(EventRecorder.class);

    // client-go's numbers
    static final int TRIES = 12;
    static final Duration PAUSE = Duration.ofSeconds(10);
    static final double JITTER = 0.25;
    static final Duration IDLE = Duration.ofMinutes(6);
    static final Duration REFRESH = Duration.ofMinutes(30);
    static final int AT_ONCE = 8;
    /** The grace period when the client is closed; shorter than the time for which the client waits. */
    static final Duration AT_CLOSE = Duration.ofSeconds(3);

    private final RecorderOptions options;
    private final Observed<EventRecorder.Observer> observer;
    private final LongAdder written = new LongAdder();
    private final LongAdder dropped = new LongAdder();
    private volatile @Nullable String lastDrop;
    private final OutageLog outages;
    private final ResourceClient<EventsV1Event> events;
    private final Ledger ledger;
    private final WorkQueue<Series.Key> queue;
    private final Disposable.Swap ticks = Disposables.swap();
    private final Disposable.Composite clockwork = Disposables.composite(ticks);

    QueueingRecorder(KubernetesClient client, RecorderOptions asked) {
        this.options = asked.withTimer(SparedTimer.of(asked.timer()));
        this.outages = new OutageLog(LOG, "events of " + options.reportingController(), options.timer());
        this.observer = new Observed<>(EventRecorder.Observer.class, options.observer(), LOG, "a recorder");
        this.events = client.resources(ResourceType.of(EventsV1Event.class));
        this.ledger = new Ledger(options);
        this.queue = WorkQueue.create(WorkQueueOptions.<Series.Key>defaults()
                .withLimiter(RateLimiter.exponential(PAUSE, PAUSE.multipliedBy(TRIES))).withWorkers(options.workers())
                .withTimer(options.timer()));
        queue.process(AT_ONCE, this::write).subscribe();
        wind();
        clockwork.add(client.beforeClose(close(AT_CLOSE)));
        clockwork.add(Watchdog.watch(this));
    }

    @Override
    public <P> void wrap(Class<P> part, UnaryOperator<P> around) {
        observer.wrap(part, around);
    }

    private void wind() {
        ticks.update(Disposables.composite(every(IDLE, () -> ledger.finish(IDLE)), every(REFRESH, ledger::refresh)));
    }

    @Override
    public void doubt() {
        wind();
        // may call observers, which must not block the watchdog
        options.timer().schedule(() -> enqueue(ledger.refresh()));
    }

    /** {@code EventRecorder[mirror, 12 written, 1 dropped, last Mirrored as REFUSED: 403 Forbidden …]}. */
    @Override
    public String toString() {
        String last = lastDrop;
        return "EventRecorder[" + options.reportingController() + ", " + written + " written, " + dropped + " dropped"
                + (last == null ? "" : ", last " + last) + "]";
    }

    @Override
    public Counts counts() {
        return new Counts(options.reportingController(), written.sum(), dropped.sum(), lastDrop);
    }

    private void tellDropped(Occurrence occurrence, int times, Drop why, @Nullable KubernetesException cause) {
        observer.tell(one -> {
            dropped.add(times);
            lastDrop = occurrence.reason() + " as " + why + (cause == null ? "" : ": " + cause.getMessage());
            one.dropped(occurrence, times, why, cause);
        });
    }

    private Disposable every(Duration period, Supplier<List<Series.Key>> due) {
        Scheduler ticking = Contained.scheduler(options.timer(), // the next tick tries again
                thrown -> LOG.warn("{}: series of events could not be written", this, thrown));
        return ticking.schedulePeriodically(() -> enqueue(due.get()), period.toNanos(), period.toNanos(), TimeUnit.NANOSECONDS);
    }

    @Override
    public void record(Occurrence occurrence) {
        try {
            Noted noted = ledger.note(occurrence);
            enqueue(noted.toWrite());
            if (noted.dropped() != null) {
                tellDropped(occurrence, 1, noted.dropped(), null);
            }
        } catch (Throwable thrown) { // whatever it is, the work of the caller goes on
            LOG.warn("event {} about {} {} was not recorded", occurrence.reason(), occurrence.regarding().kind(),
                    occurrence.regarding().name(), thrown);
        }
    }

    /** Queues the series. If that throws for one, the next refresh queues it, and the others are still queued. */
    private void enqueue(List<Series.Key> toWrite) {
        for (int i = 0; i < toWrite.size(); i++) { // no iterator: it would be allocated after the series were marked
            Series.Key key = toWrite.get(i);
            try {
                queue.add(key);
            } catch (Throwable thrown) { // whatever it is, the other series are queued
                LOG.warn("{}: an event could not be queued, and is written later", this, thrown);
            }
        }
    }

    private Mono<Result> write(Series.Key key) {
        Write write = ledger.begin(key);
        if (write == null) {
            return Mono.empty();
        }
        return Mono.defer(() -> send(write))
                .<Supplier<Result>>map(stored -> () -> written(key, write, write.count()))
                .onErrorResume(failure -> Mono.just(() -> failure instanceof KubernetesException known
                        ? failed(key, write, known)
                        : drop(key, write, Drop.REFUSED, failure))) // a retry would fail the same way
                .map(Supplier::get);
    }

    private Mono<EventsV1Event> send(Write write) {
        Mono<EventsV1Event> created = events.create(Namespaces.of(write.namespace()), write.whole());
        return write.change() == null
                ? created
                : events.patch(ObjectKey.of(write.namespace(), write.name()), Patch.strategic(write.change()))
                        .onErrorResume(NotFoundException.class, expired -> created);
    }

    private Result written(Series.Key key, Write write, int count) {
        outages.ended("events are written again", "");
        boolean more = ledger.written(key, write, count);
        observer.tell(one -> {
            written.increment();
            one.written(write.series().first, count);
        });
        return more ? Result.again(Duration.ZERO) : Result.done();
    }

    private Result failed(Series.Key key, Write write, KubernetesException failure) {
        boolean exists = failure instanceof ConflictException conflict && conflict.status().reason().equals("AlreadyExists");
        if (exists && ledger.mayExist(write)) {
            return written(key, write, 1); // created by a try without an answer, perhaps with count 1
        }
        if (exists) {
            ledger.rename(write);
            return Result.again(Duration.ZERO);
        }
        if (failure instanceof StatusException) {
            return drop(key, write, Drop.REFUSED, failure);
        }
        if (ledger.failed(write) >= TRIES) {
            return drop(key, write, Drop.GIVEN_UP, failure);
        }
        outages.failed(failure, "writing again", PAUSE);
        return Result.again(PAUSE.plusMillis((long) (PAUSE.toMillis() * JITTER * options.random().getAsDouble())));
    }

    private Result drop(Series.Key key, Write write, Drop why, Throwable cause) {
        Occurrence first = write.series().first;
        LOG.warn("event {} about {} {} was not written: {}", first.reason(), first.regarding().kind(),
                first.regarding().name(), cause.getMessage());
        tellDropped(first, ledger.drop(key, write), why, cause instanceof KubernetesException known ? known : null);
        return Result.done();
    }

    @Override
    public Mono<Void> close(Duration grace) {
        return Mono.defer(() -> {
            clockwork.dispose();
            enqueue(ledger.close());
            return queue.drain().timeout(grace, Mono.empty(), options.timer()).then(Mono.fromRunnable(this::close));
        });
    }

    @Override
    public void close() {
        clockwork.dispose();
        ledger.close();
        queue.close();
        ledger.rest().forEach(left -> tellDropped(left.first, left.unwritten(), Drop.CLOSED, null));
    }
}
