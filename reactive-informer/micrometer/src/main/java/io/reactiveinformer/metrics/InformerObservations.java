package io.reactiveinformer.metrics;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.reactiveinformer.client.RequestObserver;
import io.reactiveinformer.controller.Reconciler;
import java.util.Objects;
import reactor.core.publisher.Mono;

/**
 * Observations in one registry, of which tracing makes spans.
 *
 * <pre>{@code
 * InformerObservations observations = InformerObservations.of(registry);
 * KubernetesClient client = KubernetesClient.create(cluster, ClientOptions.defaults().withObserver(observations.requests()));
 * Controller.named("notes").on(pods, Route.self()).reconcile(observations.reconciler(request -> ...));
 * }</pre>
 *
 * <p>The parent of each is the observation that the Reactor context of whoever subscribed holds, under the key that Micrometer's context propagation uses; where
 * there is none, it is whatever Micrometer takes for the current one. Any thread may call.
 */
public final class InformerObservations {

    private final ObservationRegistry registry;

    private InformerObservations(ObservationRegistry registry) {
        this.registry = registry;
    }

    public static InformerObservations of(ObservationRegistry registry) {
        return new InformerObservations(Objects.requireNonNull(registry, "registry"));
    }

    /**
     * Observes each request but watches, which would be spans of minutes that say nothing; each retry is one of its own. {@code kubernetes.client.exchange}, with
     * the low-cardinality values {@code verb}, {@code resource}, {@code status} and {@code outcome}. Its context is a
     * {@link io.micrometer.observation.transport.SenderContext}, so that a tracer that propagates sends its headers along, such as {@code traceparent}. For
     * {@link io.reactiveinformer.client.ClientOptions#withObserver}.
     */
    public RequestObserver requests() {
        return new RequestObservations(registry);
    }

    /**
     * {@code reconciler}, each call of which is observed as {@code controller.reconcile}, with the low-cardinality values {@code controller} and
     * {@code outcome}, and the high-cardinality values {@code key} and {@code reconcile.id}. Requests that are made inside are its children.
     */
    public <K> Reconciler<K> reconciler(Reconciler<K> reconciler) {
        return request -> Mono.deferContextual(context -> {
            Observation observation = Observations.childOf(context, "controller.reconcile", registry, Observation.Context::new)
                    .lowCardinalityKeyValue("controller", request.controller())
                    .lowCardinalityKeyValue("outcome", "none")
                    .highCardinalityKeyValue("key", String.valueOf(request.key()))
                    .highCardinalityKeyValue("reconcile.id", request.id());
            var observed = new ObservedReconcile(observation.start());
            return Mono.defer(() -> reconciler.reconcile(request))
                    .doOnSuccess(observed::succeeded)
                    .doOnError(observed::failed)
                    .doOnCancel(observed::cancelled)
                    .contextWrite(inside -> inside.put(Observations.KEY, observation));
        });
    }
}
