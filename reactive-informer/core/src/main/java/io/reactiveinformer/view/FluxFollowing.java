package io.reactiveinformer.view;

import io.reactiveinformer.store.Commit;
import io.reactiveinformer.store.Snapshot;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.Exceptions;
import reactor.core.Scannable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Operators;
import reactor.core.scheduler.Scheduler;
import reactor.util.context.Context;

/**
 * Emits to each subscriber, at its own demand and on a worker of its own, what its {@link Backlog} keeps for it. The memory of a
 * subscription is bounded by its backlog. Rows are shared with the cache and with other subscribers, so conflated or abandoned ones are not
 * discarded.
 *
 * <p>Its drain resembles that of the delta stage, but differs: that one runs on the signalling thread, decides during emission what is
 * news, and discards what it abandons; this one runs on a worker, in turns, and discards nothing. Both count the signals that arrive
 * meanwhile.
 */
final class FluxFollowing<K, T, E> extends Flux<E> implements Scannable {

    private final Feed<K, T> feed;
    private final Delivery delivery;
    private final Supplier<Backlog<K, T, E>> backlogs;

    private FluxFollowing(Feed<K, T> feed, Delivery delivery, Supplier<Backlog<K, T, E>> backlogs) {
        this.feed = feed;
        this.delivery = delivery;
        this.backlogs = backlogs;
    }

    static <K, T, E> Flux<E> of(Feed<K, T> feed, Delivery delivery, Supplier<Backlog<K, T, E>> backlogs) {
        return onAssembly(new FluxFollowing<>(feed, delivery, backlogs));
    }

    @Override
    public void subscribe(CoreSubscriber<? super E> actual) {
        Scheduler.Worker worker;
        try {
            worker = delivery.scheduler().createWorker();
        } catch (RejectedExecutionException shutDown) {
            Operators.error(actual, Operators.onRejectedExecution(shutDown, actual.currentContext()));
            return;
        } catch (Throwable failure) {
            Operators.error(actual, new IllegalStateException("no worker to deliver on: " + failure, failure));
            return;
        }
        var subscription = new FollowingSubscription<K, T, E>(actual, backlogs.get(), worker, delivery.name());
        actual.onSubscribe(subscription);
        subscription.start(feed, delivery);
    }

    @Override
    @SuppressWarnings("rawtypes") // as Scannable declares it
    public @Nullable Object scanUnsafe(Attr key) {
        return key == Attr.RUN_STYLE ? Attr.RunStyle.ASYNC : null;
    }

    static final class FollowingSubscription<K, T, E> implements Follower<K, T>, Subscription, Scannable, Runnable {

        /** After this many signals, other tasks on the same thread get a turn. */
        private static final int TURN = 256;

        private final CoreSubscriber<? super E> actual;
        private final Scheduler.Worker worker;
        private final String name;
        private final Disposable.Swap following = Disposables.swap();

        // Guarded by the backlog; no foreign code is called under the lock.
        private final Backlog<K, T, E> backlog;
        private long conflatedBefore;
        private long told;
        private boolean ended;
        private @Nullable Throwable failure;

        private volatile boolean cancelled;
        private volatile boolean terminated;

        private volatile long requested;
        @SuppressWarnings("rawtypes")
        private static final AtomicLongFieldUpdater<FollowingSubscription> REQUESTED =
                AtomicLongFieldUpdater.newUpdater(FollowingSubscription.class, "requested");

        volatile int wip; // not private: the compiler sees no reader of it
        @SuppressWarnings("rawtypes")
        private static final AtomicIntegerFieldUpdater<FollowingSubscription> WIP =
                AtomicIntegerFieldUpdater.newUpdater(FollowingSubscription.class, "wip");

        FollowingSubscription(CoreSubscriber<? super E> actual, Backlog<K, T, E> backlog, Scheduler.Worker worker, String name) {
            this.actual = actual;
            this.backlog = backlog;
            this.worker = worker;
            this.name = name;
        }

        /** If there is no thread to deliver on, the subscriber receives that as an error. */
        void start(Feed<K, T> feed, Delivery delivery) {
            if (isOver()) {
                return;
            }
            try {
                following.update(feed.attach(this)); // disposed at once if this is over by now
                delivery.scheduleResync(worker, this::resync);
            } catch (RejectedExecutionException shutDown) {
                end(Operators.onRejectedExecution(shutDown, currentContext()));
            } catch (Throwable failure) {
                end(failure);
            }
            schedule();
        }

        /**
         * Cancelled or terminated, so released or about to be; possible inside {@code onSubscribe}, after an invalid {@code request(n)}.
         */
        private boolean isOver() {
            return cancelled || terminated;
        }

        @Override
        public void begin(Snapshot<K, T> rows) {
            synchronized (backlog) {
                if (!isOver()) {
                    backlog.begin(rows);
                }
            }
        }

