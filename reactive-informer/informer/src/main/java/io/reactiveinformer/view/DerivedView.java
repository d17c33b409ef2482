package io.reactiveinformer.view;

import io.reactiveinformer.internal.informer.Contained;
import io.reactiveinformer.store.Commit;
import io.reactiveinformer.store.Snapshot;
import io.reactiveinformer.store.Table;
import io.reactiveinformer.view.ChangeHub.Feed;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
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

    private volatile @Nullable DerivedRows<K, R> connection; // written under this

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
        DerivedRows<K, R> current = connection;
        return current == null ? unused : current.snapshot();
    }

    @Override
    public Flux<Change<K, R>> changes(Delivery delivery) {
        return FollowingSubscription.flux(feed(), delivery);
    }

    @Override
    public Mono<Void> synced() {
        Mono<Snapshot<K, R>> complete = Flux.defer(() -> LatestRows.flux(feed(), Delivery.conflated().scheduler()))
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
        DerivedRows<K, R> current = connection;
        return current == null ? List.of() : current.hub().subscribers();
    }

    @Override
    public Disposable retain() {
        var retention = new Retention();
        retention.hold();
        return retention;
    }

    /** Uses a connection, and another one, after a pause, when it fails. */
    private final class Retention implements CommitListener<K, R>, Disposable {

        private final Consumer<Throwable> failed = this::end;
        private final Disposable.Swap held = Disposables.swap();
        private final Disposable.Swap next = Disposables.swap();
        private volatile @Nullable DerivedRows<K, R> present;
        private Duration pause = SHORTEST_PAUSE; // used by one connection at a time

        void hold() {
            DerivedRows<K, R> used = acquire(rows -> {});
            held.update(Disposables.composite(() -> used.hub().remove(this), () -> release(used))); // before it can fail and be replaced
            present = used;
            used.hub().add(this);
            if (held.isDisposed()) {
                used.hub().remove(this); // disposed of before it was added
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
            DerivedRows<K, R> ended = present;
            if (failure == null && ended != null) {
                ended.hub().remove(this); // otherwise the sources would wait for it
            } else if (failure != null && !next.isDisposed()) {
                next.update(afterThePause());
                pause = pause.compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2) : pause;
            }
        }

        private Disposable afterThePause() {
            Runnable again = () -> Contained.call(Retention::hold, this, failed);
            try {
                return scheduler.get().schedule(again, pause.toNanos(), TimeUnit.NANOSECONDS);
            } catch (Throwable noThread) { // otherwise nothing would compute the view again
                return Schedulers.boundedElastic().schedule(again, pause.toNanos(), TimeUnit.NANOSECONDS);
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
        return new Feed<>(follower -> {
            DerivedRows<K, R> used = acquire(rows -> rows.hub().add(follower));
            return Disposables.composite(() -> used.hub().remove(follower), () -> release(used));
        });
    }

    /**
     * The connection, for one more user, after {@code first} was called with it. If it has failed, its present users
     * keep it, and a new user gets a new one. Sources are subscribed to and cancelled outside of the monitor: they may
     * be views of the user, and one that blocks must not block the other users of this view.
     */
    private DerivedRows<K, R> acquire(Consumer<DerivedRows<K, R>> first) {
        DerivedRows<K, R> used = use();
        try {
            used.openOnce();
            first.accept(used);
        } catch (Throwable failure) { // no memory, or no thread: then it is not used
            release(used);
            throw failure;
        }
        return used;
    }

    private synchronized DerivedRows<K, R> use() {
        DerivedRows<K, R> current = connection;
        if (current == null || current.hasFailed()) {
            current = new DerivedRows<>(derived, scheduler.get(), period, status);
            connection = current;
        }
        current.uses++;
        return current;
    }

    private void release(DerivedRows<K, R> used) {
        if (leave(used)) {
            used.dispose();
        }
    }

    private synchronized boolean leave(DerivedRows<K, R> used) {
        boolean last = --used.uses == 0;
        if (last && used == connection) {
            connection = null;
        }
        return last;
    }
}
