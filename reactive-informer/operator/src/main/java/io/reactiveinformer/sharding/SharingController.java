package io.reactiveinformer.sharding;

import io.kubernetes.client.openapi.models.V1Lease;
import io.reactiveinformer.client.ResourceClient;
import io.reactiveinformer.controller.Controller;
import io.reactiveinformer.controller.Controller.HeldKey;
import io.reactiveinformer.controller.Controller.Reconciled;
import io.reactiveinformer.controller.ControllerBuilder;
import io.reactiveinformer.controller.ControllerStatus;
import io.reactiveinformer.controller.Reconciler;
import io.reactiveinformer.controller.ViewEndedException;
import io.reactiveinformer.internal.SparedTimer;
import io.reactiveinformer.internal.informer.Contained;
import io.reactiveinformer.internal.informer.Instrumented;
import io.reactiveinformer.internal.informer.LatestValues;
import io.reactiveinformer.internal.operator.Attempts;
import io.reactiveinformer.internal.operator.HasTerms;
import io.reactiveinformer.leader.ElectionOptions;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.sharding.ShardedController.Division;
import io.reactiveinformer.sharding.ShardedController.Share;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;

/**
 * A controller that works on this member's share. It is one {@link Member} after the other: after it was cut off, it joins under another
 * name.
 */
final class SharingController<K> implements ShardedController<K>, Instrumented {

    private static final Logger LOG = LoggerFactory.getLogger(ShardedController.class);

    private final ElectionOptions options;
    private final Work<K> work;
    private final Member.RetryAfterGate gate;
    private final Function<Consumer<Throwable>, Member> members; // by what is called with what is thrown
    private final Controller<K> controller;
    private final LatestValues<Share> shares = LatestValues.ofStates(1);
    private final AtomicReference<Sinks.@Nullable Empty<Void>> running = new AtomicReference<>();
    private final AtomicBoolean started = new AtomicBoolean();
    private volatile Reconciler<K> reconciler;
    private volatile boolean over;
    private volatile @Nullable Memberships memberships; // the latest

    SharingController(ResourceClient<V1Lease> leases, ObjectKey group, ControllerBuilder<K> controller,
            Reconciler<K> reconciler, ElectionOptions asked, Division division) {
        shares.publish(Share.NONE);
        this.options = asked.withTimer(SparedTimer.of(asked.timer()));
        this.gate = new Member.RetryAfterGate(options.timer());
        this.work = new Work<>(division, new ShareCache(division, this::grown));
        this.members = thrown -> new Member(leases, group, options, work, gate, this::comply, thrown);
        this.reconciler = reconciler;
        this.controller = controller.keys(work::mayBegin).reconcile(work.guard(request -> this.reconciler.reconcile(request)));
    }

    /** What wraps the reconciler is not called for keys of other members. */
    @Override
    @SuppressWarnings("unchecked") // the part is the reconciler of this
    public <P> void wrap(Class<P> part, UnaryOperator<P> around) {
        if (part == Reconciler.class) {
            reconciler = ((UnaryOperator<Reconciler<K>>) around).apply(reconciler);
        } else {
            Instrumented.wrap(controller, part, around);
        }
    }

    /** Queues the keys that were dropped because the informers did not cache them yet. */
    private void grown() {
        queue(work::mayBegin);
    }

    private void queue(Predicate<? super K> which) {
        Memberships present = memberships;
        // What is thrown aborts the membership, and the next one queues the keys.
        Scheduler workers = present == null ? options.workers() : Contained.scheduler(options.workers(), present::breakOff);
        workers.schedule(() -> controller.addAll(which));
    }

    @Override
    public Mono<Void> run() {
        return Mono.using(this::beginWork, end -> Mono.create(sink -> {
            var all = new Memberships(sink);
            memberships = all;
            sink.onDispose(Disposables.composite(all, work.leaving().subscribe(null, null, all::leave)));
            all.start();
        }), this::endWork);
    }

    private Sinks.Empty<Void> beginWork() {
        Sinks.Empty<Void> end = Sinks.empty();
        if (!running.compareAndSet(null, end)) {
            throw new IllegalStateException("controller " + name() + " runs already; it can have one run() or start() at a time");
        }
        return end;
    }

    private void endWork(Sinks.Empty<Void> end) {
        running.set(null);
        end.tryEmitEmpty();
    }

