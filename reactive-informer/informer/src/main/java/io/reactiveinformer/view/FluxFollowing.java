package io.reactiveinformer.view;

import io.reactiveinformer.internal.informer.Contained;
import io.reactiveinformer.internal.informer.WorkerSubscription;
import io.reactiveinformer.store.Commit;
import io.reactiveinformer.store.Snapshot;
import io.reactiveinformer.view.ChangeHub.Feed;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.CoreSubscriber;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.Scannable;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Scheduler;

/**
 * Emits the elements of a {@link PendingChanges} to each subscriber, at its own demand and on a worker of its own. The memory of a
 * subscription is bounded by its backlog. Rows are shared with the cache and with other subscribers, so conflated or abandoned ones are
 * not passed to {@code onDiscard}.
 *
 * <p>The drain loop resembles that of the delta stage, with two differences: that one runs on the signalling thread and decides during
 * emission which events are outdated; this one runs on a worker, in turns with other subscribers.
 */
final class FluxFollowing<K, T, E> extends Flux<E> implements Scannable {

    private final Feed<K, T> feed;
    private final Delivery delivery;
    private final Supplier<PendingChanges<K, T, E>> backlogs;

    private FluxFollowing(Feed<K, T> feed, Delivery delivery, Supplier<PendingChanges<K, T, E>> backlogs) {
        this.feed = feed;
        this.delivery = delivery;
        this.backlogs = backlogs;
    }

    static <K, T, E> Flux<E> of(Feed<K, T> feed, Delivery delivery, Supplier<PendingChanges<K, T, E>> backlogs) {
        return onAssembly(new FluxFollowing<>(feed, delivery, backlogs));
    }

    @Override
    public void subscribe(CoreSubscriber<? super E> actual) {
        Scheduler.Worker worker = WorkerSubscription.worker(delivery.scheduler(), actual);
        if (worker == null) {
            return;
        }
        var subscription = new FollowingSubscription<K, T, E>(actual, backlogs.get(), worker, delivery.name(), delivery.isBrief());
        subscription.start(() -> subscription.follow(feed, delivery));
    }

    @Override
    @SuppressWarnings("rawtypes") // as Scannable declares it
    public @Nullable Object scanUnsafe(Attr key) {
        return key == Attr.RUN_STYLE ? Attr.RunStyle.ASYNC : null;
    }

    static final class FollowingSubscription<K, T, E> extends WorkerSubscription<E> implements CommitListener<K, T> {

        private final Scheduler.Worker worker;
        private final String name;
        private final boolean brief;
        private final Disposable.Swap following = Disposables.swap();
        private final Disposable.Swap resyncs = Disposables.swap();

        // Guarded by the backlog; no foreign code is called under the lock.
        private final PendingChanges<K, T, E> backlog;
        private long conflatedBefore;
        private long emitted;
        private volatile boolean ended; // written under the lock
        private volatile @Nullable Throwable failure; // written under the lock

        FollowingSubscription(CoreSubscriber<? super E> actual, PendingChanges<K, T, E> backlog, Scheduler.Worker worker, String name,
                boolean brief) {
            super(actual, worker);
            this.backlog = backlog;
            this.worker = worker;
            this.name = name;
            this.brief = brief;
        }

        void follow(Feed<K, T> feed, Delivery delivery) {
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
                if (!ended) { // equals of keys may throw, or memory be short: then the backlog may be incomplete
                    Contained.call(PendingChanges::file, backlog, commit, failing);
                }
                if (backlog.isEmpty() && !ended) {
                    return;
                }
            }
            if (isDemanded() || ended) {
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
                return backlog.conflated() < 0
                        ? null
                        : new SubscriberStatus(name, backlog.size(), emitted, conflatedBefore + backlog.conflated());
            }
        }

        @Override
        public boolean wantsBriefRows() {
            return brief;
        }

        @Override
        public boolean needsEachCommit() {
            return backlog.needsEachCommit();
        }

        @Override
        public void end(@Nullable Throwable cause) {
            synchronized (backlog) {
                if (cause != null) {
                    fail(cause);
                }
                ended = true;
            }
            schedule();
        }

        /** Fails this subscription. The first failure counts, also if the feed ends later. */
        @Override
        protected void fail(Throwable cause) {
            synchronized (backlog) {
                failure = failure == null ? cause : failure;
                ended = true;
            }
        }

        @Override
        protected @Nullable Throwable failure() {
            return failure;
        }

        private void resync() {
            synchronized (backlog) {
                if (ended) {
                    return; // otherwise repeated resyncs would prevent its completion
                }
                backlog.resync();
            }
            schedule();
        }

        @Override
        protected @Nullable E poll() {
            synchronized (backlog) {
                E next = backlog.next();
                emitted += next == null ? 0 : backlog.weight(next);
                return next;
            }
        }

        @Override
        protected boolean isExhausted() {
            if (!ended) {
                return false;
            }
            synchronized (backlog) {
                return failure != null || backlog.isEmpty();
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
}
