package io.reactiveinformer.metrics;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.reactiveinformer.client.RequestObserver;
import io.reactiveinformer.controller.ReconcileRequest;
import io.reactiveinformer.controller.Reconciler;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.queue.Result;
import io.reactiveinformer.resource.ObjectKey;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Function;
import reactor.core.publisher.Mono;

/**
 * Micrometer observations of requests and reconciles in one registry, which tracing turns into spans.
 *
 * <pre>{@code
 * InformerObservations observations = InformerObservations.of(registry);
 * KubernetesClient client = KubernetesClient.create(cluster, ClientOptions.defaults().withObserver(observations.requests()));
 * Controller.named("notes").watches(pods, Route.self()).reconcile(observations.operators().reconciler(request -> ...));
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

    /** Observations of reconciles, for programs that have {@code reactive-informer-operator}. */
    public OfOperators operators() {
        return new OfOperators(observations);
    }

    /**
     * Observes a write as {@code kubernetes.client.write}, with the low-cardinality value {@code outcome}. {@code write} is given the
     * annotations with which the object carries the current trace to its controller: {@code traceparent} and {@code tracestate};
     * none without a propagating tracer that writes W3C's trace context. The map cannot be changed; add its entries to those that the
     * object has. Baggage is not among them. Each value is new, so that an apply with these annotations always changes the object.
     *
     * <pre>{@code
     * observations.traced(trace -> sites.create(Namespaces.of("shop"), site.annotations(trace)))
     * }</pre>
     */
    public <R> Mono<R> traced(Function<? super Map<String, String>, ? extends Mono<R>> write) {
        return Mono.deferContextual(context -> {
            Map<String, String> annotations = new TreeMap<>();
            Observation observation = observations.start(context, "kubernetes.client.write", () -> TraceAnnotations.sender(annotations),
                    made -> made.lowCardinalityKeyValue("outcome", "none"));
            var observed = new ObservedWork(observations, observation);
            return Mono.defer(() -> write.apply(Collections.unmodifiableMap(annotations)))
                    .doOnSuccess(answer -> observed.succeeded(null))
                    .doOnError(observed::failed)
                    .doOnCancel(observed::cancelled)
                    .contextWrite(inside -> inside.put(Observations.KEY, observation));
        });
    }

    /** Observations of reconciles. A class of its own, since its methods name classes that may be absent. */
    public static final class OfOperators {

        /** A reconciler that observes its calls. Its type is the key in the context under which a request is found that is observed. */
        private interface Observed<K> extends Reconciler<K> {}

        private final Observations observations;

        private OfOperators(Observations observations) {
            this.observations = observations;
        }

        /**
         * Wraps {@code reconciler} so that each call is observed as {@code controller.reconcile}, with the low-cardinality values
         * {@code controller} and {@code outcome}, and the high-cardinality values {@code key} and {@code reconcile.id}. Requests of the
         * reconciler are children of the observation. A reconcile is observed once: a reconciler that is observed already is returned as it is,
         * and inside of an observed one another has no effect.
         */
        public <K> Reconciler<K> reconciler(Reconciler<K> reconciler) {
            return reconciler instanceof Observed
                    ? reconciler
                    : observed(request -> new Observation.Context(), reconciler, (request, observed) -> {});
        }

        /**
         * As {@link #reconciler(Reconciler)}, and a reconcile joins the trace of the writer of its object, if that was written with
         * {@link InformerObservations#traced}: its observation has a {@link io.micrometer.observation.transport.ReceiverContext} with the annotations of the
         * object. A trace is joined by the reconciles that are caused by a change, up to the first that succeeds or gives up; not by later
         * ones, by those of a resync, or by those after a start of the process. Replicas that wait to lead have causes from before their term,
         * so the first reconciles of a new leader may join a trace again.
         *
         * @param objects whose keys the controller works on; each row has metadata, see
         *     {@link io.reactiveinformer.resource.PartialObjectMetadata#of}
         */
        public Reconciler<ObjectKey> reconciler(Informer<?> objects, Reconciler<ObjectKey> reconciler) {
            var traces = new TraceAnnotations(objects);
            return observed(traces::receiver, reconciler, traces::ended);
        }

        private <K> Reconciler<K> observed(Function<ReconcileRequest<K>, Observation.Context> contexts, Reconciler<K> reconciler,
                BiConsumer<ReconcileRequest<K>, Observation.ContextView> ended) {
            return (Observed<K>) request -> Mono.deferContextual(context -> {
                if (context.getOrDefault(Observed.class, null) == request) {
                    return reconciler.reconcile(request);
                }
                Observation observation = observations.start(context, "controller.reconcile", () -> contexts.apply(request), made -> made
                        .lowCardinalityKeyValue("controller", request.controller())
                        .lowCardinalityKeyValue("outcome", "none")
                        .highCardinalityKeyValue("key", String.valueOf(request.key()))
                        .highCardinalityKeyValue("reconcile.id", request.id()));
                var observed = new ObservedWork(observations, observation);
                return Mono.defer(() -> reconciler.reconcile(request))
                        .doOnSuccess(result -> {
                            observed.succeeded(result);
                            if (!(result instanceof Result.Failed)) {
                                ended.accept(request, observation.getContextView());
                            }
                        })
                        .doOnError(observed::failed)
                        .doOnCancel(observed::cancelled)
                        .contextWrite(inside -> inside.put(Observations.KEY, observation).put(Observed.class, request));
            });
        }
    }
}
