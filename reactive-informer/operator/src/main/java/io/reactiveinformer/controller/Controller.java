package io.reactiveinformer.controller;

import io.reactiveinformer.queue.Result;
import io.reactiveinformer.resource.ObjectKey;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Predicate;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Reconciles keys when the rows of its views change.
 *
 * <pre>{@code
 * Controller<ObjectKey> controller = Controller.named("replicasets")
 *         .reconciles(ResourceType.of(V1ReplicaSet.class), replicaSets)
 *         .owns(pods)
 *         .reconcile(request -> replicas(request.key()).thenReturn(Result.done()));
 * controller.start();
 * informers.start();
 * }</pre>
 *
 * <p>Works on no key before every view is synced, and on each key once at a time. A key that fails is tried again later, and does not delay
 * the others. A key whose rows change while it is worked on is worked on once more. Initial rows and rows emitted again by a resync have
 * lower priority than changes. Any thread may call; nothing blocks. The caller owns the views, and starts and stops their informers.
 *
 * @param <K> the keys that are worked on, as a rule the {@link ObjectKey} of the object that holds the desired state
 */
public interface Controller<K> extends AutoCloseable {

    /**
     * Begins to build a controller whose keys are those of objects, the usual case.
     *
     * @param name identifies the controller in logs and results; not empty
     * @throws IllegalArgumentException if {@code name} is empty
     */
    static ControllerBuilder<ObjectKey> named(String name) {
        return new ControllerBuilder<>(name, ObjectKey.class);
    }

    /**
     * Begins to build a controller whose keys are of any immutable type with {@code equals} and {@code hashCode}.
     *
     * @param name identifies the controller in logs and results; not empty
     * @param keys the type of the keys
     * @throws IllegalArgumentException if {@code name} is empty
     */
    static <K> ControllerBuilder<K> named(String name, Class<K> keys) {
        return new ControllerBuilder<>(name, keys);
    }

    /** The name with which the controller was built. */
    String name();

    /**
     * Subscribes to the views and works until drained or closed. Returns at once. No effect after the first call. A failure that
     * {@link #run} would emit is logged.
     */
    void start();

    /**
     * Subscribes to the views and queues keys, but works on none before {@link #start} or {@link #run}. A process that becomes the leader
     * then begins at once, without a list. Returns at once; no effect if this was called before, or the controller is closed.
     */
    void warm();

    /**
     * As {@link #warm}, and works as long as the result has a subscriber. Cancelling the subscription cancels the running work; its keys
     * wait for the next subscriber.
     *
     * <pre>{@code
     * elector.whileLeading(term -> controller.run()).subscribe();
     * }</pre>
     *
     * <p>The {@code Mono} of each {@link Reconciler} sees the context of the subscriber. Completes when the controller is drained or
     * closed. Fails with {@link IllegalStateException} if the controller runs already, by another subscription or {@link #start}, and with
     * {@link ViewEndedException} if a view ends before all are synced.
     */
    Mono<Void> run();

    /** Completes when every view is synced; fails with {@link ViewEndedException} if a view ends before that. */
    Mono<Void> synced();

    /** Emits the current status, then each change; a slow subscriber misses outdated ones. Completes when the controller is closed. */
    Flux<ControllerStatus> status();

    /**
     * Emits the result of each request, from the time of subscription on. A slow subscriber delays no work and gets the latest results: a
     * gap in {@link Reconciled#number} is the number of missed ones. Completes when the controller is closed.
     */
    Flux<Reconciled<K>> results();

    /**
     * Queues {@code key}, whether or not a view has a row for it, if the controller is {@linkplain ControllerBuilder#keys responsible} for
     * it. Ignored once the controller is drained or closed.
     */
    void add(K key);

    /**
     * Routes every row of the views again, on the calling thread, and queues the keys that {@code which} accepts. To be called when the
     * controller has become responsible for more keys. They have the low priority of a resync. Keys that change meanwhile are queued as
     * usual.
     */
    void addAll(Predicate<? super K> which);

    /**
     * Completes at the first moment at which no key that {@code which} accepts is worked on; at once if none is. Does not wait for work
     * that begins after that moment. {@code which} is called when this is subscribed to and when work ends, on those threads.
     */
    Mono<Void> idle(Predicate<? super K> which);

    /**
     * The keys that wait until a cache has caught up with what was written for them, see {@link ReconcileRequest#wrote}. Those that have
     * waited longest come first.
     */
    List<HeldKey<K>> held();

    /** The number of keys that are ready to be worked on. */
    int size();

    /**
     * On subscription, stops taking keys and waits for the running work. Completes when that has ended, or when {@code grace} is over: then
     * the work that is still running is logged and cancelled. The controller is then closed and cannot be started again.
     */
    Mono<Void> drain(Duration grace);

    /** Cancels the running work. The controller cannot be started again. No effect if closed already. */
    @Override
    void close();

    /**
     * The result of one request.
     *
     * @param number counts the results of a controller, from 1, without a gap
     * @param request the request that was worked on
     * @param result after a failure, {@link Result#failed} with the cause; after a timeout, with a {@link ReconcileTimeoutException}
     * @param took how long the work took, by the timer of the queue
     */
    record Reconciled<K>(long number, ReconcileRequest<K> request, Result result, Duration took) {}

    /**
     * A key that is not worked on until a cache has caught up with what was written for it.
     *
     * @param key the key that waits
     * @param until what the key waits for: {@code pods.v1 prod/web-1 in resourceVersion 4711}
     * @param since when the work on it ended, by the timer of the queue
     */
    record HeldKey<K>(K key, List<String> until, Instant since) {
        /** Keeps an immutable copy of {@code until}. */
        public HeldKey {
            until = List.copyOf(until);
        }
    }
}
