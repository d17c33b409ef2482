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
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;

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
    private final ProcessedRows<K, T> rows;
    private final WorkQueue<K> queue;
    private final OutageLog outages;
    private final Delays delays;
    private final @Nullable Positions<K, T> positions;

    private final Disposable.Swap following = Disposables.swap();
    private final Sinks.Empty<Void> failed = Sinks.empty();
    private final Sinks.Empty<Void> closed = Sinks.empty();
    private final Sinks.Empty<Void> synced = Sinks.empty();
    private final AtomicBoolean started = new AtomicBoolean();
    private final AtomicBoolean opened = new AtomicBoolean();
    private volatile Sinks.Empty<Void> endOfWork = Sinks.empty();
    private volatile State state = State.IDLE; // without SYNCING, which follows from the rows
    private volatile @Nullable Throwable end;

    ViewProcessor(RowProcessorBuilder<K, T> spec, int concurrency, Function<RowChange<K, T>, Mono<Result>> work) {
        this.name = spec.name;
        this.view = spec.view;
        Delivery conflated = Delivery.conflated().named(name);
        this.delivery = spec.brief ? conflated.brief() : conflated;
        this.concurrency = concurrency;
        this.priority = spec.priority;
        this.work = work;
        this.timer = spec.queue.timer();
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
        return Flux.using(this::begin, begun -> opened().thenMany(Flux.defer(() -> {
            follow();
            rows.behind().forEach(queue::add);
            return queue.process(concurrency, this::process);
        })).takeUntilOther(failed.asMono()).takeUntilOther(closed.asMono()), this::end);
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

    private void end(Sinks.Empty<Void> ofThis) {
        following.update(Disposables.disposed());
        synchronized (this) {
            if (state == State.WORKING) {
                state = State.IDLE;
            }
        }
        ofThis.tryEmitEmpty();
    }

    private Mono<Void> opened() {
        return positions == null || opened.get() ? Mono.empty() : positions.open().doOnSuccess(done -> opened.set(true));
    }

    private void follow() {
        rows.begin();
        following.update(view.changes(delivery).subscribe(this::receive, this::ended, () -> ended(null)));
    }

    private void receive(Change<K, T> change) {
        long now = now();
        if (change instanceof Change.Added<K, T> added) {
            wake(added.key(), rows.present(added.key(), added.entry(), now), added.object(), added.initial() ? -1 : 0);
        } else if (change instanceof Change.Updated<K, T> updated) {
            wake(updated.key(), rows.present(updated.key(), updated.entryAfter(), now), updated.after(), 0);
        } else if (change instanceof Change.Deleted<K, T> deleted) {
            wake(deleted.key(), rows.absent(deleted.key(), deleted.entry(), deleted.cause(), now), null, 0);
        } else {
            rows.complete(now).forEach(queue::add);
            look();
        }
    }

    private void wake(K key, boolean behind, @Nullable T row, int base) {
        if (behind) {
            queue.add(key, base + (row == null ? 0 : priorityOf(row)));
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

    /** An Error does not mean that the view has ended: it may have been thrown anywhere between the view and this. */
    private void ended(@Nullable Throwable failure) {
        if (failure != null && (failure instanceof Error || failure.getCause() instanceof Error)) {
            Duration pause = delays.next();
            LOG.warn("{}: the subscription to its view ended with an Error; subscribing again in {} ms", name, pause.toMillis(), failure);
            following.update(Mono.delay(pause, timer).subscribe(tick -> follow(), this::ended));
        } else if (failure != null) {
            end = failure;
            synced.tryEmitError(failure);
            failed.tryEmitError(failure);
        } else {
            queue.shutDown();
        }
    }

    private Mono<Result> process(K key) {
        RowChange<K, T> row = state == State.WORKING ? rows.take(key, queue.retries(key)) : null;
        if (row == null) {
            return Mono.empty();
        }
        return begun(row)
                .then(Mono.defer(() -> work.apply(row)))
                .onErrorResume(failure -> Mono.just(Result.failed(failure)))
                .flatMap(result -> result instanceof Result.Failed || result instanceof Result.Again
                        ? Mono.just(result) : finished(row).thenReturn(result))
                .doOnNext(result -> tell(row, result))
                .doFinally(signal -> rows.ended());
    }

    private Mono<Void> begun(RowChange<K, T> row) {
        boolean first = row.before() == null && row.after() != null && row.retries() == 0;
        return positions == null || !first ? Mono.empty() : positions.note(row.key(), row.after(), false);
    }

    private Mono<Void> finished(RowChange<K, T> row) {
        return positions == null ? Mono.empty() : positions.note(row.key(), row.after(), true);
    }

    /** Called before the queue learns the result: a row that is added here is worked on once more. */
    private void tell(RowChange<K, T> row, Result result) {
        if (result instanceof Result.Failed failure) {
            rows.failed(row.key(), failure.cause());
            LOG.debug("{}: the row {} failed", name, row.key(), failure.cause());
        } else if (!(result instanceof Result.Again)) {
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
            outages.ended("all rows are worked on", "");
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
        return rows.status(name, now, end, queue::retries);
    }

    @Override
    public Mono<Void> drain(Duration grace) {
        return Mono.defer(() -> {
            synchronized (this) {
                state = state == State.STOPPED ? state : State.DRAINING;
            }
            queue.close();
            return endOfWork.asMono()
                    .timeout(grace, Mono.fromRunnable(() -> LOG.warn("{}: the grace period of the drain is over, and the running work is"
                            + " cancelled", name)), timer)
                    .then(Mono.fromRunnable(this::close));
        });
    }

    @Override
    public void close() {
        synchronized (this) {
            state = State.STOPPED;
        }
        queue.close();
        closed.tryEmitEmpty();
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
