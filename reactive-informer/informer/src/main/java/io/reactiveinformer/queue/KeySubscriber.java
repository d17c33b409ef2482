package io.reactiveinformer.queue;

import java.util.concurrent.atomic.AtomicLong;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Operators;

/** One subscription to {@link WorkQueue#process}; it takes as many keys as are requested. */
final class KeySubscriber<K> implements Subscription {

    private final KeyedWorkQueue<K> queue;
    private final CoreSubscriber<? super WorkItem<K>> actual;
    private final AtomicLong requested = new AtomicLong();
    private volatile boolean cancelled;

    KeySubscriber(KeyedWorkQueue<K> queue, CoreSubscriber<? super WorkItem<K>> actual) {
        this.queue = queue;
        this.actual = actual;
    }

    boolean isCancelled() {
        return cancelled;
    }

    boolean wants() {
        return !cancelled && requested.get() > 0;
    }

    /**
     * Emits {@code item}. Calls of this and {@link #complete} are serialized. After a throw, the operators downstream
     * may never end: the subscription is aborted, and its keys are for other ones, or for a new one.
     */
    void give(WorkItem<K> item) {
        requested.decrementAndGet();
        try {
            actual.onNext(item);
        } catch (Throwable thrown) { // also an Error, which Reactor rethrows past operators
            cancel();
            item.giveBackUnlessStarted();
            actual.onError(new BrokenOffException(thrown));
        }
        if (cancelled) {
            item.giveBackUnlessStarted(); // operators that are cancelled drop it
        }
    }

    /** The subscription was aborted because a signal handler has thrown. {@link WorkQueue#process} subscribes again. */
    static final class BrokenOffException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        BrokenOffException(Throwable thrown) {
            super("work on a queue was aborted: " + thrown, thrown, false, false);
        }
    }

    void complete() {
        if (!cancelled) {
            actual.onComplete();
        }
    }

    @Override
    public void request(long n) {
        if (Operators.validate(n)) {
            requested.accumulateAndGet(n, Operators::addCap);
            queue.dispatch();
        }
    }

    @Override
    public void cancel() {
        cancelled = true;
        queue.leave(this);
    }
}