        @Override
        public void file(Commit<K, T> commit) {
            synchronized (backlog) {
                if (isOver()) {
                    return;
                }
                if (!ended) {
                    fileIn(commit);
                }
                if (backlog.isEmpty() && !ended) {
                    return;
                }
            }
            if (requested != 0 || ended) {
                schedule();
            }
        }

        private void fileIn(Commit<K, T> commit) {
            try {
                backlog.file(commit);
            } catch (Throwable overflow) { // or an error of equals of keys, or a lack of memory: the backlog may be incomplete
                ended = true;
                failure = overflow;
            }
        }

        @Override
        public void conflated(int changes) {
            synchronized (backlog) {
                conflatedBefore += changes;
            }
        }

        @Override
        public @Nullable SubscriberStatus status() {
            synchronized (backlog) {
                return backlog.conflated() < 0 ? null : new SubscriberStatus(name, backlog.size(), told, conflatedBefore + backlog.conflated());
            }
        }

        @Override
        public boolean needsEachCommit() {
            return backlog.needsEachCommit();
        }

        @Override
        public void end(@Nullable Throwable cause) {
            synchronized (backlog) {
                ended = true;
                failure = failure == null ? cause : failure; // a failure of this subscription alone is kept when the feed ends too
            }
            schedule();
        }

        private void resync() {
            synchronized (backlog) {
                if (ended) {
                    return; // repeated resyncs would never let it complete
                }
                backlog.resync();
            }
            schedule();
        }

        @Override
        public void request(long n) {
            if (n > 0) {
                Operators.addCap(REQUESTED, this, n);
                schedule();
            } else {
                end(new IllegalArgumentException("§3.9: a subscriber must request more than 0 elements, was " + n));
            }
        }

        @Override
        public void cancel() {
            if (!isOver()) {
                cancelled = true;
                release();
            }
        }

        private void release() {
            following.dispose();
            worker.dispose();
            synchronized (backlog) {
                backlog.clear();
            }
        }

        private void schedule() {
            if (WIP.getAndIncrement(this) == 0) {
                schedule(this);
            }
        }

        private void schedule(Runnable task) {
            try {
                worker.schedule(task);
            } catch (RejectedExecutionException shutDown) {
                if (!isOver()) { // else the worker has been disposed, perhaps with this very task
                    terminate(Operators.onRejectedExecution(shutDown, currentContext()));
                }
            } catch (Throwable failed) {
                wip = 0; // there is no task that would reset the count; the next signal tries again
                throw failed;
            }
        }

        /** Emits. A concurrent call of {@code schedule} only causes another pass. */
        @Override
        public void run() {
            int missed = 1;
            while (missed != 0 && goesOnAfterEmitting()) {
                missed = WIP.addAndGet(this, -missed);
            }
        }

        /** The backlog may throw if {@code equals} of keys throws: that fails this subscription. */
        private boolean goesOnAfterEmitting() {
            try {
                return emit();
            } catch (Throwable thrown) {
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
            while (!cancelled) {
                E next;
                boolean over;
                Throwable cause;
                synchronized (backlog) {
                    cause = failure;
                    next = cause == null && emitted != demand ? backlog.next() : null;
                    told += next == null ? 0 : backlog.weight(next);
                    over = cause != null || next == null && ended && backlog.isEmpty();
                }
                if (over) {
                    terminate(cause);
                    return false;
                }
                if (next == null) {
                    produced(emitted);
                    return true;
                }
                tell(next);
                emitted++;
                if (emitted == TURN) {
                    produced(emitted);
                    var turn = new Turn<>(this);
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

        private void tell(E next) {
            try {
                actual.onNext(next);
            } catch (Throwable thrown) { // against the rules: ends this subscription only
                cancel();
                if (Exceptions.isFatal(thrown)) { // operators rethrow such errors without emitting them
                    actual.onError(new IllegalStateException("a subscriber threw " + thrown, thrown));
                } else {
                    Operators.onErrorDropped(thrown, currentContext());
                }
            }
        }

        private void terminate(@Nullable Throwable cause) {
            terminated = true;
            try {
                if (cause == null) {
                    actual.onComplete();
                } else {
                    actual.onError(cause);
                }
            } catch (Throwable thrown) { // against the rules, as in onNext
                Operators.onErrorDropped(thrown, currentContext());
            } finally {
                release();
            }
        }

        private Context currentContext() {
            return actual.currentContext();
        }

        @Override
        @SuppressWarnings("rawtypes") // as Scannable declares it
        public @Nullable Object scanUnsafe(Attr key) {
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
            synchronized (backlog) {
                return key == Attr.BUFFERED ? (Object) backlog.size() : key == Attr.ERROR ? failure : null;
            }
        }
    }

    /**
     * The rest of an emission, later. If the scheduler runs it at once, on the stack of the scheduling call, that call continues the
     * emission instead.
     */
    private static final class Turn<K, T, E> implements Runnable {

        private final FollowingSubscription<K, T, E> subscription;
        private final Thread asking = Thread.currentThread();
        private boolean asked;
        private boolean mine;

        Turn(FollowingSubscription<K, T, E> subscription) {
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
