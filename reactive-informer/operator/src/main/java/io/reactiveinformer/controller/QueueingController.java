package io.reactiveinformer.controller;

import io.reactiveinformer.controller.Controller.HeldKey;
import io.reactiveinformer.controller.Controller.Reconciled;
import io.reactiveinformer.controller.ReconcileRequest.Cause;
import io.reactiveinformer.internal.informer.Instrumented;
import io.reactiveinformer.internal.informer.LatestValues;
import io.reactiveinformer.internal.informer.SharedThreads;
import io.reactiveinformer.internal.operator.HasTerms;
import io.reactiveinformer.queue.WorkQueue;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** Connects the views, the queue and the reconciler. The state, and with it the status, is computed from the flags here. */
final class QueueingController<K> implements Controller<K>, HasTerms, Instrumented {

    private static final Logger LOG = LoggerFactory.getLogger(Controller.class);
    private static final int STATUSES_REMEMBERED = 64;

    private final ControllerBuilder.Spec<K> spec;
    private final WorkQueue<K> queue;
    private final WriteBarriers<K> holds;
    private final ReconcileLoop<K> runs;
    private final ViewSubscriptions<K> following;
    private final Sinks.Empty<Void> drained = Sinks.empty();
    private final Sinks.Empty<Void> over = Sinks.empty();
    private final LatestValues<ControllerStatus> statuses = LatestValues.ofStates(STATUSES_REMEMBERED);
    private final AtomicBoolean started = new AtomicBoolean();

    // Guarded by this.
    private @Nullable ControllerStatus status;
    private boolean synced;
    private boolean working;
    private boolean draining;
    private boolean closed;

    private volatile boolean warm; // written under this
    private volatile Sinks.Empty<Void> endOfWork = Sinks.empty(); // written under this

    QueueingController(ControllerBuilder.Spec<K> spec) {
        this.spec = spec;
        endOfWork.tryEmitEmpty();
        queue = WorkQueue.create(spec.queue());
        holds = new WriteBarriers<>(queue, spec.holdLimit(), spec.queue().timer(), over.asMono(), () -> refresh(() -> {}));
        runs = new ReconcileLoop<>(spec, queue, holds);
        following = new ViewSubscriptions<>(spec, runs::wake, () -> refresh(() -> {}));
        refresh(() -> {});
    }

    @Override
    public String name() {
        return spec.name();
    }

    @Override
    @SuppressWarnings("unchecked") // the part is the reconciler of this
    public <P> void wrap(Class<P> part, UnaryOperator<P> around) {
        if (part == Reconciler.class) {
            runs.wrap((UnaryOperator<Reconciler<K>>) around);
        } else if (!warm) {
            Instrumented.wrap(queue, part, around);
        }
    }

    @Override
    public void warm() {
        boolean begins;
        synchronized (this) {
            begins = !warm && !closed;
            warm = true;
        }
        if (begins) {
            refresh(() -> {});
            following.synced().subscribe(null, failure -> {}, () -> refresh(() -> synced = true)); // synced() emits the failure
            following.begin();
        }
    }

    @Override
    public void start() {
        if (!started.getAndSet(true)) {
            run().subscribe(null, failure -> LOG.error("controller {} failed", name(), failure));
        }
    }

    @Override
    public Mono<Void> run() {
        return Mono.using(this::beginWork, work -> following.synced()
                .takeUntilOther(drained.asMono()) // drained before all views were synced: there is no work to wait for
                .then(runs.work())
                .takeUntilOther(over.asMono()), this::endWork);
    }

    @Override
    public String toString() {
        synchronized (this) {
            return "Controller[" + name() + ", " + state() + "]";
        }
    }

    ReconcileLoop<K> runs() {
        return runs;
    }

    private Sinks.Empty<Void> beginWork() {
        Sinks.Empty<Void> end = Sinks.empty();
        synchronized (this) {
            if (working) {
                throw new IllegalStateException("controller " + name() + " runs already; it can have one run() or start() at a time");
            }
            working = true;
            endOfWork = end;
        }
        refresh(() -> {});
        warm();
        return end;
    }

    private void endWork(Sinks.Empty<Void> end) {
        refresh(() -> working = false); // another run may begin now, with an endOfWork of its own
        end.tryEmitEmpty();
    }

    @Override
    public Mono<Void> synced() {
        return following.synced();
    }

    /** Applies {@code change} and publishes the status if it is a new one. */
    private void refresh(Runnable change) {
        synchronized (statuses) { // published in the order of the changes
            ControllerStatus next;
            synchronized (this) {
                change.run();
                ControllerStatus.State state = state();
                Instant since = status != null && status.state() == state ? status.since() : now();
                next = new ControllerStatus(name(), state, since, following.views(), holds.unseen());
                if (next.equals(status)) {
                    return;
                }
                status = next;
            }
            statuses.publish(next);
            if (next.state() == ControllerStatus.State.STOPPED) {
                statuses.complete();
            }
        }
    }

    private ControllerStatus.State state() {
        if (closed) {
            return ControllerStatus.State.STOPPED;
        } else if (draining) {
            return ControllerStatus.State.DRAINING;
        } else if (!warm) {
            return ControllerStatus.State.IDLE;
        } else if (!synced) {
            return ControllerStatus.State.SYNCING;
        }
        return working ? ControllerStatus.State.WORKING : ControllerStatus.State.STANDBY;
    }

    private Instant now() {
        return Instant.ofEpochMilli(spec.queue().timer().now(TimeUnit.MILLISECONDS));
    }

    @Override
    public Flux<ControllerStatus> status() {
        return statuses.flux(SharedThreads.ofStatuses());
    }

    @Override
    public Flux<Reconciled<K>> results() {
        return runs.results();
    }

    @Override
    public void add(K key) {
        runs.wake(key, 0, new Cause(Cause.Kind.REQUESTED, name(), String.valueOf(key)));
    }

    @Override
    public void beginTerm() {
        runs.beginTerm();
    }

    @Override
    public void addAll(Predicate<? super K> which) {
        beginTerm();
        following.tellAll((key, priority, cause) -> {
            if (which.test(key)) {
                runs.wake(key, priority, cause);
            }
        });
    }

    @Override
    public Mono<Void> idle(Predicate<? super K> which) {
        return runs.idle(which);
    }

    @Override
    public List<HeldKey<K>> held() {
        return holds.all();
    }

    @Override
    public int size() {
        return queue.size();
    }

    @Override
    public Mono<Void> drain(Duration grace) {
        return Mono.defer(() -> {
            refresh(() -> draining = true);
            runs.drain();
            queue.close();
            drained.tryEmitEmpty();
            return endOfWork.asMono()
                    .timeout(grace, Mono.fromRunnable(this::warnOfCancelledWork), spec.queue().timer())
                    .then(Mono.fromRunnable(this::close));
        });
    }

    private void warnOfCancelledWork() {
        if (runs.works()) {
            LOG.warn("{}: the grace period of the drain is over, and the running work is cancelled: {}", name(), runs);
        }
    }

    @Override
    public void close() {
        refresh(() -> closed = true);
        runs.drain();
        following.end();
        queue.close();
        over.tryEmitEmpty();
        runs.complete();
    }
}