    /** One membership after the other. The share of an aborted one is given up. */
    private final class Memberships extends Attempts {

        private final MonoSink<Void> sink;
        private volatile boolean pauses;

        Memberships(MonoSink<Void> sink) {
            super(options.timer());
            this.sink = sink;
        }

        @Override
        protected Disposable begin() {
            pauses = false;
            if (isOver()) {
                sink.success();
                return Disposables.disposed();
            }
            return membership(this::breakOff).subscribe(null, this::failed, this::pause);
        }

        private boolean isOver() {
            return over || work.isLeaving();
        }

        void leave() {
            if (pauses) {
                sink.success();
            }
        }

        private void pause() {
            pauses = true;
            if (isOver()) {
                sink.success();
                return;
            }
            try {
                nextAfter(gate.atLeast(options.retryPeriod()));
            } catch (Throwable failure) { // past the operators that call this, it would leave the group without a word
                breakOff(failure);
            }
        }

        private void failed(Throwable failure) {
            if (failure instanceof ViewEndedException) {
                sink.error(failure);
            } else {
                breakOff(failure);
            }
        }

        @Override
        protected void noted(Throwable failure) {
            LOG.warn("{}: {} was thrown, so it gives up its share and joins again", name(), failure.toString(), failure);
        }

        @Override
        protected void aborted(Throwable failure) {
            comply(Share.NONE);
            pauses = true;
            nextAfter(gate.atLeast(options.retryPeriod()));
        }
    }

    /** Joins when the views are synced: a member that cannot work yet would take keys away from members that can. */
    private Mono<Void> membership(Consumer<Throwable> thrown) {
        return Mono.usingWhen(
                Mono.fromSupplier(() -> members.apply(thrown)),
                member -> Mono.firstWithSignal(controller.run(), seesOrLeaves().then(Mono.defer(member::rounds)))
                        .doOnTerminate(member::end)
                        .doOnCancel(member::end),
                Member::release);
    }

    private Mono<Void> seesOrLeaves() {
        return Mono.firstWithSignal(controller.synced(), work.leaving());
    }

    /** Takes the share {@code next}, and queues the keys that this member begins to own: they may have been dropped before. */
    private synchronized void comply(Share next) {
        Share before = work.share();
        if (next.isSameAs(before)) {
            return;
        }
        if (controller instanceof HasTerms terms) {
            terms.beginTerm(); // before it owns more: others have worked on those keys
        }
        work.share(next);
        if (!next.toString().equals(before.toString())) {
            LOG.info("{}: its share is now {}", name(), next);
        }
        shares.publish(next);
        if (next.members() > 0) {
            queue(key -> next.owns(key) && !before.owns(key));
        }
    }

    @Override
    public Flux<Share> shares() {
        return shares.flux(options.workers());
    }

    @Override
    public void start() {
        if (!started.getAndSet(true)) {
            run().subscribe(null, failure -> LOG.error("controller {} failed", name(), failure));
        }
    }

    @Override
    public Mono<Void> drain(Duration grace) {
        return Mono.defer(() -> {
            work.leave();
            return ended().timeout(grace, Mono.empty(), options.timer())
                    .then(controller.drain(Duration.ZERO))
                    .then(Mono.defer(this::ended))
                    .then(Mono.fromRunnable(this::close));
        });
    }

    private Mono<Void> ended() {
        Sinks.Empty<Void> end = running.get();
        return end == null ? Mono.empty() : end.asMono();
    }

    @Override
    public void close() {
        over = true;
        controller.close();
        shares.complete();
    }

    @Override
    public String name() {
        return controller.name();
    }

    @Override
    public String toString() {
        return "ShardedController[" + name() + "]";
    }

    @Override
    public void warm() {
        controller.warm();
    }

    @Override
    public Mono<Void> synced() {
        return controller.synced();
    }

    @Override
    public Flux<ControllerStatus> status() {
        return controller.status();
    }

    @Override
    public Flux<Reconciled<K>> results() {
        return controller.results();
    }

    @Override
    public void add(K key) {
        controller.add(key);
    }

    @Override
    public void addAll(Predicate<? super K> which) {
        controller.addAll(which);
    }

    @Override
    public Mono<Void> idle(Predicate<? super K> which) {
        return controller.idle(which);
    }

    @Override
    public List<HeldKey<K>> held() {
        return controller.held();
    }

    @Override
    public int size() {
        return controller.size();
    }
}
