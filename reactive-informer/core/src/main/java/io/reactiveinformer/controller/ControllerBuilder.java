package io.reactiveinformer.controller;

import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.internal.SparedTimer;
import io.reactiveinformer.queue.WorkQueueOptions;
import io.reactiveinformer.view.Delivery;
import io.reactiveinformer.view.View;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** Configures the views of a {@link Controller} and how it works. Used once, by one thread. */
public final class ControllerBuilder<K> {

    /** Few enough for a server that limits its clients, enough that one slow key does not delay the others. */
    static final int CONCURRENCY = 8;

    /** Longer than a handful of requests takes, waits and retries included. */
    static final Duration TIMEOUT = Duration.ofMinutes(2);

    /** Far longer than the lag of a cache that will catch up, a relist of a large cluster included. */
    static final Duration HOLD_LIMIT = Duration.ofMinutes(5);

    private final String name;
    private final List<Source<?, ?, K>> sources = new ArrayList<>();
    private int concurrency = CONCURRENCY;
    private Duration timeout = TIMEOUT;
    private Duration holdLimit = HOLD_LIMIT;
    private WorkQueueOptions<K> queue = WorkQueueOptions.defaults();
    private Delivery delivery = Delivery.conflated();
    private Predicate<? super K> responsibility = key -> true;

    ControllerBuilder(String name) {
        if (name.isEmpty()) {
            throw new IllegalArgumentException("a controller needs a name, by which logs and results tell it");
        }
        this.name = name;
    }

    /**
     * Queues the keys that {@code route} returns whenever a row of {@code view} is added, updated or deleted. May be called for several
     * views; in the status they appear in this order.
     */
    public <L, T> ControllerBuilder<K> on(View<L, T> view, Route<? super L, ? super T, K> route) {
        return on(view, route, ChangeFilter.all());
    }

    /** As {@link #on(View, Route)}, but only updates that pass {@code filter} count. Rows added and deleted always do. */
    public <L, T> ControllerBuilder<K> on(View<L, T> view, Route<? super L, ? super T, K> route, ChangeFilter<? super T> filter) {
        String called = view instanceof Informer<?> informer ? informer.description() : "view " + (sources.size() + 1);
        sources.add(new Source<>(called, view, Objects.requireNonNull(route, "route"), Objects.requireNonNull(filter, "filter")));
        return this;
    }

    /**
     * The number of keys worked on at a time; {@value #CONCURRENCY} unless set.
     *
     * @throws IllegalArgumentException if less than 1
     */
    public ControllerBuilder<K> concurrency(int keys) {
        if (keys < 1) {
            throw new IllegalArgumentException("at least one key at a time must be worked on, was " + keys);
        }
        this.concurrency = keys;
        return this;
    }

    /**
     * How long the work on a key may take before it is cancelled and fails with {@link ReconcileTimeoutException}; 2 minutes unless set.
     * Work that blocks its thread fails when it returns.
     *
     * @throws IllegalArgumentException if zero or negative
     */
    public ControllerBuilder<K> timeout(Duration timeout) {
        if (timeout.isNegative() || timeout.isZero()) {
            throw new IllegalArgumentException("the work on a key needs some time, was " + timeout);
        }
        this.timeout = timeout;
        return this;
    }

    /**
     * How long a key waits at most until a cache has seen what was written for it, see {@link Request#wrote}; 5 minutes unless set. After
     * that the wait is logged and reported in {@link ControllerStatus#unseen}, and the key may be worked on.
     *
     * @throws IllegalArgumentException if zero or negative
     */
    public ControllerBuilder<K> holdLimit(Duration limit) {
        if (limit.isNegative() || limit.isZero()) {
            throw new IllegalArgumentException("what is written needs some time to be seen, was " + limit);
        }
        this.holdLimit = limit;
        return this;
    }

    /**
     * Changes the options of the queue: limiter, fair shares, workers, timer and observer. {@code change} is called at once, with the
     * current options. The timer also measures {@link #timeout} and {@link #holdLimit}.
     */
    public ControllerBuilder<K> queue(UnaryOperator<WorkQueueOptions<K>> change) {
        this.queue = change.apply(queue);
        return this;
    }

    /** How changes of the views are delivered, such as with a resync; {@link Delivery#conflated()} unless set. */
    public ControllerBuilder<K> delivery(Delivery delivery) {
        this.delivery = delivery;
        return this;
    }

    /**
     * Works only on keys that {@code responsibility} accepts, tested when a key is queued and again when its turn comes; others are
     * dropped. For controllers that share their keys: after making it accept more keys, call {@link Controller#addAll}; after making it
     * accept fewer, wait for {@link Controller#idle}. Called on any thread.
     */
    public ControllerBuilder<K> keys(Predicate<? super K> responsibility) {
        this.responsibility = responsibility;
        return this;
    }

    /**
     * Builds the controller, not yet started.
     *
     * @throws IllegalStateException if there is no view
     */
    public Controller<K> reconcile(Reconciler<K> reconciler) {
        if (sources.isEmpty()) {
            throw new IllegalStateException("controller " + name + " has no view that would tell it what to do; name one with on(…)");
        }
        return new QueueingController<>(new Spec<>(
                name,
                List.copyOf(sources),
                delivery,
                queue.withTimer(SparedTimer.of(queue.timer())),
                responsibility,
                concurrency,
                timeout,
                holdLimit,
                Objects.requireNonNull(reconciler, "reconciler")));
    }

    /** The settings of a builder. */
    record Spec<K>(
            String name,
            List<Source<?, ?, K>> sources,
            Delivery delivery,
            WorkQueueOptions<K> queue,
            Predicate<? super K> responsibility,
            int concurrency,
            Duration timeout,
            Duration holdLimit,
            Reconciler<K> reconciler) {}
}
