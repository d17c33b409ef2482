package io.reactiveinformer.view;

import io.reactiveinformer.store.Commit;
import io.reactiveinformer.store.Snapshot;
import io.reactiveinformer.store.Table;
import io.reactiveinformer.view.ChangeHub.Feed;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** A view whose rows are computed from those of other views. It has rows only while it is in use. */
final class DerivedView<K, R> implements ChangeHub.Fed<K, R> {

    private static final Duration SHORTEST_PAUSE = Duration.ofSeconds(1);
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

    private final Function<Runnable, Derived<K, R>> derived;
    private final Supplier<Scheduler> scheduler;
    private final Duration period;
    private final Mono<Void> sourcesSynced;
    private final DerivedStatus status;
    private final Supplier<Scheduler> statusThreads;
    private final Snapshot<K, R> unused = Table.<K, R>create().snapshot();

    private volatile @Nullable Connection<K, R> connection; // written under this

    DerivedView(
            Function<Runnable, Derived<K, R>> derived, Supplier<Scheduler> scheduler, Mono<Void> sourcesSynced,
            Function<Delivery, Flux<InformerStatus>> status) {
        this(derived, scheduler, Duration.ZERO, sourcesSynced, status, scheduler);
    }

    /**
     * @param period the rows are updated at most once in each period
     * @param statusThreads the scheduler that delivers the status
     */
    DerivedView(
            Function<Runnable, Derived<K, R>> derived,
            Supplier<Scheduler> scheduler,
            Duration period,
            Mono<Void> sourcesSynced,
            Function<Delivery, Flux<InformerStatus>> status,
            Supplier<Scheduler> statusThreads) {
        this.derived = derived;
        this.scheduler = scheduler;
        this.period = period;
        this.sourcesSynced = sourcesSynced;
        this.status = new DerivedStatus(status);
        this.statusThreads = statusThreads;
    }

    @Override
    public Snapshot<K, R> snapshot() {
        Connection<K, R> current = connection;
        return current == null ? unused : current.snapshot();
    }

    @Override
    public Flux<Change<K, R>> changes(Delivery delivery) {
        return FluxFollowing.of(feed(), delivery, delivery::<K, R>backlog);
    }

    @Override
    public Mono<Void> synced() {
        Flux<Snapshot<K, R>> snapshots = FluxFollowing.of(feed(), Delivery.conflated(), LatestSnapshot::new);
        Mono<Snapshot<K, R>> complete = snapshots
                .filter(Snapshot::complete)
                .next();
        return sourcesSynced.then(complete)
                .switchIfEmpty(
                        Mono.error(() -> new IllegalStateException("the source of this view was stopped before it was synced")))
                .then();
    }

    @Override
    public Flux<InformerStatus> status() {
        return Flux.defer(() -> status(Delivery.conflated().on(statusThreads.get())));
    }

    @Override
    public Flux<InformerStatus> status(Delivery delivery) {
        return status.on(delivery);
    }

    @Override
    public List<SubscriberStatus> subscribers() {
        Connection<K, R> current = connection;
        return current == null ? List.of() : current.hub().subscribers();
    }

    @Override
    public Disposable retain() {
        var retention = new Retention();
        retention.hold();
        return retention;
    }

    /** Uses a connection, and another one, after a pause, when it fails. */
    private final class Retention implements Follower<K, R>, Disposable {

        private final Disposable.Swap held = Disposables.swap();
        private final Disposable.Swap next = Disposables.swap();
        private volatile @Nullable Connection<K, R> present;
        private Duration pause = SHORTEST_PAUSE; // used by one connection at a time

        void hold() {
            Connection<K, R> used = acquire();
            held.update(Disposables.composite(() -> used.hub().remove(this), () -> release(used))); // before it can fail and be replaced
            present = used;
            used.hub().add(this);
            if (held.isDisposed()) {
                used.hub().remove(this); // disposed of before it was added
            }
        }

        private void holdAgain() {
            try {
                hold();
            } catch (Throwable failure) {
                end(failure);
            }
        }

        @Override
        public void begin(Snapshot<K, R> rows) {}

        @Override
        public void file(Commit<K, R> commit) {
            pause = SHORTEST_PAUSE;
        }

        /** The rows of a failed connection stay until those of the next one replace them. */
        @Override
        public void end(@Nullable Throwable failure) {
            Connection<K, R> ended = present;
            if (failure == null && ended != null) {
                ended.hub().remove(this); // otherwise the sources would wait for it
            } else if (failure != null && !next.isDisposed()) {
                next.update(afterThePause());
                pause = pause.compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2) : pause;
            }
        }

        /** On other threads if those of the view refuse it: otherwise nothing would compute the view again. */
        private Disposable afterThePause() {
            try {
                return scheduler.get().schedule(this::holdAgain, pause.toNanos(), TimeUnit.NANOSECONDS);
            } catch (Throwable noThread) {
                return Schedulers.boundedElastic().schedule(this::holdAgain, pause.toNanos(), TimeUnit.NANOSECONDS);
            }
        }

        @Override
        public void dispose() {
            next.dispose();
            held.dispose();
        }

        @Override
        public boolean isDisposed() {
            return next.isDisposed();
        }
    }

    @Override
    public Feed<K, R> feed() {
        return new Feed<>() {
            @Override
            Disposable attach(Follower<K, R> follower) {
                Connection<K, R> used = acquire();
                ChangeHub<K, R> hub = used.hub();
                Disposable use = Disposables.composite(() -> hub.remove(follower), () -> release(used));
                try {
                    hub.add(follower);
                } catch (Throwable failure) {
                    use.dispose();
                    throw failure;
                }
                return use;
            }
        };
    }

    /**
     * The connection, for one more user. If it has failed, its present users keep it, and a new user gets a new one. Sources are subscribed
     * to and cancelled outside of the monitor: they may be views of the user, and one that blocks must not block the other users of this
     * view.
     */
    private Connection<K, R> acquire() {
        Connection<K, R> used = use();
        try {
            used.openOnce();
        } catch (Throwable failure) {
            release(used);
            throw failure;
        }
        return used;
    }

    private synchronized Connection<K, R> use() {
        Connection<K, R> current = connection;
        if (current == null || current.hasFailed()) {
            current = new Connection<>(derived, scheduler.get(), period, status);
            connection = current;
        }
        current.uses++;
        return current;
    }

    private void release(Connection<K, R> used) {
        if (leave(used)) {
            used.dispose();
        }
    }

    private synchronized boolean leave(Connection<K, R> used) {
        boolean last = --used.uses == 0;
        if (last && used == connection) {
            connection = null;
        }
        return last;
    }
}
