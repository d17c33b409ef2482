package io.reactiveinformer.view;

import io.reactiveinformer.client.Known.Stale;
import io.reactiveinformer.store.Commit;
import io.reactiveinformer.store.Snapshot;
import io.reactiveinformer.store.Table;
import java.time.Duration;
import java.time.Instant;
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

/** A derived view while it is in use: its rows, its subscribers, and a worker that keeps the rows current. */
final class DerivedRows<K, R> implements Runnable, Disposable {

    private final Table<K, R> table = Table.create();
    private final ChangeHub<K, R> hub;
    private final Derived<K, R> derived;
    private final Scheduler scheduler;
    private final Scheduler.Worker worker;
    private final long period;
    private final AtomicInteger wip = new AtomicInteger();
    /**
     * Set while a run is queued. The run that clears it works, others return: the end of the sources queues a second run, which precedes
     * one that waits for its period.
     */
    private final AtomicBoolean queued = new AtomicBoolean();
    private final AtomicBoolean opened = new AtomicBoolean();
    private final Disposable.Swap sources = Disposables.swap();
    private final DerivedStatus status;
    private Map<Object, Stale> failing = Map.of();
    private @Nullable String awaited;
    int uses; // guarded by its view
    private boolean over;
    private volatile @Nullable Throwable broken;
    private long due; // nanoseconds of the scheduler's clock; published to the next wake-up by wip

    /**
     * @param derived creates what computes the rows, which calls its argument when something has changed
     * @param period the rows are updated at most once in each period; zero to update them whenever something has changed
     * @param status is notified of the rows for which the derivation's function throws
     */
    DerivedRows(Function<Runnable, Derived<K, R>> derived, Scheduler scheduler, Duration period, DerivedStatus status) {
        this.status = status;
        this.period = period.toNanos();
        this.scheduler = scheduler;
        this.derived = derived.apply(this::wake);
        this.worker = scheduler.createWorker();
        if (this.period == 0) {
            this.derived.inlets().forEach(Inlet::keepBriefRows);
        }
        this.hub = ChangeHub.of(table.snapshot(), ChangeHub.FEW, () -> scheduler);
    }

    /** Subscribes to the sources. Only the first call has an effect; later callers do not wait for it. */
    void openOnce() {
        if (opened.getAndSet(true)) {
            return;
        }
        try {
            status.isToldBy(null, this);
            sources.update(derived.attach());
        } catch (Throwable failure) { // of a source, or a lack of memory or threads
            failAndLeave(failure);
        }
    }

    /** Leaves the sources too: they would notify this for nothing, and wait for it at their end. */
    private void failAndLeave(Throwable failure) {
        fail(failure);
        sources.dispose();
    }

    private void fail(Throwable failure) {
        over = true;
        broken = failure;
        hub.fail(failure);
        status.broke(this, failure, Instant.ofEpochMilli(scheduler.now(TimeUnit.MILLISECONDS)));
    }

    /** Whether no more changes are emitted, because a source has failed, or something other than a user function threw. */
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
            queued.set(true); // before isAtEnd(): the end may come in between
            schedule(isAtEnd() ? 0 : early());
        } else if (isAtEnd()) {
            schedule(0);
        }
    }

    /** Whether no change follows that could be conflated with the pending ones, so that these need not wait for the period. */
    private boolean isAtEnd() {
        return period != 0 && (derived.ended() || failure(derived.inlets()) != null);
    }

    private long early() {
        return period == 0 ? 0 : Math.min(due - now(), period); // at most the period, even if the clock was set back
    }

    private void schedule(long early) {
        try {
            if (early > 0) {
                worker.schedule(this, early, TimeUnit.NANOSECONDS);
            } else {
                worker.schedule(this);
            }
        } catch (RejectedExecutionException shutDown) {
            if (!worker.isDisposed()) { // otherwise this is no longer in use
                fail(shutDown);
            }
        } catch (Throwable failed) { // no task will reset the count; the next wake-up tries again
            wip.set(0);
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
     * Updates the rows. User functions are guarded: one that throws affects one row. A failure that reaches this method fails the whole
     * view.
     *
     * @return whether changes were published, so that the next update waits for the period
     */
    private boolean work() {
        boolean emits = false;
        try {
            boolean ended = derived.ended(); // read before the last changes are taken
            Throwable failure = failure(derived.inlets());
            if (over) {
                Throwable before = broken;
                if (before != null) {
                    hub.fail(before); // the first call may have been interrupted
                } else if (failure != null) {
                    hub.cut(failure);
                }
                return false;
            }
            if (failure != null) {
                failAndLeave(failure);
                return false;
            }
            boolean complete = table.snapshot().complete();
            Commit<K, R> commit = derived.derivation().derive(table);
            if (commit != null) {
                emits = !commit.differences().isEmpty() || commit.snapshot().complete() != complete;
                hub.publish(commit.batch(derived.inlets().stream().anyMatch(Inlet::tookBatch)));
            }
            tellStatus();
            if (derived.inlets().stream().anyMatch(Inlet::hasMore)) {
                wip.incrementAndGet(); // works again at once
            } else if (ended) {
                over = true;
                hub.complete();
                hub.drained().subscribe(done -> {}, never -> {}, sources::dispose); // no subscriber reads the sources' rows any more
            } else {
                leaveIfDone();
            }
        } catch (Throwable failure) { // of keys, of a key function, or a lack of memory
            failAndLeave(failure);
        }
        return emits;
    }

    /** Leaves a source that has ended while another continues, and so does this view. */
    private void leaveIfDone() {
        if (derived.inlets().size() > 1) {
            derived.inlets().forEach(Inlet::leaveIfDone);
        }
    }

    private void tellStatus() {
        Map<Object, Stale> now = derived.derivation().functions().failures();
        String missing = derived.derivation().awaits();
        if (now != failing || !Objects.equals(missing, awaited)) {
            failing = now;
            awaited = missing;
            status.tell(this, now, missing, Instant.ofEpochMilli(scheduler.now(TimeUnit.MILLISECONDS)));
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
