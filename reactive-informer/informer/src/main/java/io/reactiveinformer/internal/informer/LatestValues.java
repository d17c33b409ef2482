package io.reactiveinformer.internal.informer;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Scheduler;

/**
 * Emits values to any number of subscribers, each at its own pace: for a slow one only the latest are kept. The publisher waits for no
 * subscriber, and no subscriber for another.
 */
public final class LatestValues<T> {

    private final int kept;
    private final boolean replays;
    /** Replaced under this: publishing allocates nothing, so that it cannot fail halfway. */
    private volatile List<LatestSubscription<T>> subscribers = List.of();
    private volatile @Nullable T current; // written under this
    private boolean over; // guarded by this

    private LatestValues(int kept, boolean replays) {
        this.kept = kept;
        this.replays = replays;
    }

    /**
     * A new subscriber receives what is published from then on.
     *
     * @param kept how many values are kept for a slow subscriber
     */
    public static <T> LatestValues<T> ofEvents(int kept) {
        return new LatestValues<>(kept, false);
    }

    /**
     * A new subscriber receives the current value first, if there is one.
     *
     * @param kept how many values are kept for a slow subscriber
     */
    public static <T> LatestValues<T> ofStates(int kept) {
        return new LatestValues<>(kept, true);
    }

    /** The value published last; null if there is none. */
    public @Nullable T current() {
        return current;
    }

    /** Publishes {@code next} to all subscribers. Subscribers see the values in the order of the calls; does not throw. */
    public void publish(T next) {
        List<LatestSubscription<T>> all;
        synchronized (this) {
            all = subscribers;
            current = next;
            for (int i = 0; i < all.size(); i++) {
                all.get(i).add(next);
            }
        }
        for (int i = 0; i < all.size(); i++) { // without the lock: it may be emitted on this thread
            all.get(i).schedule();
        }
    }

    /**
     * Completes all subscribers, after the values that are kept for them. Later subscribers receive the current value, if values are
     * replayed, and complete.
     */
    public void complete() {
        List<LatestSubscription<T>> all;
        synchronized (this) {
            over = true;
            all = subscribers;
        }
        for (int i = 0; i < all.size(); i++) {
            all.get(i).complete();
        }
    }

    /** The values for a new subscriber, on a worker of {@code scheduler}. */
    public Flux<T> flux(Scheduler scheduler) {
        return LatestSubscription.flux(kept, scheduler, subscriber -> {
            if (add(subscriber)) {
                subscriber.complete();
            } else {
                subscriber.schedule();
            }
            return () -> remove(subscriber);
        });
    }

    /** Returns whether no more values come. */
    private synchronized boolean add(LatestSubscription<T> subscriber) {
        T first = current;
        if (replays && first != null) {
            subscriber.add(first);
        }
        if (!over) {
            List<LatestSubscription<T>> more = new ArrayList<>(subscribers);
            more.add(subscriber);
            subscribers = more;
        }
        return over;
    }

    int subscribers() {
        return subscribers.size();
    }

    private synchronized void remove(LatestSubscription<T> subscriber) {
        List<LatestSubscription<T>> fewer = new ArrayList<>(subscribers);
        fewer.remove(subscriber);
        subscribers = fewer;
    }
}
