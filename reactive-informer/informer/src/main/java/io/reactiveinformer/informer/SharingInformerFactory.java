package io.reactiveinformer.informer;

import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.internal.informer.SharedThreads;
import io.reactiveinformer.internal.warmstart.KeepsNothing;
import io.reactiveinformer.internal.warmstart.WarmStart;
import io.reactiveinformer.reflector.ReflectorOptions;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.Selector;
import io.reactiveinformer.source.ListerWatcher;
import io.reactiveinformer.warmstart.WarmStartStorage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Shares one informer for each type, namespaces, selector, transform and set of refusals, and stops those that are not needed any more. */
final class SharingInformerFactory implements InformerFactory {

    private record Wanted(ResourceType<?> type, Namespaces namespaces, Selector selector, UnaryOperator<?> transform,
            Set<Integer> refusedAsEmpty) {}

    private final KubernetesClient client;
    private final ReflectorOptions options;
    private final Duration grace;
    private final @Nullable WarmStartStorage snapshots;
    /** Guarded by itself; under the lock only equals of keys is called, and timers are disposed of. */
    private final Map<Wanted, Shared<?>> informers = new LinkedHashMap<>();
    private final Set<SharedInformer<?>> leaving = new LinkedHashSet<>(); // stopped and removed, but not finished; guarded by informers
    private final Disposable beforeClientCloses;
    private boolean started; // guarded by informers
    private boolean closed; // guarded by informers

    /** @param snapshots the storage for informers whose spec has none; null for none */
    SharingInformerFactory(KubernetesClient client, ReflectorOptions options, Duration grace, @Nullable WarmStartStorage snapshots) {
        this.snapshots = snapshots;
        this.client = client;
        this.options = options;
        this.grace = grace;
        this.beforeClientCloses = client.beforeClose(Mono.fromRunnable(() -> lastFirst().forEach(SharedInformer::clientClosed)));
    }

    /** An informer, and the number of its leases, which {@link #informers} guards. */
    private final class Shared<T> {

        private final Wanted wanted;
        private final SharedInformer<T> informer;
        private final @Nullable WarmStart<T> warmStart;
        private boolean kept;
        private int leases;
        private final Disposable.Swap expiry = Disposables.swap();

        Shared(Wanted wanted, SharedInformer<T> informer, @Nullable WarmStart<T> warmStart) {
            this.wanted = wanted;
            this.informer = informer;
            this.warmStart = warmStart;
        }

        void keep() {
            kept = true;
        }

        void lease() {
            leases++;
            expiry.update(Disposables.disposed());
        }

        void release() {
            synchronized (informers) {
                leases--;
                if (!isIdle()) {
                    return;
                }
            }
            expiry.update(options.timer().schedule(this::expire, grace.toMillis(), TimeUnit.MILLISECONDS));
        }

        private void expire() {
            synchronized (informers) {
                if (!isIdle() || !informers.remove(wanted, this)) {
                    return;
                }
                leaving.add(informer);
            }
            informer.stop();
            leave(informer);
        }

        private boolean isIdle() {
            return leases == 0 && !kept && !closed;
        }
    }

    /** Makes a stop of this factory wait for {@code informer} too, until it is finished. */
    private void leave(SharedInformer<?> informer) {
        informer.finished()
                .doFinally(end -> {
                    synchronized (informers) {
                        leaving.remove(informer);
                    }
                })
                .subscribe();
    }

    private record Lease<T>(Informer<T> informer, Disposable once) implements InformerFactory.Handle<T> {

        @Override
        public void dispose() {
            once.dispose();
        }

        @Override
        public boolean isDisposed() {
            return once.isDisposed();
        }
    }

    @Override
    public <T> Informer<T> of(InformerSpec<T> spec) {
        return shared(spec, Shared::keep).informer;
    }

    @Override
    public <T> InformerFactory.Handle<T> lease(InformerSpec<T> spec) {
        Shared<T> shared = shared(spec, Shared::lease);
        return new Lease<>(shared.informer, Disposables.composite(shared::release));
    }

    /** The informer for {@code spec}. A missing one is created outside of the lock, as that calls a function of the user. */
    private <T> Shared<T> shared(InformerSpec<T> spec, Consumer<Shared<T>> use) {
        var wanted = new Wanted(spec.type(), spec.namespaces(), spec.selector(), spec.transform(), spec.refusedAsEmpty());
        Shared<T> held = use(wanted, null, use);
        Shared<T> shared = held != null ? held : Objects.requireNonNull(use(wanted, create(wanted, spec), use));
        boolean running;
        synchronized (informers) {
            running = started;
        }
        if (running) {
            shared.informer.start();
        }
        return shared;
    }

