package io.reactiveinformer.metrics;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.reactiveinformer.client.RequestObserver;
import java.util.function.Consumer;
import reactor.util.context.ContextView;

/** Of requests, but not of watches. */
final class RequestObservations implements RequestObserver {

    private final ObservationRegistry registry;

    RequestObservations(ObservationRegistry registry) {
        this.registry = registry;
    }

    @Override
    public Consumer<Outcome> observe(Request request, ContextView asking) {
        if (request.verb().equals("watch")) {
            return outcome -> {};
        }
        String resource = RequestMeters.resource(request);
        Observation observation = Observations.childOf(asking, "kubernetes.client.exchange", registry)
                .contextualName(resource.isEmpty() ? request.verb() : request.verb() + " " + resource)
                .lowCardinalityKeyValue("verb", request.verb())
                .lowCardinalityKeyValue("resource", resource)
                .lowCardinalityKeyValue("status", "none")
                .lowCardinalityKeyValue("outcome", "none")
                .start();
        return outcome -> end(observation, outcome);
    }

    private static void end(Observation observation, Outcome outcome) {
        observation.lowCardinalityKeyValue("status", RequestMeters.status(outcome)).lowCardinalityKeyValue("outcome", RequestMeters.outcome(outcome));
        if (outcome.failure() != null) {
            observation.error(outcome.failure());
        }
        observation.stop();
    }
}
