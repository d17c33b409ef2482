package io.reactiveinformer.spring;

import io.reactiveinformer.controller.Reconciler;
import io.reactiveinformer.internal.informer.Instrumented;
import io.reactiveinformer.metrics.InformerObservations;
import org.springframework.beans.factory.SmartInitializingSingleton;

/** Observes the reconcilers of the controllers among the beans, also of those of managers, unless the application does so itself. */
final class BeanObservations implements SmartInitializingSingleton {

    private final InformerObservations.OfOperators observations;
    private final Operators operators;

    BeanObservations(InformerObservations.OfOperators observations, Operators operators) {
        this.observations = observations;
        this.operators = operators;
    }

    @Override
    @SuppressWarnings("unchecked") // the keys are those of the controller
    public void afterSingletonsInstantiated() {
        operators.forEachController(controller -> Instrumented.wrap(controller, Reconciler.class, observations::reconciler));
    }
}
