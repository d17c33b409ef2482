package io.reactiveinformer.view;

import io.reactiveinformer.resource.InformerStatus.Stale;
import io.reactiveinformer.store.Commit;
import io.reactiveinformer.store.Snapshot;
import io.reactiveinformer.store.Table;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.scheduler.Scheduler;

/** A derived view while somebody uses it: its rows, its subscribers, and a worker that keeps the rows current. */
final class Connection<K, R> implements Runnable, Disposable {

    private final Table<K, R> table = Table.create();
    private final ChangeHub<K, R> hub;
    private final Derivation<K, R> derivation;
    private final Scheduler scheduler;
    private final Scheduler.Worker worker;
    private final long period;
    private final AtomicInteger wip = new AtomicInteger();
    private final AtomicBoolean queued = new AtomicBoolean(); // whoever clears it runs: the end queues a second run before one that waits for its period
    private final Disposable.Swap sources = Disposables.swap();
    private final DerivedStatus status;
    private Map<Object, Stale> failing = Map.of();
    int uses; // guarded by its view
    private boolean over;
    private volatile @Nullable Throwable broken;
    private long due; // by the scheduler's clock, in nanoseconds; seen by who wakes this next

    /**
     * @param derivation given what to call when something has changed
     * @param period in which the rows are brought up to date once at most; zero: whenever something has changed
     * @param status told which rows the derivation's function fails on, when these are others
     */
    Connection(Function<Runnable, Derivation<K, R>> derivation, Scheduler scheduler, Duration period, DerivedStatus status) {
        this.status = status;
        this.period = period.toNanos();
        this.scheduler = scheduler;
        this.derivation = derivation.apply(this::wake);
        this.worker = scheduler.createWorker();
        this.hub = ChangeHub.of(table.snapshot(), ChangeHub.FEW, () -> scheduler);
    }

    void open() {
        status.isToldBy(null, this);
        try {
            sources.update(derivation.attach());
        } catch (Throwable failure) {
            over = true;
            broken = failure;
            hub.fail(failure);
        }
    }

    /** Whether nothing more is told, as a source has failed, or something was thrown where the rows are made. */
    boolean hasFailed() {
        return broken != null;
    }

    ChangeHub<K, R> hub() {
        return hub;
    }

    Snapshot<K, R> snapshot() {
        return table.snapshot();
    }

    private void wake() {
        if (wip.getAndIncrement() == 0) {
            queued.set(true); // before the look at the end, which may come only then
            schedule(isAtEnd() ? 0 : early());
        } else if (isAtEnd()) {
            schedule(0);
        }
    }

    /** Nothing follows that could be told together with what waits. */
    private boolean isAtEnd() {
        return period != 0 && (derivation.inlets().stream().allMatch(Inlet::ended) || failure(derivation.inlets()) != null);
    }

    private long early() {
        return period == 0 ? 0 : Math.min(due - now(), period); // a clock that was set back makes nobody wait longer
    }

    private void schedule(long early) {
        try {
            if (early > 0) {
                worker.schedule(this, early, TimeUnit.NANOSECONDS);
            } else {
                worker.schedule(this);
            }
        } catch (RejectedExecutionException shutDown) {
            if (!worker.isDisposed()) { // else nobody uses this any more
                hub.fail(shutDown);
            }
        } catch (Throwable failed) {
            wip.set(0); // there is no task that would give the count back; the next one who wakes this tries again
            throw failed;
        }
    }

    private long now() {
        return scheduler.now(TimeUnit.NANOSECONDS);
    }

    @Override
    public void run() {
        if (!queued.compareAndSet(true, false)) {
            return;
        }
        int missed;
        do {
            int seen = wip.get();
            long began = period == 0 ? 0 : now();
            try {
                if (work()) {
                    due = began + period;
                }
            } finally {
                missed = wip.addAndGet(-seen);
            }
        } while (missed != 0 && period == 0);
        if (missed != 0) {
            queued.set(true);
            schedule(isAtEnd() ? 0 : early());
        }
    }

    /**
     * User functions run in here, on their own; one that throws concerns a row, and what gets as far as this the whole view.
     *
     * @return whether subscribers were told something, and can wait for more
     */
    private boolean work() {
        boolean told = false;
        try {
            boolean ended = derivation.inlets().stream().allMatch(Inlet::ended); // before what came last is worked on
            Throwable failure = failure(derivation.inlets());
            if (over) {
                Throwable before = broken;
                if (before != null) {
                    hub.fail(before); // else nobody might have been told
                } else if (failure != null) {
                    hub.cut(failure);
                }
                return false;
            }
            if (failure != null) {
                over = true;
                broken = failure;
                hub.fail(failure);
                sources.dispose(); // the others would feed it for nothing, and wait for it at their end
                return false;
            }
            boolean complete = table.snapshot().complete();
            Commit<K, R> commit = derivation.derive(table);
            if (commit != null) {
                told = !commit.differences().isEmpty() || commit.snapshot().complete() != complete;
                hub.publish(commit.batch(derivation.inlets().stream().anyMatch(Inlet::tookBatch)));
                tellFailures();
            }
            if (ended) {
                over = true;
                hub.complete();
                hub.drained().subscribe(done -> {}, never -> {}, sources::dispose); // nobody is waited for here any more
            } else {
                derivation.inlets().forEach(Inlet::leaveIfDone); // another one goes on, and so does this
            }
        } catch (Throwable failure) {
            over = true;
            broken = failure;
            hub.fail(failure);
            sources.dispose();
        }
        return told;
    }

    private void tellFailures() {
        Map<Object, Stale> now = derivation.functions().failures();
        if (now != failing) {
            failing = now;
            status.tell(this, now);
        }
    }

    private static @Nullable Throwable failure(List<Inlet<?, ?>> inlets) {
        return inlets.stream().map(Inlet::failure).filter(Objects::nonNull).findFirst().orElse(null);
    }

    @Override
    public void dispose() {
        sources.dispose();
        worker.dispose();
        status.isToldBy(this, null);
    }
}
