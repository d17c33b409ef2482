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
        try {
            actual.onNext(item);
        } catch (Throwable thrown) {
            breakOff(thrown);
        }
        if (cancelled) {
            item.giveBackUnlessStarted(); // it came too late for the cancellation to see it
        }
    }

    /** The item is over, one way or the other. */
    void over(WorkItem<K> item) {
        given.remove(item);
    }

    /** What something was thrown through may never end again: others, or the same anew, work on its keys. */
    private void breakOff(Throwable thrown) {
        cancel();
        actual.onError(new BrokenOffException(thrown));
    }

    /** The work ended because of what was thrown where nothing should be; it may go on anew. */
    static final class BrokenOffException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        BrokenOffException(Throwable thrown) {
            super("work on a queue was broken off: " + thrown, thrown, false, false);
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
        given.forEach(WorkItem::giveBackUnlessStarted); // the work of the others is cancelled after this, and gives them back
    }
}
