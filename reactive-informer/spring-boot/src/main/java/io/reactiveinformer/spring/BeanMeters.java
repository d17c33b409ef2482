package io.reactiveinformer.spring;

import io.reactiveinformer.metrics.InformerMetrics;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.SmartInitializingSingleton;
import reactor.core.Disposable;
import reactor.core.Disposables;

/**
 * Meters of the controllers, the elections and the informers of no factory among the beans; an election's tag {@code lease} is the name of
 * its bean. The controllers of a manager are bound by what registers them, and the informers of a factory by {@link Metering}.
 */
final class BeanMeters implements SmartInitializingSingleton, DisposableBean {

    private static final Logger LOG = LoggerFactory.getLogger(BeanMeters.class);

    private final InformerMetrics metrics;
    private final Factories informers;
    private final Operators operators;
    private final Disposable.Composite bound = Disposables.composite();

    BeanMeters(InformerMetrics metrics, Factories informers, Operators operators) {
        this.metrics = metrics;
        this.informers = informers;
        this.operators = operators;
    }

    @Override
    public void afterSingletonsInstantiated() {
        informers.single().forEach(informer -> bound.add(metrics.bind(informer)));
        operators.controllers().forEach(controller -> bound.add(metrics.bind(controller)));
        operators.electors().forEach((name, elector) -> bound.add(elector.leadership()
                .subscribe(metrics.leadership(name), failure -> LOG.warn("the election {} is measured no more", name, failure))));
    }

    @Override
    public void destroy() {
        bound.dispose();
    }
}
