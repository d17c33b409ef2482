package io.reactiveinformer.queue;

import java.time.Duration;
import java.util.function.Function;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A queue of keys to work on, in the role of client-go's workqueue. A key is in line at most once, and is worked on once at a time: if it
 * is added after its work has begun, it is worked on once more. Keys of one priority and one {@linkplain WorkQueueOptions#classes class}
 * are served in the order in which they got into line.
 *
 * <pre>{@code
 * WorkQueue<ObjectKey> queue = WorkQueue.create();
 * source.changes().subscribe(change -> queue.add(keyOf(change)));
 * queue.process(4, key -> reconcile(key).thenReturn(Result.done())).subscribe();
 * }</pre>
 *
 * <p>Any thread may call; nothing blocks. The queue forgets a key once it is neither in line, nor delayed, nor held, nor worked on, nor
 * failing.
 *
 * @param <K> the keys, not null; must have {@code equals} and {@code hashCode}
 */
public interface WorkQueue<K> extends AutoCloseable {

    /** The longest delay; a longer one is reduced to it. */
    Duration LONGEST_DELAY = Duration.ofDays(365);

    /** A queue with {@link WorkQueueOptions#defaults}. */
    static <K> WorkQueue<K> create() {
        return create(WorkQueueOptions.defaults());
    }

    /** A queue with these options. */
    static <K> WorkQueue<K> create(WorkQueueOptions<K> options) {
        return new KeyedWorkQueue<>(options);
    }

    /** As {@link #add(Object, int)} with priority 0. */
    default void add(K key) {
        add(key, 0);
    }

    /**
     * Puts {@code key} in line; if it is worked on now, it gets into line when that work has ended. Replaces a delay. Ignored once the
     * queue is shut down.
     *
     * @param priority the higher goes first, see {@link WorkQueueOptions#headStart()}. Of several additions the highest priority counts,
     *     including that of a replaced delay. A key that is worked on again because of its {@link Result}, or because its work was
     *     cancelled, keeps its priority
     */
    void add(K key, int priority);

    /**
     * Adds {@code key} after {@code delay}, with priority 0; at once if the delay is zero or negative. Of several delays of a key the one
     * that ends first counts. No effect on a key that is in line. {@link #shutDown} drops all delayed keys; ignored after that.
     */
    void addAfter(K key, Duration delay);

    /**
     * As {@link #addAfter}, with the delay of the {@link RateLimiter}. Each call counts as a failure; of work that fails, only those count
     * that the {@code RateLimiter} names.
     */
    void addRateLimited(K key);

    /**
     * Keeps {@code key} out of line until {@link #release} was called as often as this. If the key is added meanwhile, or its delay ends,
     * it gets into line when it is released. Call it while the key is worked on; that work goes on. A key that is in line already stays
     * there. {@link #shutDown} releases all keys; ignored after that.
     */
    void hold(K key);

    /** Ends one {@link #hold}; no effect on a key that is not held. */
    void release(K key);

    /** Drops the delay of {@code key} and returns whether there was one. A failure after that counts, and has a delay of its own. */
    boolean cancelDelay(K key);

    /** Drops the failure count of {@code key}, because its work succeeded or does not matter any more. */
    void forget(K key);

    /** The number of failures of {@code key} in a row, as counted by the {@link RateLimiter}: without those during its delays. */
    int retries(K key);

    /** The number of keys in line, without those worked on. */
    int size();

    /** The number of delayed keys. */
    int delayed();

    /** The work that is running now. */
    Unfinished unfinished();

    /**
     * The work that is running.
     *
     * @param keys the number of keys worked on
     * @param total the sum of the times for which they have been worked on
     * @param longest the time of the one that began first
     */
    record Unfinished(int keys, Duration total, Duration longest) {}

    /**
     * Takes keys and works on them, as long as the result has a subscriber. Several subscriptions share the keys and take turns. An outcome
     * that is not requested yet counts as one of the {@code concurrency} keys, so without demand at most that many keys are taken.
     *
     * <p>A key is worked on until its {@code Mono} has ended, or is cancelled with this subscription; what a {@code Mono} does after its
     * last signal, as in {@code doFinally}, may run at the same time as the next work on the key. An empty {@code Mono} counts as
     * {@link Result#done()}; one that fails, and a function that throws, as {@link Result#failed}. A key whose work is cancelled gets into
     * line again. Completes after {@link #shutDown} when all keys are done. Fails if the {@link RateLimiter} throws an exception; the key
     * is then free for other subscriptions.
     *
     * @param concurrency the number of keys worked on at a time
     * @param work called and subscribed to on {@link WorkQueueOptions#workers()}; must not block there
     * @throws IllegalArgumentException if {@code concurrency} is less than 1
     */
    Flux<Outcome<K>> process(int concurrency, Function<? super K, Mono<Result>> work);

    /**
     * Accepts no more keys, drops the delayed ones, and releases the held ones. Keys in line, and keys that were added while they were
     * worked on, are still served; then {@link #process} completes.
     */
    void shutDown();

    /** Calls {@link #shutDown} on subscription; completes when no key is in line or worked on. */
    Mono<Void> drain();

    /** Shuts down at once: drops the keys in line as well; each {@link #process} completes when its running work has ended. */
    @Override
    void close();

    /**
     * The outcome of the work on one key.
     *
     * @param key the key
     * @param result the result; {@link Result#failed} if the work failed or threw
     * @param retries the number of failures of the key in a row before this work, see {@link #retries}
     * @param took how long the work took, by the timer of the queue
     */
    record Outcome<K>(K key, Result result, int retries, Duration took) {}

    /**
     * Observes a queue, for metrics: the number of keys in line is what was {@link #added}, less what was {@link #taken}, {@link #merged}
     * and {@link #dropped}. Called on the threads that add keys and that work, so it must return at once. What it throws is caught, logged
     * the first time, and affects no key.
     */
    interface Observer {

        /** Ignores everything. */
        Observer NONE = new Observer() {};

        /** A key has become one to be worked on: it was added, also while it is worked on, became due, or was given back. */
        default void added() {}

        /**
         * A key was taken to be worked on.
         *
         * @param waited the time since it got into line
         */
        default void taken(Duration waited) {}

        /** A key that was added again after it was taken needs no work of its own: the work that begins now sees what was added. */
        default void merged() {}

        /**
         * A key's work has ended, or was cancelled.
         *
         * @param took the time since it was taken
         */
        default void finished(Duration took) {}

        /** A key has failed and will be tried again after {@code delay}. */
        default void retried(Duration delay) {}

        /**
         * Keys were dropped, as the queue was shut down.
         *
         * @param keys the number of dropped keys that were reported as {@link #added}
         * @param delayed the number of dropped delays, which were not
         */
        default void dropped(int keys, int delayed) {}
    }
}
