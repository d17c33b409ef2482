package io.reactiveinformer.queue;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Operators;

/** Someone who takes keys, as many as it has asked for. Keys it was given and has not come to are given back when it cancels. */
final class Taker<K> implements Subscription {

    private final DirtyQueue<K> queue;
    private final CoreSubscriber<? super WorkItem<K>> actual;
    private final AtomicLong requested = new AtomicLong();
    private final Set<WorkItem<K>> given = ConcurrentHashMap.newKeySet();
    private volatile boolean cancelled;

    Taker(DirtyQueue<K> queue, CoreSubscriber<? super WorkItem<K>> actual) {
        this.queue = queue;
        this.actual = actual;
    }

    boolean isCancelled() {
        return cancelled;
    }

    boolean wants() {
        return !cancelled && requested.get() > 0;
    }

    /** Called by one thread at a time, as is {@link #complete}. */
    void give(WorkItem<K> item) {
        requested.decrementAndGet();
        given.add(item);
        actual.onNext(item);
        if (cancelled) {
            item.giveBackUnlessStarted(); // it came too late for the cancellation to see it
        }
    }

    /** The item is over, one way or the other. */
    void over(WorkItem<K> item) {
        given.remove(item);
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
        given.forEach(WorkItem::giveBackUnlessStarted); // the work of the others is cancelled after this, and gives them back
    }
}
