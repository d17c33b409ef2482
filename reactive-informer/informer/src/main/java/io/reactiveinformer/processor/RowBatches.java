package io.reactiveinformer.processor;

import io.reactiveinformer.queue.Result;
import io.reactiveinformer.queue.WorkQueueOptions;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;
import reactor.core.scheduler.Scheduler;

/** Gathers rows that are taken to be worked on, works on several together, and tells each how that ended. Thread-safe. */
final class RowBatches<K, T> {

    private final int most;
    private final Duration within;
    private final int atATime;
    private final Scheduler timer;
    private final Scheduler workers;
    private final Function<List<RowChange<K, T>>, Mono<Result>> work;

    // Guarded by this.
    private final ArrayDeque<Waiting<K, T>> waiting = new ArrayDeque<>();
    private int running;
    private Disposable alarm = Disposables.disposed();

    private record Waiting<K, T>(RowChange<K, T> row, MonoSink<Result> sink, long since) {}

    RowBatches(int most, Duration within, int atATime, WorkQueueOptions<?> queue, Function<List<RowChange<K, T>>, Mono<Result>> work) {
        this.most = most;
        this.within = within;
        this.atATime = atATime;
        this.timer = queue.timer();
        this.workers = queue.workers();
        this.work = work;
    }

    /** Ends as the work on {@code row} does. */
    Mono<Result> add(RowChange<K, T> row) {
        return Mono.create(sink -> {
            var one = new Waiting<>(row, sink, timer.now(TimeUnit.NANOSECONDS));
            synchronized (this) {
                waiting.add(one);
            }
            sink.onCancel(() -> remove(one));
            begin();
        });
    }

    private synchronized void remove(Waiting<K, T> one) {
        waiting.remove(one);
    }

    /** Begins the batches that are full, or whose first row has waited long enough, as far as others are not running. */
    private void begin() {
        for (List<Waiting<K, T>> next = next(); !next.isEmpty(); next = next()) {
            List<Waiting<K, T>> batch = next;
            workers.schedule(() -> run(batch));
        }
    }

    private synchronized List<Waiting<K, T>> next() {
        alarm.dispose();
        List<Waiting<K, T>> batch = new ArrayList<>();
        Waiting<K, T> first = waiting.peek();
        if (first == null || running == atATime) {
            return batch;
        }
        long left = first.since + within.toNanos() - timer.now(TimeUnit.NANOSECONDS);
        if (waiting.size() < most && left > 0) {
            alarm = timer.schedule(this::begin, left, TimeUnit.NANOSECONDS);
            return batch;
        }
        while (batch.size() < most && !waiting.isEmpty()) {
            batch.add(waiting.remove());
        }
        running++;
        return batch;
    }

    /** The batch is cancelled when the work on each of its rows was. */
    private void run(List<Waiting<K, T>> batch) {
        var open = new AtomicInteger(batch.size());
        Disposable.Swap begun = Disposables.swap();
        batch.forEach(one -> one.sink.onDispose(() -> {
            if (open.decrementAndGet() == 0) {
                begun.dispose();
            }
        }));
        if (begun.isDisposed()) {
            ended();
        } else {
            begun.update(tried(batch, true).doFinally(end -> ended()).subscribe());
        }
    }

    private void ended() {
        synchronized (this) {
            running--;
        }
        begin();
    }

    /**
     * Never fails: a batch that does is tried by halves. While none has succeeded, as when the database is down, the other halves are tried
     * whole. Emits whether one has.
     */
    private Mono<Boolean> tried(List<Waiting<K, T>> batch, boolean byHalves) {
        return Mono.defer(() -> work.apply(batch.stream().map(Waiting::row).toList()))
                .onErrorResume(failure -> Mono.just(Result.failed(failure)))
                .flatMap(result -> {
                    int half = batch.size() / 2;
                    if (result instanceof Result.Failed && half > 0 && byHalves) {
                        List<Waiting<K, T>> shuffled = new ArrayList<>(batch); // the same rows must not always share a half
                        Collections.shuffle(shuffled);
                        return tried(shuffled.subList(0, half), true)
                                .flatMap(any -> tried(shuffled.subList(half, batch.size()), any).map(other -> any || other));
                    }
                    batch.forEach(one -> one.sink.success(result));
                    return Mono.just(!(result instanceof Result.Failed));
                });
    }
}
