package io.reactiveinformer.processor;

import io.reactiveinformer.internal.informer.BlockingCalls;
import io.reactiveinformer.queue.RateLimiter;
import io.reactiveinformer.queue.Result;
import io.reactiveinformer.queue.WorkQueueOptions;
import io.reactiveinformer.view.View;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Describes a {@link RowProcessor}. The work is a function that returns a {@code Mono}: when it completes, the state of the row is
 * finished; when it fails, or the function throws, the row is tried again. Its value is ignored, unless it is a {@link Result}:
 * {@link Result#again} leaves the row unfinished and tries again after that time, as a service asks for with {@code Retry-After};
 * {@link Result#givenUp} counts as finished, and is logged.
 *
 * @param <K> the keys, which identify rows
 * @param <T> the rows
 */
public final class RowProcessorBuilder<K, T> {

    private static final String NAMES = "[A-Za-z0-9._-]{1,100}";

    final String name;
    final View<K, T> view;
    int concurrency = 8; // few enough for a database, enough that one slow row does not delay the others
    Duration timeout = Duration.ofMinutes(2); // longer than a few requests take, with their waits and retries
    boolean brief;
    ToIntFunction<? super T> priority = row -> 0;
    // Without a limit for all rows together: after an outage each is tried again within the longest pause.
    WorkQueueOptions<K> queue =
            WorkQueueOptions.<K>defaults().withLimiter(RateLimiter.exponential(Duration.ofMillis(100), Duration.ofSeconds(30)));
    @Nullable Path positions;

    RowProcessorBuilder(String name, View<K, T> view) {
        if (!name.matches(NAMES)) {
            throw new IllegalArgumentException("the name of a processor is 1 to 100 letters, digits, '.', '-' and '_', was \"" + name
                    + "\"; it identifies the processor in logs, metrics and positions");
        }
        this.name = name;
        this.view = Objects.requireNonNull(view, "view");
    }

    /**
     * How many rows are worked on at a time; 8 unless set. With {@link #processBatches}, how many batches.
     *
     * @throws IllegalArgumentException if less than 1
     */
    public RowProcessorBuilder<K, T> concurrency(int rows) {
        if (rows < 1) {
            throw new IllegalArgumentException("concurrency must be at least 1, was " + rows);
        }
        concurrency = rows;
        return this;
    }

    /**
     * How long the work on a row, or on a batch, may take before it is cancelled and has failed; 2 minutes unless set. What a database or a
     * service was asked for may still take effect after that, also after the next try: compare versions in the statement if that matters.
     *
     * @throws IllegalArgumentException if zero or negative
     */
    public RowProcessorBuilder<K, T> timeout(Duration limit) {
        if (limit.isNegative() || limit.isZero()) {
            throw new IllegalArgumentException("a timeout must be longer than zero, was " + limit);
        }
        timeout = limit;
        return this;
    }

    /** Also works on rows that came and went while the processor was busy: as {@linkplain RowChange#deleted deleted}. */
    public RowProcessorBuilder<K, T> brief() {
        brief = true;
        return this;
    }

    /**
     * Rows of a higher priority go first, see {@link WorkQueueOptions#headStart()}; all have 0 unless set, as has a row that is gone. The
     * rows of the start have one less.
     */
    public RowProcessorBuilder<K, T> priority(ToIntFunction<? super T> of) {
        priority = Objects.requireNonNull(of, "priority");
        return this;
    }

    /**
     * The threads, the timer, and the pauses after failures: unless set, these are 100 ms, doubled with each failure of a row up to 30 s.
     */
    public RowProcessorBuilder<K, T> queue(WorkQueueOptions<K> options) {
        queue = Objects.requireNonNull(options, "queue");
        return this;
    }

    /**
     * Notes in a file of {@code directory} which state of each row is finished, so that the next process continues with what is not: with
     * the rows that waited, failed or were worked on, and with those that have changed or gone meanwhile. After a process was killed, at
     * most the rows are repeated that were worked on. A processor without a file begins with all rows, as a renamed one does. If the file
     * cannot be written, that is logged, and the rows are repeated after a restart. For one process at a time, with a directory that
     * outlasts it.
     *
     * <p>The rows must be objects as the server sent them, from an informer or a {@link View#filter}: a row that was computed has no
     * version of its own, and is always worked on after a restart. The keys must be {@link io.reactiveinformer.resource.ObjectKey}s.
     */
    public RowProcessorBuilder<K, T> positions(Path directory) {
        positions = Objects.requireNonNull(directory, "directory");
        return this;
    }

    /** A processor that works on each row with {@code work}, which must not block. */
    public RowProcessor<K> process(Function<? super RowChange<K, T>, ? extends Mono<?>> work) {
        Objects.requireNonNull(work, "work");
        return new ViewProcessor<>(this, concurrency, row -> limited(call(work, row), row.key()));
    }

    /**
     * As {@link #process}, with work that may block. Each call has a thread of its own: a virtual one where the JVM has them, otherwise one
     * of {@code Schedulers.boundedElastic()}. At the timeout, and at the end, the thread is interrupted; the next call for the row begins
     * when this one has returned.
     */
    public RowProcessor<K> processBlocking(Blocking<K, T> work) {
        Objects.requireNonNull(work, "work");
        var calls = new BlockingCalls<K>();
        return process(row -> calls.call(row.key(), () -> {
            work.process(row);
            return Result.done();
        }));
    }

    /**
     * As {@link #process}, with several rows at a time, each once: at most {@code most}, and none waits longer than {@code within} for
     * others. A row has the state in which it began to wait for them. If a batch fails, its halves are tried one after the other, down to the
     * rows that fail alone: these are tried again by themselves, and the others are finished. The timeout is that of each try.
     *
     * @throws IllegalArgumentException if {@code most} is less than 1, or {@code within} is negative
     */
    public RowProcessor<K> processBatches(int most, Duration within, Function<? super List<RowChange<K, T>>, ? extends Mono<?>> work) {
        if (most < 1 || within.isNegative()) {
            throw new IllegalArgumentException("a batch has at least one row and waits no negative time, was " + most + ", " + within);
        }
        Objects.requireNonNull(work, "work");
        var batches = new RowBatches<K, T>(most, within, concurrency, queue, rows -> limited(call(work, rows), "a batch of " + rows.size()));
        return new ViewProcessor<>(this, Math.multiplyExact(most, concurrency), batches::add);
    }

    /**
     * Work that may block.
     *
     * @param <K> the keys, which identify rows
     * @param <T> the rows
     */
    @FunctionalInterface
    public interface Blocking<K, T> {

        /** Works on {@code row}; it is finished when this returns, and tried again if this throws. */
        void process(RowChange<K, T> row) throws Exception;
    }

    private <A> Mono<Result> call(Function<? super A, ? extends Mono<?>> work, A about) {
        Mono<?> begun = Objects.requireNonNull(work.apply(about), "the work returned null; return Mono.empty() if there is nothing to do");
        return begun.<Result>handle((value, sink) -> {
            if (value instanceof Result result) {
                sink.next(result);
            }
        }).defaultIfEmpty(Result.done());
    }

    private Mono<Result> limited(Mono<Result> work, Object about) {
        return work.timeout(timeout, Mono.error(() -> new TimeoutException("the work on " + about + " took longer than " + timeout)),
                queue.timer());
    }
}
