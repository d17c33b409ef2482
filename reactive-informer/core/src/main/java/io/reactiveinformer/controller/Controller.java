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
 * Reconciles keys as the rows of its views change.
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
 * <p>No key is worked on before every view is synced, and no key twice at a time. A key that fails is tried again later, and delays no
 * other key. A key whose rows change while it is worked on is worked on once more. Initial rows and rows emitted again by a resync have
 * lower priority than changes. Any thread may call; nothing blocks. The caller owns the views, and starts and stops their informers.
 *
 * @param <K> the keys that are worked on, as a rule the {@link ObjectKey} of the object that holds the desired state
 */
public interface Controller<K> extends AutoCloseable {

    /**
     * Begins a controller whose keys are objects, the usual case.
     *
     * @param name identifies the controller in logs and results; not empty
     * @throws IllegalArgumentException if {@code name} is empty
     */
    static ControllerBuilder<ObjectKey> named(String name) {
        return new ControllerBuilder<>(name, ObjectKey.class);
    }

    /**
     * Begins a controller whose keys are of any type with {@code equals} and {@code hashCode}.
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
     * Subscribes to the views and works until drained or closed. Returns at once; starting again does nothing. A failure to work is logged.
     */
    void start();

    /**
     * Subscribes to the views and queues keys, but works on none before {@link #start} or {@link #run}: a process that becomes the leader
     * then begins at once, without a list. Returns at once; no effect if warm or closed already.
     */
    void warm();

    /**
     * As {@link #warm}, and works as long as it is subscribed to. Cancelling the subscription cancels the running work; its keys wait for
     * the next subscriber.
     *
     * <pre>{@code
     * elector.whileLeading(term -> controller.run()).subscribe();
     * }</pre>
     *
     * <p>Each {@link Reconciler}'s {@code Mono} sees the context of the subscriber. Completes when the controller is drained or closed;
     * fails with {@link IllegalStateException} if another subscription, or {@link #start}, is at work, and with {@link ViewEndedException}
     * if a view ends before all are synced.
     */
    Mono<Void> run();

    /** Completes when every view is synced; fails with {@link ViewEndedException} if a view ends before that. */
    Mono<Void> synced();

    /** Emits the current status, then each change; a slow subscriber misses outdated ones. Completes after the end. */
    Flux<ControllerStatus> status();

    /**
     * Emits the result of each request, from the time of subscription on. A slow subscriber delays no work and gets the latest results: a
     * gap in {@link Reconciled#number} is the number of missed ones. Completes after the end.
     */
    Flux<Reconciled<K>> results();

    /**
     * Queues {@code key}, whether or not a view has a row for it, if the controller is {@linkplain ControllerBuilder#keys responsible} for
     * it. Ignored after the end.
     */
    void add(K key);

    /**
     * Routes every row of the views again, on the calling thread, and queues the keys that {@code which} accepts: for keys for which the
     * controller has become responsible. Has the low priority of a resync. Keys that change meanwhile are queued as usual.
     */
    void addAll(Predicate<? super K> which);

    /**
     * Completes at the first moment at which no key that {@code which} accepts is worked on; at once if none is. Does not wait for work
     * that begins after that moment. {@code which} is called when this is subscribed to and when work ends, on those threads.
     */
    Mono<Void> idle(Predicate<? super K> which);

    /**
     * The keys that wait until a cache has seen what was written for them, see {@link ReconcileRequest#wrote}; the longest waiting first.
     */
    List<HeldKey<K>> held();

    /** The number of keys that are ready to be worked on. */
    int size();

    /**
     * On subscription, stops taking keys and waits for the running work. Completes when that has ended, after {@code grace} at the latest;
     * work that still runs then is cancelled. The controller is then closed and cannot be started again.
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
     * A key that is not worked on until a cache has seen what was written for it.
     *
     * @param until what the key waits for: {@code pods.v1 prod/web-1 in resourceVersion 4711}
     * @param since when the work on it ended, by the timer of the queue
     */
    record HeldKey<K>(K key, List<String> until, Instant since) {
        public HeldKey {
            until = List.copyOf(until);
        }
    }
}
