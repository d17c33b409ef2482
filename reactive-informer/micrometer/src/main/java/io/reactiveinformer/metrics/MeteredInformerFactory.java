package io.reactiveinformer.metrics;

import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.informer.InformerLease;
import io.reactiveinformer.informer.InformerSpec;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;

/** Those of another factory, each metered from when it is first had of this one until it is stopped, or replaced when it has given up. */
final class MeteredInformerFactory implements InformerFactory {

    private final InformerFactory factory;
    private final InformerMetrics metrics;
    private final SharedReflectorMeters reflectors;
    private final Map<Informer<?>, Disposable> bound = new ConcurrentHashMap<>();

    MeteredInformerFactory(InformerFactory factory, InformerMetrics metrics, SharedReflectorMeters reflectors) {
        this.factory = factory;
        this.metrics = metrics;
        this.reflectors = reflectors;
    }

    @Override
    public <T> Informer<T> of(InformerSpec<T> spec) {
        return metered(spec, factory::of, informer -> informer);
    }

    @Override
    public <T> InformerLease<T> lease(InformerSpec<T> spec) {
        return metered(spec, factory::lease, InformerLease::informer);
    }

    /** Meters are used before there is an informer, so that it never has some that are being removed. */
    private <T, R> R metered(InformerSpec<T> spec, Function<InformerSpec<T>, R> make, Function<R, Informer<T>> informer) {
        String description = spec.description();
        ReflectorMeters meters = reflectors.use(description);
        boolean fresh = false;
        try {
            R made = make.apply(observed(spec, meters));
            fresh = bind(informer.apply(made), description);
            return made;
        } finally {
            if (!fresh) {
                reflectors.leave(description);
            }
        }
    }

    private static <T> InformerSpec<T> observed(InformerSpec<T> spec, ReflectorMeters meters) {
        return spec.options(options -> {
            var own = spec.options().apply(options);
            return own.observer(own.observer().and(meters));
        });
    }

    private boolean bind(Informer<?> informer, String description) {
        Disposable.Swap binding = Disposables.swap();
        if (bound.putIfAbsent(informer, binding) != null) {
            return false;
        }
        Disposable meters;
        try {
            forgetReplaced();
            meters = metrics.bind(informer);
        } catch (Throwable failure) { // such as a filter of meters throws; the next who asks tries again
            bound.remove(informer);
            throw failure;
        }
        binding.update(() -> {
            meters.dispose();
            reflectors.leave(description);
        });
        informer.status().last().subscribe(end -> {
            if (end.cause() == null) {
                forget(informer);
            }
        });
        return true;
    }

    /** Those that have given up stay until then: somebody should see it. */
    private void forgetReplaced() {
        List<Informer<?>> known = List.copyOf(bound.keySet()); // first: one that is made meanwhile would be bound, and not there
        List<Informer<?>> there = factory.informers();
        known.stream().filter(informer -> !there.contains(informer)).toList().forEach(this::forget);
    }

    private void forget(Informer<?> informer) {
        Disposable binding = bound.remove(informer);
        if (binding != null) {
            binding.dispose();
        }
    }

    @Override
    public List<Informer<?>> informers() {
        return factory.informers();
    }

    @Override
    public void start() {
        factory.start();
    }

    @Override
    public Mono<Void> synced() {
        return factory.synced();
    }

    @Override
    public Mono<Void> synced(Duration timeout) {
        return factory.synced(timeout);
    }

    @Override
    public Mono<Void> stop(Duration grace) {
        return Mono.using(() -> this, self -> factory.stop(grace), MeteredInformerFactory::forgetAll); // before anybody hears that it has stopped
    }

    @Override
    public void close() {
        factory.close();
        forgetAll();
    }

    private void forgetAll() {
        List.copyOf(bound.keySet()).forEach(this::forget);
    }
}
