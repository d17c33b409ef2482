package io.reactiveinformer.queue;

import java.time.Duration;
import java.util.function.Function;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Keys that wait for work, in the role of client-go's workqueue. A key is in line at most once, and is never worked on twice at a time: added
 * while it is worked on, it is worked on once more. Those of one priority are served in the order in which they came.
 *
 * <pre>{@code
 * WorkQueue<ObjectKey> queue = WorkQueue.create();
 * source.changes().subscribe(change -> queue.add(keyOf(change)));
 * queue.process(4, key -> reconcile(key).thenReturn(Result.done())).subscribe();
 * }</pre>
 *
 * <p>Any thread may call; nothing blocks. What a key holds is forgotten once it is neither in line, nor delayed, nor worked on, nor failing.
 *
 * @param <K> must have {@code equals} and {@code hashCode}
 */
public interface WorkQueue<K> extends AutoCloseable {

    /** A delay longer than this is taken for this long. Far from where nanoseconds overflow. */
    Duration LONGEST_DELAY = Duration.ofDays(365);

    static <K> WorkQueue<K> create() {
        return create(WorkQueueOptions.defaults());
    }

    static <K> WorkQueue<K> create(WorkQueueOptions<K> options) {
        return new DirtyQueue<>(options);
    }

    /** With priority 0. */
    default void add(K key) {
        add(key, 0);
    }

    /**
     * Is to be worked on now; comes in place of a delay. Ignored once the queue is shut down.
     *
     * @param priority the higher goes first, see {@link WorkQueueOptions#headStart()}; of several additions the highest counts, that with which it
     *     was delayed among them. A key that comes again by its {@link Result}, or as its work was cancelled, keeps its priority
     */
    void add(K key, int priority);

    /**
     * Is to be worked on after {@code delay}. There is one delay a key, the one that is over first, and none for a key that is in line. What is
     * delayed when the queue is shut down is dropped.
     */
    void addAfter(K key, Duration delay);

    /** As {@link #addAfter}, by the delay of the {@link RateLimiter}, for which this is a failure. */
    void addRateLimited(K key);

    /**
     * {@code key} is not to be in line until it is {@linkplain #release released}, as often as it was held: what is added meanwhile, or due, is kept for then.
     * To be called while it is worked on, which goes on; one that is in line stays there. No key is held once the queue is shut down.
     */
    void hold(K key);

    /** Ends one {@link #hold}; no effect on a key that is not held. */
    void release(K key);

    /** Drops the delay of {@code key}; returns whether there was one. */
    boolean cancelDelay(K key);

    /** {@code key} worked, or does not matter any more: its failures are forgotten. */
    void forget(K key);

    /** How often in a row {@code key} has failed. */
    int retries(K key);

    /** How many keys are ready, and not worked on. */
    int size();

    /** How many keys are delayed. */
    int delayed();

    Unfinished unfinished();

    /**
     * Work that goes on.
     *
     * @param total for how long by now, all together
     * @param longest for how long by now, the one that began first
     */
    record Unfinished(int keys, Duration total, Duration longest) {}

    /**
     * Takes keys and works on them, as long as it is subscribed to. Several subscriptions share the keys. An outcome that nobody has requested keeps
     * its place among those that are worked on, so without demand no more than {@code concurrency} keys are.
     *
     * <p>A key is worked on until its {@code Mono} has ended, or is cancelled as this is; what a {@code Mono} does after its last signal, as in
     * {@code doFinally}, may be beside the next work on the key. An empty one is {@link Result#done()}, one that fails is {@link Result#failed},
     * as is a function that throws. A key whose work is cancelled is in line again. Completes after {@link #shutDown} when all is done.
     *
     * @param concurrency so many keys at a time
     * @param work subscribed to on {@link WorkQueueOptions#workers()}; must not block there
     */
    Flux<Outcome<K>> process(int concurrency, Function<? super K, Mono<Result>> work);

    /** Takes no more keys. Those in line are still served, and those that were added while they were worked on; then {@link #process} completes. */
    void shutDown();

    /** As {@link #shutDown}, when subscribed to; completes when no key is in line or worked on. */
    Mono<Void> drain();

    /** At once: what is in line is dropped, and each {@link #process} completes when what it is working on is done. */
    @Override
    void close();
}
