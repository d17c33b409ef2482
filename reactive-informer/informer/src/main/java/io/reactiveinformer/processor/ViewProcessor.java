package io.reactiveinformer.processor;

import io.reactiveinformer.backoff.Backoff;
import io.reactiveinformer.backoff.Backoff.Delays;
import io.reactiveinformer.internal.OutageLog;
import io.reactiveinformer.internal.informer.Instrumented;
import io.reactiveinformer.processor.ProcessorStatus.State;
import io.reactiveinformer.queue.RateLimiter;
import io.reactiveinformer.queue.Result;
import io.reactiveinformer.queue.WorkQueue;
import io.reactiveinformer.queue.WorkQueueOptions;
import io.reactiveinformer.view.Change;
import io.reactiveinformer.view.Delivery;
import io.reactiveinformer.view.View;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Signal;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;
import reactor.util.retry.Retry;

/** Connects a view, the table of its rows, and a queue of the keys of those that are behind. */
final class ViewProcessor<K, T> implements RowProcessor<K>, Instrumented {

    private static final Logger LOG = LoggerFactory.getLogger(RowProcessor.class);

    private final String name;
    private final View<K, T> view;
    private final Delivery delivery;
    private final int concurrency;
    private final ToIntFunction<? super T> priority;
    private final Function<RowChange<K, T>, Mono<Result>> work;
    private final Scheduler timer;
    private final Scheduler workers;
    private final ProcessedRows<K, T> rows;
    private final WorkQueue<K> queue;
    private final OutageLog outages;
    private final Delays delays;
    private final @Nullable Positions<K, T> positions;

    private final Disposable.Swap following = Disposables.swap();
    private final Sinks.Empty<Void> failed = Sinks.empty();
    private final Sinks.Empty<Void> draining = Sinks.empty();
    private final Sinks.Empty<Void> closed = Sinks.empty();
    private final Sinks.Empty<Void> synced = Sinks.empty();
    private final AtomicBoolean started = new AtomicBoolean();
    private volatile Sinks.Empty<Void> endOfWork = Sinks.empty();
    private volatile State state = State.IDLE; // without SYNCING, which follows from the rows
    private volatile @Nullable Throwable end;
    private volatile boolean viewEnded;

    ViewProcessor(RowProcessorBuilder<K, T> spec, int concurrency, Function<RowChange<K, T>, Mono<Result>> work) {
        this.name = spec.name;
        this.view = spec.view;
        Delivery conflated = Delivery.conflated().named(name);
        this.delivery = spec.brief ? conflated.brief() : conflated;
        this.concurrency = concurrency;
        this.priority = spec.priority;
        this.work = work;
        this.timer = spec.queue.timer();
        this.workers = spec.queue.workers();
        this.rows = new ProcessedRows<>(spec.brief);
        this.queue = WorkQueue.create(new WorkQueueOptions<>(clock -> noted(spec.queue.limiter().apply(clock)), spec.queue.classes(),
                spec.queue.headStart(), spec.queue.workers(), timer, spec.queue.observer()));
        this.outages = new OutageLog(LOG, name, timer);
        this.delays = Backoff.between(Duration.ofSeconds(1), Duration.ofMinutes(1)).delays(timer);
        this.positions = spec.positions == null ? null : new Positions<>(spec.positions, name, rows, timer);
        endOfWork.tryEmitEmpty();
    }

