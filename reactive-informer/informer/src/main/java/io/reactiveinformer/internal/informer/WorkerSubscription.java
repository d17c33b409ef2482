package io.reactiveinformer.internal.informer;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Exceptions;
import reactor.core.Scannable;
import reactor.core.publisher.Operators;
import reactor.core.scheduler.Scheduler;
import reactor.util.context.Context;

/**
 * Emits the elements that {@link #poll} returns to one subscriber, at its demand and on a worker of its own. An exception of the worker, of
 * {@code poll} or of the subscriber ends this subscription and nothing else, with a signal to the subscriber where the rules of Reactive
 * Streams allow one. The drain loop counts the signals that arrive while it emits.
 */
public abstract class WorkerSubscription<E> implements Subscription, Scannable, Runnable {

    /** After this many elements, other tasks on the same thread get a turn. */
    static final int TURN = 256;

    private final CoreSubscriber<? super E> actual;
    private final Scheduler.Worker worker;

    // Made in advance, for Contained.call: memory may be short.
    private final Consumer<Throwable> dropped = this::dropped;
    /** Calls {@link #fail}. */
    protected final Consumer<Throwable> failing = this::failBecauseOf;

    private volatile boolean ended;
    private volatile @Nullable Throwable failure; // written under this, before ended
    private volatile boolean cancelled;
    private volatile boolean terminated;

    private volatile long requested;
    @SuppressWarnings("rawtypes")
    private static final AtomicLongFieldUpdater<WorkerSubscription> REQUESTED =
            AtomicLongFieldUpdater.newUpdater(WorkerSubscription.class, "requested");

    volatile int wip; // not private: the compiler sees no reader of it
    @SuppressWarnings("rawtypes")
    private static final AtomicIntegerFieldUpdater<WorkerSubscription> WIP =
            AtomicIntegerFieldUpdater.newUpdater(WorkerSubscription.class, "wip");

    /** A subscription of {@code actual}; {@code worker} is disposed of when it ends. {@link #start} it next. */
    protected WorkerSubscription(CoreSubscriber<? super E> actual, Scheduler.Worker worker) {
        this.actual = actual;
        this.worker = worker;
    }

    /** A worker to emit on; null if {@code scheduler} has none, after {@code actual} has received that as an error. */
    public static Scheduler.@Nullable Worker worker(Scheduler scheduler, CoreSubscriber<?> actual) {
        try {
            return scheduler.createWorker();
        } catch (RejectedExecutionException shutDown) {
            Operators.error(actual, Operators.onRejectedExecution(shutDown, actual.currentContext()));
        } catch (Throwable failure) { // no memory, or a scheduler of the user
            Operators.error(actual, new IllegalStateException("no worker to deliver on: " + failure, failure));
        }
        return null;
    }

    /**
     * Passes this subscription to the subscriber, and then runs {@code attach}, unless this is over by then. What
     * {@code attach} throws ends this subscription.
     */
    public final void start(Runnable attach) {
        actual.onSubscribe(this);
        if (!isOver()) {
            Contained.call(Runnable::run, attach, failing);
            schedule();
        }
    }

    private void failBecauseOf(Throwable thrown) {
        fail(thrown instanceof RejectedExecutionException shutDown
                ? Operators.onRejectedExecution(shutDown, currentContext()) : thrown);
    }

    /** Removes and returns the next element; null if there is none now. Called on the worker, by one thread at a time. */
    protected abstract @Nullable E poll();

    /** Whether {@link #poll} has nothing to return now. */
    protected abstract boolean isEmpty();

    /** Completes after the elements that wait. To be followed by {@link #schedule}. */
    protected final void endInOrder() {
        ended = true;
    }

    /** Fails at once, instead of emitting the elements that wait; the first failure counts. To be followed by {@link #schedule}. */
    protected final void fail(Throwable cause) {
        synchronized (this) {
            failure = failure == null ? cause : failure;
            ended = true;
        }
    }

    /** Whether no element is added any more. */
    protected final boolean hasEnded() {
        return ended;
    }

    private boolean isExhausted() {
        return ended && (failure != null || isEmpty());
    }

    /**
     * Frees what this subscription keeps: nothing is emitted any more. Called once, or more than once if a cancellation comes at the same
     * time.
     */
    protected abstract void release();

    /** Cancelled or terminated, so released or about to be; possible inside {@code onSubscribe}, after an invalid {@code request(n)}. */
    protected final boolean isOver() {
        return cancelled || terminated;
    }

    @Override
    public final void request(long n) {
        if (n > 0) {
            Operators.addCap(REQUESTED, this, n);
        } else {
            fail(new IllegalArgumentException("§3.9: a subscriber must request more than 0 elements, was " + n));
        }
        schedule();
    }

    @Override
    public final void cancel() {
        if (!isOver()) {
            cancelled = true;
            releaseAll();
        }
    }

    private void releaseAll() {
        worker.dispose();
        release();
    }

    /** To be called after each change of what {@link #poll} returns, and after an end. Does not throw. */
    protected final void schedule() {
        if (WIP.getAndIncrement(this) == 0) {
            schedule(this);
        }
    }