    /** The existing informer if it has not ended, or else {@code fresh}. */
    @SuppressWarnings("unchecked") // equal types have the same object class
    private <T> @Nullable Shared<T> use(Wanted wanted, @Nullable Shared<T> fresh, Consumer<Shared<T>> use) {
        SharedInformer<?> replaced = null;
        Shared<T> used;
        synchronized (informers) {
            if (closed) {
                throw new IllegalStateException("this InformerFactory is closed; an informer for "
                        + wanted.type() + " needs another factory");
            }
            var held = (Shared<T>) informers.get(wanted);
            used = held == null || held.informer.isOver() ? fresh : held;
            if (used == null) {
                return null;
            }
            if (used != held) {
                refuseToShareSnapshots(used);
                informers.remove(wanted);
                informers.put(wanted, used);
                replaced = held == null ? null : held.informer;
            }
            if (replaced != null) {
                leaving.add(replaced);
            }
            use.accept(used);
        }
        if (replaced != null) {
            leave(replaced);
        }
        return used;
    }

    /** Refuses a snapshot that two informers would share: each would begin with the objects that the other saved, or refuse them. */
    private void refuseToShareSnapshots(Shared<?> fresh) {
        for (Shared<?> other : informers.values()) {
            if (fresh.warmStart != null && !other.informer.isOver() && fresh.warmStart.isKeptAs(other.warmStart)) {
                throw new IllegalArgumentException(fresh.informer.description()
                        + ": results of another transform of the same objects are saved under the same"
                        + " edition in the same storage already. Use another edition; or, if the transform is the same, use the same "
                        + "instance of the function: a lambda expression may create a new one each time");
            }
        }
    }

    private <T> Shared<T> create(Wanted wanted, InformerSpec<T> spec) {
        client.resources(spec.type()); // refuses a class that cannot be decoded; otherwise each list would fail
        ReflectorOptions own = spec.options().apply(options);
        WarmStartStorage store = storeOf(spec);
        WarmStart<T> warmStart = store == null ? null : new WarmStart<>(store,
                new WarmStart.Selected<>(spec.type(), spec.namespaces(), spec.selector(), edition(spec)), client, own.timer());
        return new Shared<>(wanted,
                new SharedInformer<>(spec.description(), spec.namespaces(), part -> source(spec, part), own, spec.refusedAsEmpty(),
                        warmStart, null).of(client.server()), warmStart);
    }

    /**
     * The storage of an informer; null for none. Secrets are saved only if the spec has a storage; results of a transform too, since the
     * transform may change unnoticed.
     */
    private @Nullable WarmStartStorage storeOf(InformerSpec<?> spec) {
        if (spec.snapshots() instanceof KeepsNothing) {
            return null;
        }
        if (spec.snapshots() == null) {
            return spec.transforms() || isSecret(spec.type()) ? null : snapshots;
        }
        if (spec.transforms() && spec.edition().isEmpty()) {
            throw new IllegalArgumentException("what the transform of " + spec.type()
                    + " makes can only be kept with a name for it, which changes"
                    + " when the transform does: say withWarmStart(store, \"1\")");
        }
        return spec.snapshots();
    }

    /** Informers of the same objects that differ in what counts as empty save apart from each other. */
    private static String edition(InformerSpec<?> spec) {
        return spec.refusedAsEmpty().isEmpty() ? spec.edition() : spec.edition() + " empty on " + new TreeSet<>(spec.refusedAsEmpty());
    }

    /** Whether these are Secrets, in any form: their annotations may contain the same data. */
    private static boolean isSecret(ResourceType<?> type) {
        return type.group().isEmpty() && type.plural().equals("secrets");
    }

    private <T> ListerWatcher<T> source(InformerSpec<T> spec, Namespaces part) {
        ListerWatcher<T> source = ListerWatcher.over(client, spec.type(), part, spec.selector());
        return spec.transforms() ? new TransformingListerWatcher<>(source, spec.transform()) : source;
    }

    @Override
    public List<Informer<?>> informers() {
        return made().stream().filter(informer -> !informer.isOver() || informer.hasGivenUp())
                .<Informer<?>>map(informer -> informer).toList();
    }

    @Override
    public void start() {
        synchronized (informers) {
            started = true;
        }
        made().forEach(SharedInformer::start);
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
                    .timeout(grace, Mono.<Void>fromRunnable(() -> stopped.forEach(SharedInformer::cut))
                            .publishOn(SharedThreads.ofChanges()), options.timer()); // subscribers must not delay the timer
        });
    }

    @Override
    public void close() {
        stopAll();
    }

    /** Stops all informers, the latest first. Returns them, with those that were stopped before and are not finished. */
    private List<SharedInformer<?>> stopAll() {
        synchronized (informers) {
            closed = true;
        }
        beforeClientCloses.dispose();
        List<SharedInformer<?>> lastFirst = lastFirst();
        lastFirst.forEach(SharedInformer::stop);
        return lastFirst;
    }

    private List<SharedInformer<?>> lastFirst() {
        List<SharedInformer<?>> lastFirst;
        synchronized (informers) {
            lastFirst = made();
            lastFirst.addAll(0, leaving);
        }
        Collections.reverse(lastFirst);
        return lastFirst;
    }

    @Override
    public String toString() {
        synchronized (informers) {
            return "InformerFactory[" + client + ", " + informers.size() + " informers" + (closed ? ", closed]" : "]");
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
