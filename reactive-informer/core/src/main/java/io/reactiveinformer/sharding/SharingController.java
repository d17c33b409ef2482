package io.reactiveinformer.sharding;

import io.kubernetes.client.openapi.models.V1Lease;
import io.reactiveinformer.client.ResourceClient;
import io.reactiveinformer.controller.Controller;
import io.reactiveinformer.controller.ControllerBuilder;
import io.reactiveinformer.controller.ControllerStatus;
import io.reactiveinformer.controller.Held;
import io.reactiveinformer.controller.Reconciled;
import io.reactiveinformer.controller.Reconciler;
import io.reactiveinformer.internal.Hub;
import io.reactiveinformer.internal.SparedTimer;
import io.reactiveinformer.leader.ElectionOptions;
import io.reactiveinformer.resource.ObjectKey;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * A controller that works on this member's share, with one {@link Member} after the other: after being cut off it joins under another name.
 */
final class SharingController<K> implements ShardedController<K> {

    private static final Logger LOG = LoggerFactory.getLogger(ShardedController.class);

    private final ResourceClient<V1Lease> leases;
    private final ObjectKey group;
    private final ElectionOptions options;
    private final Division division;
    private final Work<K> work;
    private final Holding holding;
    private final Plea plea;
    private final Controller<K> controller;
    private final Hub<Share> shares = Hub.ofStates(1);
    private final AtomicReference<Sinks.@Nullable Empty<Void>> running = new AtomicReference<>();
    private final AtomicBoolean started = new AtomicBoolean();
    private volatile boolean over;

    SharingController(
            ResourceClient<V1Lease> leases,
            ObjectKey group,
            ControllerBuilder<K> controller,
            Reconciler<K> reconciler,
            ElectionOptions asked,
            Division division) {
        this.leases = leases;
        shares.publish(Share.NONE);
        this.group = group;
        this.options = asked.withTimer(SparedTimer.of(asked.timer()));
        this.division = division;
        this.plea = new Plea(options.timer());
        this.holding = new Holding(division, this::grown);
        this.work = new Work<>(division, holding);
        this.controller = controller.keys(work::mayBegin).reconcile(work.guard(reconciler));
    }

    /** Queues the keys that were dropped until the informers cached them. */
    private void grown() {
        options.workers().schedule(() -> controller.addAll(work::mayBegin));
    }

    @Override
    public Mono<Void> run() {
        return Mono.using(this::beginWork, end -> Mono.defer(this::membership)
                .repeatWhen(ends -> ends.takeWhile(done -> !over && !work.isLeaving())
                        .concatMap(done -> Mono.delay(plea.atLeast(options.retryPeriod()), options.timer())
                                .takeUntilOther(work.leaving()).defaultIfEmpty(0L))
                        .takeWhile(waited -> !work.isLeaving()))
                .then(), this::endWork);
    }

    private Sinks.Empty<Void> beginWork() {
        Sinks.Empty<Void> end = Sinks.empty();
        if (!running.compareAndSet(null, end)) {
            throw new IllegalStateException("controller " + name() + " is at work already");
        }
        return end;
    }

    private void endWork(Sinks.Empty<Void> end) {
        running.set(null);
        end.tryEmitEmpty();
    }

    /** Joins when the views are synced: a member that cannot work yet would keep keys from those that can. */
    private Mono<Void> membership() {
        return Mono.usingWhen(
                Mono.fromSupplier(() -> new Member(leases, group, options, work, division, holding, plea, this::comply)),
                member -> Mono.firstWithSignal(controller.run(), seesOrLeaves().then(Mono.defer(member::rounds)))
                        .doOnTerminate(member::end)
                        .doOnCancel(member::end),
                Member::release);
    }

    private Mono<Void> seesOrLeaves() {
        return Mono.firstWithSignal(controller.synced(), work.leaving());
    }

    /** Queues keys that this member begins to own: they may have been dropped before. */
    private synchronized void comply(Share next) {
        Share before = work.share();
        if (next.isSameAs(before)) {
            return;
        }
        work.share(next);
        if (!next.toString().equals(before.toString())) {
            LOG.info("{}: has the keys of {}", name(), next);
        }
        shares.publish(next);
        if (next.members() > 0) {
            options.workers().schedule(() -> controller.addAll(key -> next.owns(key) && !before.owns(key)));
        }
    }

    @Override
    public Flux<Share> shares() {
        return shares.flux(options.workers());
    }

    @Override
    public void start() {
        if (!started.getAndSet(true)) {
            run().subscribe(null, failure -> LOG.error("{}: does not work", name(), failure));
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
    public List<Held<K>> held() {
        return controller.held();
    }

    @Override
    public int size() {
        return controller.size();
    }
}
