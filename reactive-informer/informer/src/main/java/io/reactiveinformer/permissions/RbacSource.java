package io.reactiveinformer.permissions;

import io.reactiveinformer.informer.InformerFactory;
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
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
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

    /** What has changed; called under the lock of the owner. */
    interface Target<T> {
        void replace(ObjectKey key, @Nullable T before, @Nullable T after);
    }

    /** Rights are never restored from what an earlier process has saved. */
    private final InformerSpec<T> spec;
    private final InformerFactory informers;
    private final Target<T> target;
    private final Object lock;
    private final Runnable settled;
    private final Disposable.Swap lease = Disposables.swap();
    private final Disposable.Swap subscriptions = Disposables.swap();
    private final Disposable.Swap retry = Disposables.swap();
    private final Map<ObjectKey, T> rows = new HashMap<>(); // as all below, written under the lock
    private Set<ObjectKey> unreadable = Set.of();
    private volatile boolean complete;
    private volatile InformerStatus status = InformerStatus.idle(Instant.EPOCH);
    private volatile @Nullable Throwable failure;

    /** @param settled called under {@code lock} when changes were passed on, or the status is another */
    RbacSource(InformerFactory informers, ResourceType<T> type, Target<T> target, Object lock, Runnable settled) {
        this.spec = InformerSpec.of(type).withColdStart();
        this.informers = informers;
        this.target = target;
        this.lock = lock;
        this.settled = settled;
    }

    void start(Scheduler timer) {
        Disposable.Composite both = Disposables.composite();
        subscriptions.update(both); // ends the last attempt, if there was one
        Contained.call(any -> {
            InformerFactory.Handle<T> handle = informers.lease(spec);
            lease.update(handle);
            synchronized (lock) {
                List.copyOf(rows.keySet()).forEach(key -> set(key, null));
            }
            both.add(Contained.flux(handle.informer().batches(Integer.MAX_VALUE, Delivery.conflated()), thrown -> fail(thrown, timer))
                    .subscribe(this::receive, thrown -> fail(thrown, timer)));
            both.add(Contained.flux(handle.informer().status(), thrown -> fail(thrown, timer))
                    .subscribe(this::receive, thrown -> fail(thrown, timer)));
        }, this, thrown -> fail(thrown, timer));
    }

    void stop() {
        retry.dispose();
        subscriptions.dispose();
        lease.dispose();
    }

    /** Why the rows may not be used at {@code now}; null if they may. */
    @Nullable String doubt(Instant now, Duration limit) {
        InformerStatus seen = status;
        String cause = seen.cause() == null ? "" : ", " + seen.cause().getMessage();
        Duration age = seen.staleness(now);
        Throwable thrown = failure;
        String doubt = thrown != null ? " could not be read: " + thrown
                : seen.state() == State.IDLE ? " are not read: the factory of the informers was not started"
                : seen.state() == State.STOPPED ? " are not read any more: the informer has ended" + cause
                : !complete || !seen.synced() ? " are not synced" + cause
                : age.compareTo(limit) > 0 ? " were last confirmed at " + now.minus(age) + ", and count for " + limit + cause
                : null;
        return doubt == null ? null : spec.description() + doubt;
    }

    private void fail(Throwable thrown, Scheduler timer) {
        synchronized (lock) {
            complete = false;
            failure = thrown;
            retry.update(timer.schedule(() -> start(timer), PAUSE.toMillis(), TimeUnit.MILLISECONDS));
            settled.run();
        }
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

    private void set(ObjectKey key, @Nullable T after) {
        T before = after == null ? rows.remove(key) : rows.put(key, after);
        if (!unreadable.contains(key)) {
            target.replace(key, before, after);
        }
    }

    private void receive(InformerStatus next) {
        synchronized (lock) {
            Set<ObjectKey> now = next.stale().keySet();
            Set<ObjectKey> differing = new HashSet<>(now);
            differing.addAll(unreadable);
            for (ObjectKey key : differing) {
                T row = rows.get(key);
                boolean was = unreadable.contains(key);
                if (was != now.contains(key)) {
                    target.replace(key, was ? null : row, was ? row : null);
                }
            }
            unreadable = Set.copyOf(now);
            status = next;
            settled.run();
        }
    }
}
