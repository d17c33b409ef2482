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

/**
 * Configures the views of a {@link Controller} and how it works. For one thread, and to build one controller.
 *
 * @param <K> the keys that the controller works on
 */
public final class ControllerBuilder<K> {

    /** Few enough for a server that limits its clients, enough that one slow key does not delay the others. */
    static final int CONCURRENCY = 8;

    /** Longer than a few requests take, with their waits and retries. */
    static final Duration TIMEOUT = Duration.ofMinutes(2);

    /** Far longer than a cache lags that will catch up, even if it lists a large cluster again. */
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
            throw new IllegalArgumentException("the name of a controller is empty; it identifies the controller in logs and results");
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
     * As {@link #reconciles(ResourceType, View)}, but an update queues the key only if it passes {@code filter}, such as
     * {@link UpdateFilter#generation}. Additions and deletions always queue it.
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
            throw new IllegalStateException("controller " + name + ": owns(view) needs the type of the owner; call"
                    + " reconciles(type, view) before it, or use watches(view, route)");
        }
        if (!objects) {
            throw new IllegalStateException("controller " + name + ": owns(view) needs keys of type ObjectKey, as owner"
                    + " references name objects; use watches(view, route)");
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

    /** As {@link #watches(View, Route)}, but an update queues keys only if it passes {@code filter}. Additions and deletions always do. */
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
            throw new IllegalArgumentException("concurrency must be at least 1, was " + keys);
        }
        this.concurrency = keys;
        return this;
    }

    /**
     * How long the work on a key may take before it is cancelled and fails with {@link ReconcileTimeoutException}; 2 minutes unless set.
     * Work that blocks its thread fails only when it returns.
     *
     * @throws IllegalArgumentException if zero or negative
     */
    public ControllerBuilder<K> timeout(Duration timeout) {
        if (timeout.isNegative() || timeout.isZero()) {
            throw new IllegalArgumentException("timeout must be longer than zero, was " + timeout);
        }
        this.timeout = timeout;
        return this;
    }

    /**
     * The longest time for which a key waits until a cache has caught up with what was written for it, see {@link ReconcileRequest#wrote};
     * 5 minutes unless set. After that the wait is logged and reported in {@link ControllerStatus#unseen}, and the key may be worked on.
     *
     * @throws IllegalArgumentException if zero or negative
     */
    public ControllerBuilder<K> holdLimit(Duration limit) {
        if (limit.isNegative() || limit.isZero()) {
            throw new IllegalArgumentException("holdLimit must be longer than zero, was " + limit);
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

    /**
     * How changes of the views are delivered, such as with a resync; {@link Delivery#conflated()} unless set. A row that is added and
     * deleted at once wakes its keys in any case, see {@link Delivery#brief}: work on a key may have seen the row in a cache. The
     * subscriptions are always named after the controller.
     */
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
     * Builds the controller. It is not started.
     *
     * @param reconciler called for each key, see {@link Reconciler#reconcile}; for several keys at the same time
     * @throws IllegalStateException if there is no view
     */
    public Controller<K> reconcile(Reconciler<K> reconciler) {
        if (sources.isEmpty()) {
            throw new IllegalStateException("controller " + name + " has no view: add one with reconciles(…) or watches(…)");
        }
        return new QueueingController<>(new Spec<>(
                name,
                List.copyOf(sources),
                delivery.brief().named(name),
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
