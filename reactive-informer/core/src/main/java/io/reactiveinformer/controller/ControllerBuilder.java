package io.reactiveinformer.controller;

import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.queue.WorkQueueOptions;
import io.reactiveinformer.view.Delivery;
import io.reactiveinformer.view.View;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** What a {@link Controller} follows and how it works. Used once, by one thread. */
public final class ControllerBuilder<K> {

    /** Few enough for a server that limits its clients, enough that one slow key does not hold up the others. */
    static final int CONCURRENCY = 8;

    /** Longer than any handful of requests takes, those that are waited for and tried again included. */
    static final Duration TIMEOUT = Duration.ofMinutes(2);

    /** Far longer than a cache is behind that is going to catch up, a relist of a large cluster included. */
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

    /** Looks at the keys that {@code route} says, whenever a row of {@code view} is added, changes or is deleted. */
    public <L, T> ControllerBuilder<K> on(View<L, T> view, Route<? super L, ? super T, K> route) {
        return on(view, route, ChangeFilter.all());
    }

    /** As {@link #on(View, Route)}, but of updates only those that {@code filter} lets pass. */
    public <L, T> ControllerBuilder<K> on(View<L, T> view, Route<? super L, ? super T, K> route, ChangeFilter<? super T> filter) {
        String called = view instanceof Informer<?> informer ? informer.description() : "view " + (sources.size() + 1);
        sources.add(new Source<>(called, view, Objects.requireNonNull(route, "route"), Objects.requireNonNull(filter, "filter")));
        return this;
    }

    /** So many keys at a time; {@value #CONCURRENCY} unless set. */
    public ControllerBuilder<K> concurrency(int keys) {
        if (keys < 1) {
            throw new IllegalArgumentException("at least one key at a time must be worked on, was " + keys);
        }
        this.concurrency = keys;
        return this;
    }

    /** How long the work on a key may take before it is cancelled, and has failed; 2 minutes unless set. Work that holds up its thread has failed when it returns. */
    public ControllerBuilder<K> timeout(Duration timeout) {
        if (timeout.isNegative() || timeout.isZero()) {
            throw new IllegalArgumentException("the work on a key needs some time, was " + timeout);
        }
        this.timeout = timeout;
        return this;
    }

    /**
     * How long a key waits at most until what was written for it is seen, see {@link Request#wrote}; 5 minutes unless set. Then that is logged and told in
     * {@link ControllerStatus#unseen}, and the key goes on.
     */
    public ControllerBuilder<K> holdLimit(Duration limit) {
        if (limit.isNegative() || limit.isZero()) {
            throw new IllegalArgumentException("what is written needs some time to be seen, was " + limit);
        }
        this.holdLimit = limit;
        return this;
    }

    /** Limiter, fair shares, workers, timer and observer of the queue. The timer also measures {@link #timeout} and {@link #holdLimit}. */
    public ControllerBuilder<K> queue(UnaryOperator<WorkQueueOptions<K>> change) {
        this.queue = change.apply(queue);
        return this;
    }

    /** How changes of the views are delivered, such as with a resync. */
    public ControllerBuilder<K> delivery(Delivery delivery) {
        this.delivery = delivery;
        return this;
    }

    /**
     * Only keys that {@code responsibility} accepts are worked on, asked when something happens to a key and again when its turn comes; the others are
     * forgotten. For controllers that share their keys: whoever makes it accept more follows with {@link Controller#addAll}, and whoever makes it accept fewer
     * waits with {@link Controller#idle}. Any thread may ask it.
     */
    public ControllerBuilder<K> keys(Predicate<? super K> responsibility) {
        this.responsibility = responsibility;
        return this;
    }

    /** @throws IllegalStateException if there is no view */
    public Controller<K> reconcile(Reconciler<K> reconciler) {
        if (sources.isEmpty()) {
            throw new IllegalStateException("controller " + name + " has no view that would tell it what to do; name one with on(…)");
        }
        return new QueueingController<>(new Spec<>(
                name, List.copyOf(sources), delivery, queue, responsibility, concurrency, timeout, holdLimit, Objects.requireNonNull(reconciler, "reconciler")));
    }

    /** What was said. */
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
