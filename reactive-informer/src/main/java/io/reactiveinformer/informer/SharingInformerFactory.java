package io.reactiveinformer.informer;

import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.delta.Known;
import io.reactiveinformer.reflector.ReflectorOptions;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.Scope;
import io.reactiveinformer.resource.Selector;
import io.reactiveinformer.source.ListerWatcher;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Hands out one informer for each (type, scope, selector, transform), and stops those that nobody needs any more. */
final class SharingInformerFactory implements InformerFactory {

    private record Wanted(ResourceType<?> type, Scope scope, Selector selector, UnaryOperator<?> transform) {}

    private final KubernetesClient client;
    private final ReflectorOptions<?> options;
    private final Duration grace;
    private final @Nullable SnapshotStore snapshots;
    private final Map<Wanted, Shared<?>> informers = new LinkedHashMap<>(); // guarded by itself
    private boolean started; // guarded by informers
    private boolean closed; // guarded by informers

    /** @param snapshots what informers begin with that do not say it themselves; null for nothing */
    SharingInformerFactory(KubernetesClient client, ReflectorOptions<?> options, Duration grace, @Nullable SnapshotStore snapshots) {
        this.snapshots = snapshots;
        this.client = client;
        this.options = options;
        this.grace = grace;
    }

    /** An informer, and who needs it. Guarded by {@link #informers}. */
    private final class Shared<T> {

        private final Wanted wanted;
        private final SharedInformer<T> informer;
        private boolean kept;
        private int leases;
        private Disposable end = Disposables.disposed();

        Shared(Wanted wanted, SharedInformer<T> informer) {
            this.wanted = wanted;
            this.informer = informer;
        }

        Lease<T> lease() {
            leases++;
            end.dispose();
            return new Lease<>(this);
        }

        void release() {
            synchronized (informers) {
                leases--;
                if (isIdle()) {
                    end = options.timer().schedule(this::expire, grace.toMillis(), TimeUnit.MILLISECONDS);
                }
            }
        }

        private void expire() {
            synchronized (informers) {
                if (isIdle() && informers.remove(wanted, this)) {
                    informer.stop();
                }
            }
        }

        private boolean isIdle() {
            return leases == 0 && !kept && !closed;
        }
    }

    private static final class Lease<T> implements InformerLease<T> {

        private final SharingInformerFactory.Shared<T> shared;
        private final AtomicBoolean disposed = new AtomicBoolean();

        Lease(SharingInformerFactory.Shared<T> shared) {
            this.shared = shared;
        }

        @Override
        public Informer<T> informer() {
            return shared.informer;
        }

        @Override
        public void dispose() {
            if (disposed.compareAndSet(false, true)) {
                shared.release();
            }
        }

        @Override
        public boolean isDisposed() {
            return disposed.get();
        }
    }

    @Override
    public <T> Informer<T> of(InformerSpec<T> spec) {
        synchronized (informers) {
            Shared<T> shared = shared(spec);
            shared.kept = true;
            return shared.informer;
        }
    }

    @Override
    public <T> InformerLease<T> lease(InformerSpec<T> spec) {
        synchronized (informers) {
            return shared(spec).lease();
        }
    }

    @SuppressWarnings("unchecked") // equal types have the same object class
    private <T> Shared<T> shared(InformerSpec<T> spec) {
        if (closed) {
            throw new IllegalStateException("this InformerFactory is closed; no informer for " + spec.type() + " can be had of it any more");
        }
        var wanted = new Wanted(spec.type(), spec.scope(), spec.selector(), spec.transform());
        var shared = (Shared<T>) informers.compute(wanted, (same, held) -> held == null || held.informer.isOver() ? new Shared<>(same, create(spec)) : held);
        if (started) {
            shared.informer.start();
        }
        return shared;
    }

    private <T> SharedInformer<T> create(InformerSpec<T> spec) {
        ReflectorOptions<T> own = spec.options().apply(options.known(Known.none()));
        SnapshotStore store = storeOf(spec);
        return new SharedInformer<>(spec.type() + " in " + spec.scope(), spec.scope(), part -> source(spec, part), own,
                store == null ? null : new WarmStart<>(store, spec, client, own.timer()));
    }

    /** What is secret is kept only where that was said of it, and so is what a transform makes, since that may change unseen. */
    private @Nullable SnapshotStore storeOf(InformerSpec<?> spec) {
        if (spec.snapshots() == null) {
            return spec.transforms() || isSecret(spec.type()) ? null : snapshots;
        }
        if (spec.transforms() && spec.edition().isEmpty()) {
            throw new IllegalArgumentException("what the transform of " + spec.type() + " makes can only be kept with a name for it, which changes"
                    + " when the transform does: say warmStart(store, \"1\")");
        }
        return spec.snapshots();
    }

    /** Their annotations too may hold what they hold. */
    private static boolean isSecret(ResourceType<?> type) {
        return type.group().isEmpty() && type.plural().equals("secrets");
    }

    private <T> ListerWatcher<T> source(InformerSpec<T> spec, Scope part) {
        ListerWatcher<T> source = ListerWatcher.over(client, spec.type(), part, spec.selector());
        return spec.transforms() ? new TransformingListerWatcher<>(source, spec.transform()) : source;
    }

    @Override
    public void start() {
        synchronized (informers) {
            started = true;
            informers.values().forEach(shared -> shared.informer.start());
        }
    }

    @Override
    public Mono<Void> synced() {
        return Mono.defer(() -> Flux.fromIterable(made()).flatMap(Informer::synced, Integer.MAX_VALUE).then());
    }

    @Override
    public Mono<Void> synced(Duration timeout) {
        return Mono.defer(() -> Flux.fromIterable(made())
                .flatMap(informer -> laggard(informer.synced(timeout)), Integer.MAX_VALUE)
                .collectList()
                .flatMap(laggards -> laggards.isEmpty() ? Mono.<Void>empty() : Mono.error(NotSyncedException.of(laggards))));
    }

    private static Mono<NotSyncedException> laggard(Mono<Void> synced) {
        return synced.then(Mono.<NotSyncedException>empty()).onErrorResume(NotSyncedException.class, Mono::just);
    }

    @Override
    public Mono<Void> stop(Duration grace) {
        return Mono.defer(() -> {
            List<SharedInformer<?>> stopped = stopAll();
            return Mono.when(stopped.stream().map(SharedInformer::finished).toList())
                    .timeout(grace, Mono.fromRunnable(() -> stopped.forEach(SharedInformer::cut)), options.timer());
        });
    }

    @Override
    public void close() {
        stopAll();
    }

    /** Last first: what was made later may be derived from what was made before. */
    private List<SharedInformer<?>> stopAll() {
        synchronized (informers) {
            closed = true;
            List<SharedInformer<?>> lastFirst = made();
            Collections.reverse(lastFirst);
            lastFirst.forEach(SharedInformer::stop);
            return lastFirst;
        }
    }

    private List<SharedInformer<?>> made() {
        synchronized (informers) {
            List<SharedInformer<?>> made = new ArrayList<>();
            informers.values().forEach(shared -> made.add(shared.informer));
            return made;
        }
    }
}
