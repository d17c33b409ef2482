package io.reactiveinformer.spring;

import io.reactiveinformer.metrics.InformerMetrics;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.SmartInitializingSingleton;
import reactor.core.Disposable;
import reactor.core.Disposables;

/** Meters of the informers of no factory among the beans. The informers of a factory are bound by {@link Metering}. */
final class BeanMeters implements SmartInitializingSingleton, DisposableBean {

    private final InformerMetrics metrics;
    private final Factories informers;
    private final Disposable.Composite bound = Disposables.composite();

    BeanMeters(InformerMetrics metrics, Factories informers) {
        this.metrics = metrics;
        this.informers = informers;
    }

    @Override
    public void afterSingletonsInstantiated() {
        informers.single().forEach(informer -> bound.add(metrics.bind(informer)));
    }

    @Override
    public void destroy() {
        bound.dispose();
    }
}
