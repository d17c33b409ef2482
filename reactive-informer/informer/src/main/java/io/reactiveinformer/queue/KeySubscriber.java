package io.reactiveinformer.queue;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Operators;

/**
 * One subscription to {@link WorkQueue#process}; it takes as many keys as are requested. On cancellation it gives back
 * the keys whose work has not begun.
 */
final class KeySubscriber<K> implements Subscription {

    private final KeyedWorkQueue<K> queue;
    private final CoreSubscriber<? super WorkItem<K>> actual;
    private final AtomicLong requested = new AtomicLong();
    private final Set<WorkItem<K>> given = ConcurrentHashMap.newKeySet();
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

    /** Called before {@link #give}; if the key then cannot be taken, {@link #over} follows instead. */
    void willGive(WorkItem<K> item) {
        given.add(item);
    }

    /** Emits {@code item}. Calls of this and {@link #complete} are serialized. */
    void give(WorkItem<K> item) {
        requested.decrementAndGet();
        try {
            actual.onNext(item);
        } catch (Throwable thrown) {
            breakOff(thrown);
        }
        if (cancelled) {
            item.giveBackUnlessStarted(); // cancel() may have run before willGive()
        }
    }

    /** Forgets an item that was finished or given back, or is not given after all. */
    void over(WorkItem<K> item) {
        given.remove(item);
    }

    /**
     * After a throw, the operators downstream may never end: gives the keys back, for other subscriptions or a new one.
     */
    private void breakOff(Throwable thrown) {
        cancel();
        actual.onError(new BrokenOffException(thrown));
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
        given.forEach(WorkItem::giveBackUnlessStarted); // started work is cancelled after this, and then gives its items back
    }
}