    /** Whether an element could be emitted now. */
    protected final boolean isDemanded() {
        return requested != 0;
    }

    /**
     * If there is no thread, the subscriber receives the error on this one: without a signal, it would take the last element for the
     * current state.
     */
    private void schedule(Runnable task) {
        try {
            worker.schedule(task);
        } catch (Throwable noThread) { // or memory
            if (!isOver()) { // else the worker has been disposed, perhaps with this very task
                terminate(described(noThread));
            }
        }
    }

    private Throwable described(Throwable noThread) {
        try {
            return noThread instanceof RejectedExecutionException shutDown
                    ? Operators.onRejectedExecution(shutDown, currentContext())
                    : new IllegalStateException("no thread to deliver on: " + noThread + "; subscribe again", noThread);
        } catch (Throwable noMemory) { // or a hook that throws
            return noThread;
        }
    }

    /** Emits. A concurrent call of {@code schedule} only causes another pass. */
    @Override
    public final void run() {
        int missed = 1;
        while (missed != 0 && goesOnAfterEmitting()) {
            missed = WIP.addAndGet(this, -missed);
        }
    }

    private boolean goesOnAfterEmitting() {
        try {
            return emit();
        } catch (Throwable thrown) { // by poll
            if (isOver()) {
                throw thrown;
            }
            terminate(thrown);
            return false;
        }
    }

    /** Returns true if all that can be emitted has been; false if this is over, or continues in another turn. */
    private boolean emit() {
        long demand = requested;
        long emitted = 0;
        while (!isOver()) {
            E next = emitted != demand && failure == null ? poll() : null;
            if (next == null) {
                if (isExhausted()) {
                    if (!isOver()) { // else a cancellation has just emptied it
                        terminate(failure);
                    }
                    return false;
                }
                produced(emitted);
                return true;
            }
            emit(next);
            emitted++;
            if (emitted == TURN) {
                produced(emitted);
                var turn = new Turn(this);
                schedule(turn);
                if (!turn.isMine()) {
                    return false;
                }
                demand = requested;
                emitted = 0;
            }
        }
        return false;
    }

    private void produced(long emitted) {
        if (emitted != 0) {
            Operators.produced(REQUESTED, this, emitted);
        }
    }

    private void emit(E next) {
        try {
            actual.onNext(next);
        } catch (Throwable thrown) { // against the rules: ends this subscription only
            cancel();
            if (Exceptions.isFatal(thrown)) { // operators rethrow such errors without emitting them
                actual.onError(new IllegalStateException("a subscriber threw " + thrown, thrown));
            } else {
                dropped.accept(thrown);
            }
        }
    }

    private void terminate(@Nullable Throwable cause) {
        terminated = true;
        if (cause == null) {
            Contained.call(CoreSubscriber::onComplete, actual, dropped); // to throw is against the rules, as in onNext
        } else {
            Contained.call(CoreSubscriber::onError, actual, cause, dropped);
        }
        Contained.call(WorkerSubscription::releaseAll, this, dropped);
    }

    /** A hook may throw, or there may be no memory to log: that is ignored, as nothing is left to notify. */
    private void dropped(Throwable thrown) {
        Contained.call((it, what) -> Operators.onErrorDropped(what, it.currentContext()), this, thrown, again -> {});
    }

    /** The context of the subscriber. */
    public final Context currentContext() {
        return actual.currentContext();
    }

    /** The number of pending elements. */
    protected abstract int size();

    @Override
    @SuppressWarnings("rawtypes") // as Scannable declares it
    public final @Nullable Object scanUnsafe(Attr key) {
        if (key == Attr.ACTUAL) {
            return actual;
        }
        if (key == Attr.RUN_ON) {
            return worker;
        }
        if (key == Attr.REQUESTED_FROM_DOWNSTREAM) {
            return requested;
        }
        if (key == Attr.TERMINATED) {
            return terminated;
        }
        if (key == Attr.CANCELLED) {
            return cancelled;
        }
        if (key == Attr.PREFETCH) {
            return 0;
        }
        if (key == Attr.RUN_STYLE) {
            return Attr.RunStyle.ASYNC;
        }
        return key == Attr.BUFFERED ? (Object) size() : key == Attr.ERROR ? failure : null;
    }

    /**
     * The rest of an emission, later. If the scheduler runs it at once, on the stack of the scheduling call, that call continues the
     * emission instead.
     */
    private static final class Turn implements Runnable {

        private final WorkerSubscription<?> subscription;
        private final Thread asking = Thread.currentThread();
        private boolean asked;
        private boolean mine;

        Turn(WorkerSubscription<?> subscription) {
            this.subscription = subscription;
        }

        @Override
        public void run() {
            if (Thread.currentThread() == asking && !asked) {
                mine = true;
            } else {
                subscription.run();
            }
        }

        /** Whether the scheduling call itself has to continue. */
        boolean isMine() {
            asked = true;
            return mine;
        }
    }
}
