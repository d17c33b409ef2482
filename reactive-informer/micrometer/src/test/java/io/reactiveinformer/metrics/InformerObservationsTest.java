package io.reactiveinformer.metrics;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.micrometer.common.KeyValue;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.contextpropagation.ObservationThreadLocalAccessor;
import io.micrometer.observation.tck.TestObservationRegistry;
import io.micrometer.observation.transport.SenderContext;
import io.reactiveinformer.apiserver.ApiRequest.Verb;
import io.reactiveinformer.client.ClientOptions;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.client.ResourceClient;
import io.reactiveinformer.controller.Controller;
import io.reactiveinformer.controller.Controller.Reconciled;
import io.reactiveinformer.controller.Reconciler;
import io.reactiveinformer.controller.Route;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.queue.Result;
import io.reactiveinformer.resource.NotFoundException;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.test.FakeApiServer;
import io.reactiveinformer.transport.HttpRequest;
import io.reactiveinformer.transport.Transport;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.reactivestreams.Publisher;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@Timeout(60)
class InformerObservationsTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final ResourceType<V1ConfigMap> NOTES = ResourceType.of(V1ConfigMap.class);
    private static final ObjectKey A = ObjectKey.of("t", "a");

    private final Queue<Observation.Context> stopped = new ConcurrentLinkedQueue<>();

    /** Complains of observations that are stopped twice, or changed before they started. */
    private final TestObservationRegistry registry = TestObservationRegistry.create();
    private final InformerObservations observations = InformerObservations.of(registry);
    private final FakeApiServer server = FakeApiServer.create();
    private final Queue<HttpRequest> sent = new ConcurrentLinkedQueue<>();
    private final KubernetesClient client = KubernetesClient.over(new Listened(server.transport(), sent),
            ClientOptions.defaults().withObserver(observations.requests()));
    private final InformerFactory informers = InformerFactory.create(client);
    private final ResourceClient<V1ConfigMap> notes = client.resources(NOTES);

    /** Tells what is sent. */
    private record Listened(Transport transport, Queue<HttpRequest> sent) implements Transport {

        @Override
        public <R> Flux<R> exchange(HttpRequest request, Function<Transport.Answer, ? extends Publisher<R>> reader) {
            sent.add(request);
            return transport.exchange(request, reader);
        }

        @Override
        public Mono<Void> dispose() {
            return transport.dispose();
        }
    }

    /** What a tracer does: its own place in the headers, with the trace of the parent. */
    private static final class Tracer implements ObservationHandler<SenderContext<Object>> {

        static final String PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

        @Override
        public boolean supportsContext(Observation.Context context) {
            return context instanceof SenderContext;
        }

        @Override
        public void onStart(SenderContext<Object> context) {
            var parent = context.getParentObservation();
            context.getSetter().set(context.getCarrier(), "traceparent",
                    parent == null ? "none" : parent.getContextView().getOrDefault("trace", "none"));
            context.getSetter().set(context.getCarrier(), "Accept", "text/html");
        }
    }

    @BeforeEach
    void listen() {
        registry.observationConfig().observationHandler(new ObservationHandler<>() {
            @Override
            public boolean supportsContext(Observation.Context context) {
                return true;
            }

            @Override
            public void onStop(Observation.Context context) {
                stopped.add(context);
            }
        });
    }

    @AfterEach
    void end() {
        informers.close();
        client.close();
        server.close();
    }

    private List<Observation.Context> stopped(String name) {
        return stopped.stream().filter(context -> context.getName().equals(name)).toList();
    }

    private Observation.Context request() {
        assertThat(stopped("kubernetes.client.exchange")).hasSize(1);
        return stopped("kubernetes.client.exchange").get(0);
    }

    private Observation.Context reconcile() {
        assertThat(stopped("controller.reconcile")).hasSize(1);
        return stopped("controller.reconcile").get(0);
    }

    private static Map<String, String> low(Observation.Context context) {
        return context.getLowCardinalityKeyValues().stream().collect(Collectors.toMap(KeyValue::getKey, KeyValue::getValue));
    }

    private static Map<String, String> high(Observation.Context context) {
        return context.getHighCardinalityKeyValues().stream().collect(Collectors.toMap(KeyValue::getKey, KeyValue::getValue));
    }

    private void createA() {
        server.objects().create("{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: t}}");
    }

    private Controller<ObjectKey> controller(Reconciler<ObjectKey> reconciler) {
        return Controller.named("notes").watches(informers.of(NOTES), Route.self()).reconcile(observations.operators().reconciler(reconciler));
    }

    private Reconciled<ObjectKey> resultOf(Controller<ObjectKey> controller, int number) {
        Mono<Reconciled<ObjectKey>> first = controller.results().take(number).last().cache();
        first.subscribe();
        controller.start();
        informers.start();
        Reconciled<ObjectKey> result = first.block(PATIENCE);
        controller.drain(PATIENCE).block(PATIENCE);
        return result;
    }

    @Test
    void aRequestIsAChildOfWhatItsSubscriberObserves() {
        createA();
        Observation asking = Observation.start("asking", registry);
        notes.get(A).contextWrite(context -> context.put(ObservationThreadLocalAccessor.KEY, asking)).block(PATIENCE);
        assertThat(request().getParentObservation()).isSameAs(asking);
        assertThat(request().getContextualName()).isEqualTo("get configmaps.v1");
        assertThat(low(request())).isEqualTo(Map.of("verb", "get", "resource", "configmaps.v1", "status", "200", "outcome", "done"));
        asking.stop();
    }

    @Test
    void aReconcileIsObservedOnceAndJoinsATraceAsItsOwnWrapperSays() {
        createA();
        Reconciler<ObjectKey> joining = observations.operators().reconciler(informers.of(NOTES), request -> Mono.just(Result.done()));
        assertThat(observations.operators().reconciler(joining)).isSameAs(joining);
        resultOf(controller(request -> joining.reconcile(request).retry(1)), 1);
        assertThat(stopped).filteredOn(context -> context.getName().equals("controller.reconcile")).hasSize(1);
    }

    @Test
    void aFailureIsRecorded() {
        assertThatThrownBy(() -> notes.get(A).block(PATIENCE)).isInstanceOf(NotFoundException.class);
        assertThat(request().getParentObservation()).isNull();
        assertThat(request().getError()).isInstanceOf(NotFoundException.class);
        assertThat(low(request())).containsEntry("status", "404").containsEntry("outcome", "not-found");
    }

    @Test
    void aCancelledRequestIsStopped() {
        server.faults().onAny().always().stall();
        Disposable asking = notes.get(A).subscribe();
        server.requests().await(any -> true, PATIENCE).block(PATIENCE);
        assertThat(stopped).isEmpty();
        asking.dispose();
        assertThat(request().getError()).isNull();
        assertThat(low(request())).containsEntry("status", "none").containsEntry("outcome", "cancelled");
    }

    @Test
    void aRequestCarriesWhatATracerPropagates() {
        createA();
        registry.observationConfig().observationHandler(new Tracer());
        Observation asking = Observation.start("asking", registry);
        asking.getContext().put("trace", Tracer.PARENT);
        notes.get(A).contextWrite(context -> context.put(ObservationThreadLocalAccessor.KEY, asking)).block(PATIENCE);
        notes.get(A).block(PATIENCE);
        assertThat(sent).extracting(request -> request.headers().all("traceparent"))
                .containsExactly(List.of(Tracer.PARENT), List.of("none"));
        assertThat(sent).allSatisfy(request -> assertThat(request.headers().all("Accept"))
                .as("what the client says stays").containsExactly("application/json"));
        asking.stop();
    }

    @Test
    void nothingIsSentWhereNobodyPropagates() {
        createA();
        notes.get(A).block(PATIENCE);
        assertThat(sent).singleElement().satisfies(request -> assertThat(request.headers().all("traceparent")).isEmpty());
    }

    @Test
    void watchesAreNoSpans() {
        createA();
        Informer<V1ConfigMap> informer = informers.of(NOTES);
        informers.start();
        informers.synced().block(PATIENCE);
        server.objects().create("{apiVersion: v1, kind: ConfigMap, metadata: {name: b, namespace: t}}");
        informer.await(ObjectKey.of("t", "b"), any -> true).block(PATIENCE);
        informers.close();
        notes.get(A).block(PATIENCE);
        assertThat(server.requests().all()).anyMatch(asked -> asked.verb() == Verb.WATCH);
        assertThat(stopped).extracting(context -> low(context).get("verb")).contains("get").doesNotContain("watch");
    }

    @Test
    void requestsOfAReconcileAreItsChildren() {
        createA();
        Reconciled<ObjectKey> result = resultOf(controller(request -> notes.get(request.key()).thenReturn(Result.done())), 1);
        assertThat(reconcile().getError()).isNull();
        assertThat(low(reconcile())).isEqualTo(Map.of("controller", "notes", "outcome", "done"));
        assertThat(high(reconcile())).isEqualTo(Map.of("key", "t/a", "reconcile.id", result.request().id()));
        assertThat(stopped("kubernetes.client.exchange")).filteredOn(context -> low(context).get("verb").equals("get")).singleElement()
                .satisfies(get -> assertThat(get.getParentObservation().getContextView()).isSameAs(reconcile()));
    }

    @Test
    void aReconcileThatFailsRecordsWhy() {
        createA();
        var broken = new IllegalStateException("broken");
        List<Reconciler<ObjectKey>> failing = List.of(request -> Mono.error(broken), request -> Mono.just(Result.failed(broken)),
                request -> {
                    throw broken;
                });
        var tries = new AtomicInteger();
        resultOf(controller(request -> failing.get(Math.min(2, tries.getAndIncrement())).reconcile(request)), 3);
        assertThat(stopped("controller.reconcile")).hasSizeGreaterThanOrEqualTo(3).allSatisfy(context -> {
            assertThat(context.getError()).isSameAs(broken);
            assertThat(low(context)).containsEntry("outcome", "failed");
        });
    }

    @Test
    void aReconcileWhoseTimeIsOverIsStopped() {
        createA();
        Controller<ObjectKey> controller = Controller.named("notes").watches(informers.of(NOTES), Route.self())
                .timeout(Duration.ofMillis(50))
                .reconcile(observations.operators().reconciler(request -> Mono.never()));
        resultOf(controller, 1);
        assertThat(low(stopped("controller.reconcile").get(0))).containsEntry("outcome", "cancelled");
    }
}
