package io.reactiveinformer.metrics;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.reactiveinformer.client.RequestObserver;
import io.reactiveinformer.controller.Reconciler;
import java.util.Objects;
import reactor.core.publisher.Mono;

/**
 * Micrometer observations of requests and reconciles in one registry, which tracing turns into spans.
 *
 * <pre>{@code
 * InformerObservations observations = InformerObservations.of(registry);
 * KubernetesClient client = KubernetesClient.create(cluster, ClientOptions.defaults().withObserver(observations.requests()));
 * Controller.named("notes").watches(pods, Route.self()).reconcile(observations.reconciler(request -> ...));
 * }</pre>
 *
 * <p>The parent of an observation is the one in the Reactor context of the subscriber, under the key of Micrometer's context propagation;
 * if there is none, Micrometer's current observation. An exception of a handler is logged once, and affects neither a request nor a
 * reconcile. Thread-safe.
 */
public final class InformerObservations {

    private final Observations observations;

    private InformerObservations(Observations observations) {
        this.observations = observations;
    }

    /** Creates observations in {@code registry}. */
    public static InformerObservations of(ObservationRegistry registry) {
        return new InformerObservations(new Observations(Objects.requireNonNull(registry, "registry")));
    }

    /**
     * Observes each request as {@code kubernetes.client.exchange}, with the low-cardinality values {@code verb}, {@code resource},
     * {@code status} and {@code outcome}. Each retry is an observation of its own. Watches are not observed, as their spans would only last
     * for minutes. The context is a {@link io.micrometer.observation.transport.SenderContext}, so that a propagating tracer adds its
     * headers, such as {@code traceparent}. Pass the observer to {@link io.reactiveinformer.client.ClientOptions#withObserver}.
     */
    public RequestObserver requests() {
        return new RequestObservations(observations);
    }

    /**
     * Wraps {@code reconciler} so that each call is observed as {@code controller.reconcile}, with the low-cardinality values
     * {@code controller} and {@code outcome}, and the high-cardinality values {@code key} and {@code reconcile.id}. Requests of the
     * reconciler are children of the observation.
     */
    public <K> Reconciler<K> reconciler(Reconciler<K> reconciler) {
        return request -> Mono.deferContextual(context -> {
            Observation observation = observations.start(context, "controller.reconcile", Observation.Context::new, made -> made
                    .lowCardinalityKeyValue("controller", request.controller())
                    .lowCardinalityKeyValue("outcome", "none")
                    .highCardinalityKeyValue("key", String.valueOf(request.key()))
                    .highCardinalityKeyValue("reconcile.id", request.id()));
            var observed = new ObservedReconcile(observations, observation);
            return Mono.defer(() -> reconciler.reconcile(request))
                    .doOnSuccess(observed::succeeded)
                    .doOnError(observed::failed)
                    .doOnCancel(observed::cancelled)
                    .contextWrite(inside -> inside.put(Observations.KEY, observation));
        });
    }
}
