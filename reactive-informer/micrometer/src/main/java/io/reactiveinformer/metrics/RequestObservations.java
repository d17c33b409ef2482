package io.reactiveinformer.metrics;

import io.micrometer.observation.Observation;
import io.micrometer.observation.transport.Kind;
import io.micrometer.observation.transport.SenderContext;
import io.reactiveinformer.client.RequestObserver;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import reactor.util.context.ContextView;

/** Observes requests, but not watches. */
final class RequestObservations implements RequestObserver {

    private final Observations observations;

    RequestObservations(Observations observations) {
        this.observations = observations;
    }

    @Override
    public Consumer<Outcome> observe(Request request, ContextView asking, BiConsumer<String, String> headers) {
        if (request.verb().equals("watch")) {
            return outcome -> {};
        }
        String resource = RequestMeters.resource(request);
        Observation observation = observations.start(asking, "kubernetes.client.exchange", () -> sender(headers), made -> made
                .contextualName(resource.isEmpty() ? request.verb() : request.verb() + " " + resource)
                .lowCardinalityKeyValue("verb", request.verb())
                .lowCardinalityKeyValue("resource", resource)
                .lowCardinalityKeyValue("status", "none")
                .lowCardinalityKeyValue("outcome", "none"));
        return outcome -> observations.end(observation, outcome.failure(), made -> made
                .lowCardinalityKeyValue("status", RequestMeters.status(outcome))
                .lowCardinalityKeyValue("outcome", RequestMeters.outcome(outcome)));
    }

    /** A context with the headers of the request as the carrier: a propagating tracer writes to it when the observation starts. */
    private static Observation.Context sender(BiConsumer<String, String> headers) {
        var sender = new SenderContext<BiConsumer<String, String>>((carrier, name, value) -> headers.accept(name, value), Kind.CLIENT);
        sender.setCarrier(headers);
        return sender;
    }
}
