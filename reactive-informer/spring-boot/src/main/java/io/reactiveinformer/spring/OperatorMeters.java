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
 * Meters of the controllers among the beans, also those of managers, of the elections, and of the recorders that have no observer. An
 * election's tag {@code lease} and a recorder's tag {@code reporter} are the names of their beans.
 */
final class OperatorMeters implements SmartInitializingSingleton, DisposableBean {

    private static final Logger LOG = LoggerFactory.getLogger(OperatorMeters.class);

    private final InformerMetrics.OfOperators metrics;
    private final Operators operators;
    private final Disposable.Composite bound = Disposables.composite();

    OperatorMeters(InformerMetrics.OfOperators metrics, Operators operators) {
        this.metrics = metrics;
        this.operators = operators;
    }

    @Override
    public void afterSingletonsInstantiated() {
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
