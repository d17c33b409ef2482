package io.reactiveinformer.view;

import io.reactiveinformer.internal.informer.Contained;
import io.reactiveinformer.internal.informer.WorkerSubscription;
import io.reactiveinformer.store.Commit;
import io.reactiveinformer.store.Snapshot;
import io.reactiveinformer.view.ChangeHub.Feed;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.CoreSubscriber;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Operators;
import reactor.core.scheduler.Scheduler;

/**
 * Emits what is taken from a {@link PendingChanges} to one subscriber, at its own demand and on a worker of its own. Its memory is bounded
 * by its backlog. Rows are shared with the cache and with other subscribers, so conflated or abandoned ones are not passed to
 * {@code onDiscard}.
 *
 * <p>The drain loop resembles that of the delta stage, with two differences: that one runs on the signalling thread and decides during
 * emission which events are outdated; this one runs on a worker, in turns with other subscribers.
 *
 * @param <E> the elements: changes, or lists of them
 */
final class FollowingSubscription<K, T, E> extends WorkerSubscription<E> implements CommitListener<K, T> {

    private final Scheduler.Worker worker;
    private final Delivery delivery;
    private final Disposable.Swap following = Disposables.swap();
    private final Disposable.Swap resyncs = Disposables.swap();

    // Guarded by the backlog; no foreign code is called under the lock.
    private final PendingChanges<K, T> backlog;
    private final Function<PendingChanges<K, T>, @Nullable E> take;
    private long conflatedBefore;
    private long emitted;

    private FollowingSubscription(CoreSubscriber<? super E> actual, Scheduler.Worker worker, Delivery delivery,
            PendingChanges<K, T> backlog, Function<PendingChanges<K, T>, @Nullable E> take) {
        super(actual, worker);
        this.backlog = backlog;
        this.take = take;
        this.worker = worker;
        this.delivery = delivery;
    }

    /** The changes of {@code feed}. */
    static <K, T> Flux<Change<K, T>> flux(Feed<K, T> feed, Delivery delivery) {
        return flux(feed, delivery, delivery::backlog, PendingChanges::next);
    }

    /** @param take removes and returns the next element; null if there is none now */
    static <K, T, E> Flux<E> flux(Feed<K, T> feed, Delivery delivery, Supplier<PendingChanges<K, T>> backlogs,
            Function<PendingChanges<K, T>, @Nullable E> take) {
        return Flux.from(subscriber -> {
            CoreSubscriber<? super E> actual = Operators.toCoreSubscriber(subscriber);
            Scheduler.Worker worker = worker(delivery.scheduler(), actual);
            if (worker != null) {
                var following = new FollowingSubscription<>(actual, worker, delivery, backlogs.get(), take);
                following.start(() -> following.follow(feed));
            }
        });
    }

    private void follow(Feed<K, T> feed) {
        following.update(feed.attach(this)); // disposed of at once if this is over already
        resyncs.update(delivery.scheduleResync(worker, this::resync)); // as above
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
            if (!hasEnded()) { // equals of keys may throw, or memory be short: then the backlog may be incomplete
                Contained.call(PendingChanges::file, backlog, commit, failing);
            }
            if (backlog.isEmpty() && !hasEnded()) {
                return;
            }
        }
        if (isDemanded() || hasEnded()) {
            schedule();
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
            return new SubscriberStatus(delivery.name(), backlog.size(), emitted, conflatedBefore + backlog.conflated(), delivery.missed());
        }
    }

    @Override
    public boolean wantsBriefRows() {
        return delivery.isBrief();
    }

    @Override
    public boolean needsEachCommit() {
        return backlog.needsEachCommit();
    }

    @Override
    public void end(@Nullable Throwable cause) {
        if (cause == null) {
            endInOrder();
        } else {
            fail(cause);
        }
        schedule();
    }

    private void resync() {
        synchronized (backlog) {
            if (hasEnded()) {
                return; // otherwise repeated resyncs would prevent its completion
            }
            backlog.resync();
        }
        schedule();
    }

    @Override
    protected @Nullable E poll() {
        synchronized (backlog) {
            E next = take.apply(backlog);
            emitted += next == null ? 0 : next instanceof List<?> several ? several.size() : 1;
            return next;
        }
    }

    @Override
    protected boolean isEmpty() {
        synchronized (backlog) {
            return backlog.isEmpty();
        }
    }

    @Override
    protected int size() {
        synchronized (backlog) {
            return backlog.size();
        }
    }

    @Override
    protected void release() {
        following.dispose();
        resyncs.dispose();
        synchronized (backlog) {
            backlog.clear();
        }
    }
}
