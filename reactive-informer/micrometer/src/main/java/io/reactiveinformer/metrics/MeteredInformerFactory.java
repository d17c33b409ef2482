package io.reactiveinformer.metrics;

import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.informer.InformerSpec;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

/**
 * A view of another factory, whose informers are metered: from their first request here until they are stopped, or, if one has given up,
 * until it is replaced.
 */
final class MeteredInformerFactory implements InformerFactory {

    /** If a status cannot be delivered, for lack of a thread, the subscription fails; the next one starts with the current status. */
    private static final Retry UNDELIVERED = Retry.fixedDelay(Long.MAX_VALUE, Duration.ofSeconds(1));

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
    public <T> InformerFactory.Handle<T> lease(InformerSpec<T> spec) {
        return metered(spec, factory::lease, InformerFactory.Handle::informer);
    }

    /**
     * Requests an informer, and meters it. The meters are acquired before the informer is created, so that it never gets meters that are
     * being removed.
     */
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
        return spec.withOptions(options -> {
            var own = spec.options().apply(options);
            return own.withObserver(own.observer().and(meters));
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
        } catch (Throwable failure) { // of a meter filter, for example; the next request tries again
            bound.remove(informer);
            throw failure;
        }
        binding.update(() -> {
            meters.dispose();
            reflectors.leave(description);
        });
        informer.status().retryWhen(UNDELIVERED).last().subscribe(end -> {
            if (end.cause() == null) {
                forget(informer);
            }
        });
        return true;
    }

    /**
     * Removes the meters of replaced informers. An informer that has given up keeps its meters until it is replaced, so that the failure is
     * visible.
     */
    private void forgetReplaced() {
        List<Informer<?>> known = List.copyOf(bound.keySet()); // read first: an informer that is created meanwhile is only in this list
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
        return Mono.using(() -> this, self -> factory.stop(grace), MeteredInformerFactory::forgetAll); // before the stop completes
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
