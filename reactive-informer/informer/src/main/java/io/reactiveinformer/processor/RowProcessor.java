package io.reactiveinformer.processor;

import io.reactiveinformer.queue.WorkQueue;
import io.reactiveinformer.view.View;
import java.time.Duration;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Works on the rows of a view: writes them to a table, tells a service, and so on. Each row is worked on in the newest state when its turn
 * comes, never twice at a time, and again if it has changed meanwhile; a row that fails is tried again by itself.
 *
 * <pre>{@code
 * RowProcessor<ObjectKey> table = RowProcessor.of("pods-table", pods)
 *         .concurrency(8)
 *         .process(row -> row.deleted() ? delete(row.key()) : upsert(row.key(), row.object()));
 * table.start();
 * }</pre>
 *
 * <p>In the end, what the function has done last for each row is for its newest state. In between it may skip states, and it may see one
 * again: after a failure, and after a process was killed in the middle of the work. So the function must be idempotent.
 *
 * <p>Unlike {@code changes().flatMap(…)}, which lets two writes of one row overtake each other, and {@code changes().publishOn(…)}, which
 * requests changes long before they are worked on, so that each state is worked on and not the newest only. Memory: an entry for each row.
 *
 * @param <K> the keys, which identify rows
 */
public interface RowProcessor<K> extends AutoCloseable {

    /**
     * Describes a processor.
     *
     * @param name names it in logs, metrics and {@linkplain RowProcessorBuilder#positions positions}; unique in a program, such as
     *     {@code pods-table}
     * @param view the rows
     * @throws IllegalArgumentException if {@code name} is not 1 to 100 letters, digits, {@code .}, {@code -} and {@code _}
     */
    static <K, T> RowProcessorBuilder<K, T> of(String name, View<K, T> view) {
        return new RowProcessorBuilder<>(name, view);
    }

    /** As given to {@link #of}. */
    String name();

    /**
     * Works as long as the result has a subscriber, one at a time, and emits how the work on each row ended, also where nothing was to be done any more. An outcome that is not
     * requested counts as one of the rows worked on: without demand at most {@linkplain RowProcessorBuilder#concurrency that many} are
     * begun. Cancelling cancels the running work; a later subscriber continues with what is not finished. Completes after {@link #drain},
     * and when the view has completed and its rows are finished; fails when the view fails.
     */
    Flux<WorkQueue.Outcome<K>> run();

    /** Subscribes to {@link #run} with unlimited demand; a failure is logged, and in {@link #status}. No effect if called before. */
    void start();

    /**
     * Completes when the rows that were there at the first complete state of the view have been finished, or are gone. A row that keeps
     * failing delays it; {@link #status} has the cause.
     */
    Mono<Void> synced();

    /** How far it is. */
    ProcessorStatus status();

    /**
     * Begins no more work, and completes when the running work has ended; after {@code grace} it is cancelled. What is not finished then is
     * worked on after a restart, see {@link RowProcessorBuilder#positions}.
     */
    Mono<Void> drain(Duration grace);

    /** Ends at once, and cancels the running work. */
    @Override
    void close();
}
