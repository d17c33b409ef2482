package io.reactiveinformer.permissions;

import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.informer.InformerFactory.Handle;
import io.reactiveinformer.informer.InformerSpec;
import io.reactiveinformer.internal.informer.Contained;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.view.Change;
import io.reactiveinformer.view.Delivery;
import io.reactiveinformer.view.InformerStatus;
import io.reactiveinformer.view.InformerStatus.State;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.scheduler.Scheduler;

/**
 * The objects of one type of rights, by the changes that were received. An object whose newest state could not be read counts as absent. If
 * code of ours throws, or the informer gives up, everything is received anew after a pause, and nothing is known in the meantime.
 */
final class RbacSource<T> {

    private static final Duration PAUSE = Duration.ofSeconds(10); // an informer that gives up at once costs a list in this time

    /** Rights are never restored from what an earlier process has saved. */
    private final InformerSpec<T> spec;
    private final InformerFactory informers;
    private final BiConsumer<ObjectKey, @Nullable T> target;
    private final Object lock;
    private final Runnable settled;
    private final Disposable.Swap attempt = Disposables.swap();
    private final Set<ObjectKey> keys = new HashSet<>(); // as all below, written under the lock
    private @Nullable Informer<T> informer;
    private Set<ObjectKey> unreadable = Set.of();
    private volatile boolean complete;
    private volatile InformerStatus status = InformerStatus.idle(Instant.EPOCH);
    private volatile @Nullable Throwable failure;

    /**
     * @param target called under {@code lock} with each object that has changed; null for one that is absent
     * @param settled called under {@code lock} when changes were passed on, or the status is another
     */
    RbacSource(InformerFactory informers, ResourceType<T> type, BiConsumer<ObjectKey, @Nullable T> target, Object lock, Runnable settled) {
        this.spec = InformerSpec.of(type).withColdStart();
        this.informers = informers;
        this.target = target;
        this.lock = lock;
        this.settled = settled;
    }

    void start(Scheduler timer) {
        Disposable.Composite next = Disposables.composite();
        attempt.update(next); // ends the last one, if there was one
        Consumer<Throwable> fail = thrown -> {
            next.add(timer.schedule(() -> start(timer), PAUSE.toMillis(), TimeUnit.MILLISECONDS));
            synchronized (lock) {
                complete = false;
                failure = thrown;
                settled.run();
            }
        };
        Contained.call(any -> {
            Handle<T> held = informers.lease(spec);
            next.add(held);
            synchronized (lock) {
                informer = held.informer();
                List.copyOf(keys).forEach(key -> set(key, null));
            }
            next.add(Contained.flux(held.informer().batches(Integer.MAX_VALUE, Delivery.conflated()), fail).subscribe(this::receive, fail));
            next.add(Contained.flux(held.informer().status(), fail).subscribe(this::receive, fail));
        }, this, fail);
    }

    void stop() {
        attempt.dispose();
    }

    /** Why the rows may not be used at {@code now}; null if they may. */
    @Nullable String doubt(Instant now, Duration limit) {
        InformerStatus seen = status;
        Throwable thrown = failure;
        Duration age = seen.staleness(now);
        String doubt = thrown != null ? " could not be read: " + thrown
                : seen.state() == State.IDLE ? " are not read: the factory of the informers was not started"
                : seen.state() == State.STOPPED ? " are not read any more: the informer has ended"
                : !complete || !seen.synced() ? " are not synced"
                : age.compareTo(limit) > 0 ? " were last confirmed at " + now.minus(age) + ", and count for " + limit
                : null;
        return doubt == null ? null : spec.description() + doubt + (seen.cause() == null ? "" : ", " + seen.cause().getMessage());
    }

    private void receive(List<Change<ObjectKey, T>> batch) {
        synchronized (lock) {
            for (Change<ObjectKey, T> change : batch) {
                change.accept(
                        added -> set(added.key(), added.object()),
                        updated -> set(updated.key(), updated.after()),
                        deleted -> set(deleted.key(), null),
                        synced -> {
                            complete = true;
                            failure = null;
                        });
            }
            settled.run();
        }
    }

    /** Under the lock. */
    void set(ObjectKey key, @Nullable T after) {
        if (after == null) {
            keys.remove(key);
        } else {
            keys.add(key);
        }
        if (!unreadable.contains(key)) {
            target.accept(key, after);
        }
    }

    private void receive(InformerStatus next) {
        synchronized (lock) {
            unreadable(next.stale().keySet());
            status = next;
            settled.run();
        }
    }

    /**
     * Under the lock. What counts of an object that can be read again is what is in the cache by then: changes and statuses are not received
     * in one order, so that the last change may be the one from before. It must be one whose deletion will be received, or it would count for
     * ever.
     */
    void unreadable(Set<ObjectKey> now) {
        Set<ObjectKey> last = unreadable;
        unreadable = Set.copyOf(now);
        unreadable.stream().filter(key -> !last.contains(key)).forEach(key -> target.accept(key, null));
        last.stream().filter(key -> !unreadable.contains(key)).forEach(key -> target.accept(key, keys.contains(key) ? current(key) : null));
    }

    private @Nullable T current(ObjectKey key) {
        Informer<T> from = informer;
        return from == null ? null : from.snapshot().get(key).orElse(null);
    }
}
