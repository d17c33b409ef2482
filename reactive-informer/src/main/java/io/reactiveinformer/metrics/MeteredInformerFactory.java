package io.reactiveinformer.metrics;

import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.informer.InformerLease;
import io.reactiveinformer.informer.InformerSpec;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import reactor.core.publisher.Mono;

/** Those of another factory, each metered from when it is first had of this one until its end. */
final class MeteredInformerFactory implements InformerFactory {

    private final InformerFactory factory;
    private final InformerMetrics metrics;
    private final Set<Informer<?>> bound = ConcurrentHashMap.newKeySet();

    MeteredInformerFactory(InformerFactory factory, InformerMetrics metrics) {
        this.factory = factory;
        this.metrics = metrics;
    }

    @Override
    public <T> Informer<T> of(InformerSpec<T> spec) {
        return bound(factory.of(observed(spec)));
    }

    @Override
    public <T> InformerLease<T> lease(InformerSpec<T> spec) {
        InformerLease<T> lease = factory.lease(observed(spec));
        bound(lease.informer());
        return lease;
    }

    private <T> InformerSpec<T> observed(InformerSpec<T> spec) {
        var meters = metrics.reflector(spec.description());
        return spec.options(options -> {
            var own = spec.options().apply(options);
            return own.observer(own.observer().and(meters));
        });
    }

    private <T> Informer<T> bound(Informer<T> informer) {
        if (bound.add(informer)) {
            metrics.bind(informer);
            informer.status().ignoreElements().doFinally(end -> bound.remove(informer)).subscribe();
        }
        return informer;
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
        return factory.stop(grace);
    }

    @Override
    public void close() {
        factory.close();
    }
}
