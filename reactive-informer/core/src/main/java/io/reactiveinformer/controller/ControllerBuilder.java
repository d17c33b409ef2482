package io.reactiveinformer.controller;

import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.internal.SparedTimer;
import io.reactiveinformer.queue.WorkQueueOptions;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.view.Delivery;
import io.reactiveinformer.view.View;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Configures the views of a {@link Controller} and how it works. Used once, by one thread. */
public final class ControllerBuilder<K> {

    /** Few enough for a server that limits its clients, enough that one slow key does not delay the others. */
    static final int CONCURRENCY = 8;

    /** Longer than a handful of requests takes, waits and retries included. */
    static final Duration TIMEOUT = Duration.ofMinutes(2);

    /** Far longer than the lag of a cache that will catch up, a relist of a large cluster included. */
    static final Duration HOLD_LIMIT = Duration.ofMinutes(5);

    private final String name;
    private final boolean objects;
    private final List<WatchedView<?, ?, K>> sources = new ArrayList<>();
    private int concurrency = CONCURRENCY;
    private Duration timeout = TIMEOUT;
    private Duration holdLimit = HOLD_LIMIT;
    private WorkQueueOptions<K> queue = WorkQueueOptions.defaults();
    private Delivery delivery = Delivery.conflated();
    private Predicate<? super K> responsibility = key -> true;
    private @Nullable ResourceType<?> reconciled;

    ControllerBuilder(String name, Class<K> keys) {
        if (name.isEmpty()) {
            throw new IllegalArgumentException("a controller needs a name, by which logs and results tell it");
        }
        this.name = name;
        this.objects = keys == ObjectKey.class;
    }

    /**
     * Queues the key of each row of {@code view} that is added, updated or deleted: the objects that hold the desired state. Each is
     * reconciled once at the start.
     *
     * @param type the type of these objects, which {@link #owns} looks for in owner references
     * @throws IllegalStateException if called twice
     */
    public <T> ControllerBuilder<K> reconciles(ResourceType<?> type, View<K, T> view) {
        return reconciles(type, view, UpdateFilter.all());
    }

    /**
     * As {@link #reconciles(ResourceType, View)}, but only updates that pass {@code filter} count, such as those of
     * {@link UpdateFilter#generation}. Rows added and deleted always do.
     *
     * @throws IllegalStateException if called twice
     */
    public <T> ControllerBuilder<K> reconciles(ResourceType<?> type, View<K, T> view, UpdateFilter<? super T> filter) {
        if (reconciled != null) {
            throw new IllegalStateException("controller " + name + " reconciles " + reconciled
                    + "; add other views with watches(…), or make another"
                    + " controller for " + type);
        }
        reconciled = Objects.requireNonNull(type, "type");
        return watches(view, Route.self(), filter);
    }

    /**
     * Queues the key of the object that controls a row of {@code view} whenever the row is added, updated or deleted: as
     * {@link #watches(View, Route)} with {@link Route#toController}.
     *
     * @throws IllegalStateException if {@link #reconciles} was not called before, or keys are not {@link ObjectKey}s
     * @throws IllegalArgumentException if the reconciled type has no {@link ResourceType#kind}
     */
    @SuppressWarnings("unchecked") // K is ObjectKey
    public <T> ControllerBuilder<K> owns(View<K, T> view) {
        if (reconciled == null) {
            throw new IllegalStateException("controller " + name + " cannot know whose objects it owns: say reconciles(type, view) before"
                    + " owns(…), or watches(view, route)");
        }
        if (!objects) {
            throw new IllegalStateException("controller " + name + " works on keys that are no ObjectKey, which owner references name:"
                    + " say watches(view, route)");
        }
        return watches(view, (Route<K, T, K>) Route.<T>toController(reconciled));
    }

    /**
     * Queues the keys that {@code route} returns whenever a row of {@code view} is added, updated or deleted. May be called for several
     * views; in the status they appear in this order.
     */
    public <L, T> ControllerBuilder<K> watches(View<L, T> view, Route<? super L, ? super T, K> route) {
        return watches(view, route, UpdateFilter.all());
    }

    /** As {@link #watches(View, Route)}, but only updates that pass {@code filter} count. Rows added and deleted always do. */
    public <L, T> ControllerBuilder<K> watches(
            View<L, T> view, Route<? super L, ? super T, K> route, UpdateFilter<? super T> filter) {
        String called = view instanceof Informer<?> informer ? informer.description() : "view " + (sources.size() + 1);
        sources.add(new WatchedView<>(called, view, Objects.requireNonNull(route, "route"), Objects.requireNonNull(filter, "filter")));
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
     * How long a key waits at most until a cache has seen what was written for it, see {@link ReconcileRequest#wrote}; 5 minutes unless
     * set. After that the wait is logged and reported in {@link ControllerStatus#unseen}, and the key may be worked on.
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
            throw new IllegalStateException("controller " + name + " has no view: name one with reconciles(…) or watches(…)");
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
            List<WatchedView<?, ?, K>> sources,
            Delivery delivery,
            WorkQueueOptions<K> queue,
            Predicate<? super K> responsibility,
            int concurrency,
            Duration timeout,
            Duration holdLimit,
            Reconciler<K> reconciler) {}
}
