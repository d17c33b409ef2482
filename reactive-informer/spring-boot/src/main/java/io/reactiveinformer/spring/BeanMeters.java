package io.reactiveinformer.spring;

import io.reactiveinformer.internal.informer.Instrumented;
import io.reactiveinformer.metrics.InformerMetrics;
import io.reactiveinformer.recorder.EventRecorder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.SmartInitializingSingleton;
import reactor.core.Disposable;
import reactor.core.Disposables;

/**
 * Meters of the controllers, also those of managers, the elections, the recorders that have no observer, and the informers of no factory
 * among the beans. An election's tag {@code lease} and a recorder's tag {@code reporter} are the names of their beans. The informers of a
 * factory are bound by {@link Metering}.
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
        operators.forEachController(controller -> bound.add(metrics.bind(controller)));
        operators.recorders().forEach((name, recorder) -> Instrumented.wrap(recorder, EventRecorder.Observer.class,
                observer -> observer == EventRecorder.Observer.NONE ? metrics.events(name) : observer));
        operators.electors().forEach((name, elector) -> bound.add(elector.leadership()
                .subscribe(metrics.leadership(name), failure -> LOG.warn("the election {} is measured no more", name, failure))));
    }

    @Override
    public void destroy() {
        bound.dispose();
    }
}