    /** Also tells the next try of a failed row. */
    private RateLimiter<K> noted(RateLimiter<K> limiter) {
        return new RateLimiter<>() {
            @Override
            public Duration next(K key) {
                Duration pause = limiter.next(key);
                Throwable cause = rows.pauses(key, now() + pause.toMillis());
                if (cause != null) {
                    outages.failed(cause, "trying the row " + key + " again", pause);
                }
                return pause;
            }

            @Override
            public int retries(K key) {
                return limiter.retries(key);
            }

            @Override
            public void forget(K key) {
                limiter.forget(key);
            }
        };
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public <P> void wrap(Class<P> part, UnaryOperator<P> around) {
        Instrumented.wrap(queue, part, around);
    }

    @Override
    public void start() {
        if (!started.getAndSet(true)) {
            run().subscribe(null, failure -> LOG.error("{}: works on no more rows: {}", name, failure.toString(), failure));
        }
    }

    @Override
    public Flux<WorkQueue.Outcome<K>> run() {
        return Flux.using(this::begin, begun -> opened().takeUntilOther(draining.asMono()).thenMany(Flux.defer(() -> {
            follow();
            return queue.process(concurrency, this::process);
        })).takeUntilOther(failed.asMono()).takeUntilOther(closed.asMono()).doOnError(this::fails), this::end);
    }

    private synchronized Sinks.Empty<Void> begin() {
        if (state == State.WORKING) {
            throw new IllegalStateException("processor " + name + " runs already; it can have one run() or start() at a time");
        }
        if (state == State.IDLE) {
            state = State.WORKING;
        }
        endOfWork = Sinks.empty();
        return endOfWork;
    }

    private void fails(Throwable failure) {
        end = failure;
        synced.tryEmitError(failure);
    }

    private void end(Sinks.Empty<Void> ofThis) {
        following.update(Disposables.disposed());
        rows.begin(); // a change that is being told now counts no more
        synchronized (this) {
            if (state == State.WORKING) {
                state = State.IDLE;
            }
        }
        ofThis.tryEmitEmpty();
    }

    /** Waits for a processor of the same name that has not ended yet. */
    private Mono<Void> opened() {
        return positions == null ? Mono.empty() : positions.open().retryWhen(Retry.from(tries -> tries.concatMap(one -> {
            Duration pause = delays.next();
            outages.failed(one.failure(), "trying again", pause);
            return Mono.delay(pause, timer);
        })));
    }

    private void follow() {
        following.update(Flux.defer(() -> {
            int of = rows.begin();
            return view.changes(delivery).doOnNext(change -> receive(of, change));
        }).retryWhen(Retry.from(ends -> ends.concatMap(one -> again(one.failure())))).subscribe(null, this::ended, () -> ended(null)));
    }

    /** An Error does not mean that the view has ended: it may have been thrown anywhere between the view and this. */
    private Mono<Long> again(Throwable failure) {
        if (!(failure instanceof Error) && !(failure.getCause() instanceof Error)) {
            return Mono.error(failure);
        }
        Duration pause = delays.next();
        LOG.warn("{}: the subscription to its view ended with an Error; subscribing again in {} ms", name, pause.toMillis(), failure);
        return Mono.delay(pause, timer);
    }

    private void receive(int of, Change<K, T> change) {
        long now = now();
        if (change instanceof Change.Added<K, T> added) {
            boolean there = added.initial();
            wake(added.key(), rows.present(of, added.key(), added.entry(), !there, now), added.object(), there ? -1 : 0);
        } else if (change instanceof Change.Updated<K, T> updated) {
            wake(updated.key(), rows.present(of, updated.key(), updated.entryAfter(), true, now), updated.after(), 0);
        } else if (change instanceof Change.Deleted<K, T> deleted) {
            wake(deleted.key(), rows.absent(of, deleted.key(), deleted.entry(), deleted.cause(), now), null, 0);
        } else {
            rows.complete(of, ((Change.Synced<K, T>) change).resourceVersion(), now).forEach(queue::add);
            look();
        }
    }

    private void wake(K key, boolean behind, @Nullable T row, int base) {
        if (behind) {
            queue.add(key, base + (row == null ? 0 : priorityOf(row)));
        } else {
            look();
        }
    }

    private int priorityOf(T row) {
        try {
            return priority.applyAsInt(row);
        } catch (Throwable thrown) { // by code of the user: the row is worked on all the same
            outages.failed(new IllegalStateException("a priority cannot be computed, and is 0: " + thrown, thrown), "asking again",
                    Duration.ZERO);
            return 0;
        }
    }

    private void ended(@Nullable Throwable failure) {
        if (failure != null) {
            failed.tryEmitError(failure);
            return;
        }
        viewEnded = true;
        look();
        if (!rows.isComplete()) {
            synced.tryEmitError(new CancellationException("the view of " + name + " has ended before it was synced"));
        }
    }

    private Mono<Result> process(K key) {
        RowChange<K, T> row = state == State.WORKING ? rows.take(key, queue.retries(key)) : null;
        if (row == null) {
            return Mono.empty();
        }
        Mono<Result> result = positions == null ? begun(row) : noted(positions, row);
        return result.doOnEach(signal -> tell(row, signal)); // one operator for both, as each has garbage for each row
    }

    /** An Error fails this row only: Reactor would treat it as fatal. */
    private Mono<Result> begun(RowChange<K, T> row) {
        try {
            return work.apply(row);
        } catch (Throwable thrown) { // by the code of the user: see above
            return Mono.error(thrown instanceof Exception ? thrown : new IllegalStateException("an Error: " + thrown, thrown));
        }
    }

    /** The work, between the lines that say that it has begun, if nothing says so yet, and that it is finished. */
    private Mono<Result> noted(Positions<K, T> at, RowChange<K, T> row) {
        return (row.before() == null || row.deleted() ? Mono.defer(() -> at.begun(row)) : Mono.<Void>empty())
                .publishOn(workers)
                .then(Mono.defer(() -> begun(row)))
                .flatMap(result -> result instanceof Result.Failed || result instanceof Result.Again
                        ? Mono.just(result) : at.finished(row).thenReturn(result));
    }

    /** Called before the queue learns the result: a row that is added here is worked on once more. */
    private void tell(RowChange<K, T> row, Signal<Result> signal) {
        Result result = signal.get();
        Throwable failure = result instanceof Result.Failed failed ? failed.cause() : signal.getThrowable();
        if (failure != null) {
            rows.failed(row.key(), failure);
            LOG.debug("{}: the row {} failed", name, row.key(), failure);
        } else if (result instanceof Result.Again again) {
            rows.again(row.key(), now() + again.delay().toMillis());
        } else if (result != null) {
            if (result instanceof Result.GivenUp givenUp) {
                LOG.warn("{}: the row {} is given up", name, row.key(), givenUp.cause());
            }
            if (rows.finished(row, now())) {
                queue.add(row.key());
            }
            look();
        }
    }

    private void look() {
        if (rows.synced()) {
            synced.tryEmitEmpty();
        }
        if (rows.failing() == 0) {
            outages.ended("no row fails any more", "");
        }
        if (viewEnded && !rows.isBehind()) {
            queue.shutDown();
        }
    }

    private long now() {
        return timer.now(TimeUnit.MILLISECONDS);
    }

    @Override
    public Mono<Void> synced() {
        return synced.asMono();
    }

    @Override
    public ProcessorStatus status() {
        State now = state == State.WORKING && !rows.synced() ? State.SYNCING : state;
        return rows.status(name, now, queue.unfinished().keys(), end, queue::retries);
    }

    @Override
    public Mono<Void> drain(Duration grace) {
        return Mono.defer(() -> {
            synchronized (this) {
                state = state == State.STOPPED ? state : State.DRAINING;
            }
            queue.close();
            draining.tryEmitEmpty();
            return endOfWork.asMono()
                    .timeout(grace, Mono.fromRunnable(() -> LOG.warn("{}: the grace period of the drain is over, and the running work is"
                            + " cancelled", name)), timer)
                    .then(Mono.fromRunnable(() -> {
                        int left = rows.isBehind() ? status().behind() : 0;
                        if (left > 0) {
                            LOG.info("{}: drained; {} rows are not finished", name, left);
                        }
                        close();
                    }));
        });
    }

    @Override
    public void close() {
        synchronized (this) {
            state = State.STOPPED;
        }
        queue.close();
        closed.tryEmitEmpty();
        synced.tryEmitError(new CancellationException(name + " was closed before it was synced"));
        following.dispose();
        if (positions != null) {
            positions.close();
        }
    }

    @Override
    public String toString() {
        return "RowProcessor[" + name + ", " + status().state() + "]";
    }
}
