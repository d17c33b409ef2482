package io.reactiveinformer.internal.operator;

import io.reactiveinformer.internal.Watchdog;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.scheduler.Scheduler;

/**
 * One attempt after the other, with pauses between them. If something is thrown that an attempt does not expect, it is
 * aborted, and the next one follows: Reactor rethrows errors that it treats as fatal past operators, which then neither
 * go on nor end. The same happens after a shortage of memory.
 */
public abstract class Attempts implements Watchdog.Watched, Disposable {

    private final Scheduler timer;
    private final Throwable shortage = new IllegalStateException("a shortage of memory"); // allocated in advance
    private final Disposable.Swap present = Disposables.swap();
    private final Disposable.Swap following = Disposables.swap();
    private final Disposable.Composite bonds = Disposables.composite(present, following);

    /** By an attempt that is to be aborted. */
    private final AtomicReference<@Nullable Throwable> thrown = new AtomicReference<>();

    protected Attempts(Scheduler timer) {
        this.timer = timer;
    }

    /** Begins an attempt, which is to call {@link #nextAfter} at its end; disposing of the result cancels it. */
    protected abstract Disposable begin();

    /** An attempt was aborted: calls {@link #nextAfter}. If it throws, it is called again. */
    protected abstract void aborted(Throwable failure);

    /** Something was thrown, and the attempt will be aborted. May throw. */
    protected void noted(Throwable failure) {}

    /** Begins the first attempt. */
    public final void start() {
        bonds.add(Watchdog.watch(this));
        next();
    }

    private void next() {
        try {
            Disposable.Swap attempt = Disposables.swap();
            present.update(attempt); // before the attempt can end and the next one replace it
            attempt.update(begin());
        } catch (Throwable failure) { // also an Error: without a next attempt all would end here
            breakOff(failure);
        }
    }

    protected final void nextAfter(Duration pause) {
        following.update(timer.schedule(this::next, pause.toNanos(), TimeUnit.NANOSECONDS));
    }

    /** Aborts the present attempt. Does not throw. */
    public final void breakOff(Throwable failure) {
        thrown.set(failure);
        try {
            noted(failure);
            goOn();
        } catch (Throwable again) { // the watchdog notices that thrown is set, and retries
        }
    }

    private void goOn() {
        Throwable failure = thrown.get();
        if (failure != null && !bonds.isDisposed()) {
            present.update(Disposables.disposed());
            aborted(failure);
        }
        thrown.compareAndSet(failure, null); // keeps one that was set meanwhile
    }

    @Override
    public final boolean ails() {
        return thrown.get() != null;
    }

    @Override
    public final void look() {
        timer.schedule(this::goOn); // notifies subscribers, which must not block the watchdog
    }

    @Override
    public final void doubt() {
        thrown.set(shortage);
        look();
    }

    @Override
    public final void dispose() {
        bonds.dispose();
    }
}
