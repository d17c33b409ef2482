package io.reactiveinformer.metrics;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationHandler.FirstMatchingCompositeObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.transport.ReceiverContext;
import io.micrometer.tracing.handler.DefaultTracingObservationHandler;
import io.micrometer.tracing.handler.PropagatingReceiverTracingObservationHandler;
import io.micrometer.tracing.handler.PropagatingSenderTracingObservationHandler;
import io.micrometer.tracing.otel.bridge.OtelCurrentTraceContext;
import io.micrometer.tracing.otel.bridge.OtelPropagator;
import io.micrometer.tracing.otel.bridge.OtelTracer;
import io.opentelemetry.api.baggage.propagation.W3CBaggagePropagator;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.context.propagation.TextMapPropagator;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.reactiveinformer.client.ClientOptions;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.client.ResourceClient;
import io.reactiveinformer.controller.Controller;
import io.reactiveinformer.controller.Controller.Reconciled;
import io.reactiveinformer.controller.Reconciler;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.queue.Result;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.test.FakeApiServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@Timeout(60)
class TraceAnnotationsTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final ResourceType<V1ConfigMap> NOTES = ResourceType.of(V1ConfigMap.class);
    private static final ObjectKey A = ObjectKey.of("default", "a");

    private final InMemorySpanExporter spans = InMemorySpanExporter.create();
    private final SdkTracerProvider provider = SdkTracerProvider.builder().addSpanProcessor(SimpleSpanProcessor.create(spans)).build();
    private final io.opentelemetry.api.trace.Tracer otel = provider.get("test");
    private final ObservationRegistry registry = ObservationRegistry.create();
    private final InformerObservations observations = InformerObservations.of(registry);
    private final FakeApiServer server = FakeApiServer.create();
    private final KubernetesClient client = KubernetesClient.over(server.transport(), ClientOptions.defaults());
    private final InformerFactory informers = InformerFactory.create(client);
    private final Informer<V1ConfigMap> cache = informers.of(NOTES);
    private final ResourceClient<V1ConfigMap> notes = client.resources(NOTES);
    private final BlockingQueue<Reconciled<ObjectKey>> results = new LinkedTransferQueue<>();

    @BeforeEach
    void trace() {
        Context.current(); // which looks for its storage in the class path: not on a thread that must not block
        var tracer = new OtelTracer(otel, new OtelCurrentTraceContext(), event -> {});
        var propagator = new OtelPropagator(ContextPropagators.create(TextMapPropagator.composite(
                W3CTraceContextPropagator.getInstance(), W3CBaggagePropagator.getInstance())), otel);
        registry.observationConfig().observationHandler(new FirstMatchingCompositeObservationHandler(
                new PropagatingSenderTracingObservationHandler<>(tracer, propagator),
                new PropagatingReceiverTracingObservationHandler<>(tracer, propagator),
                new DefaultTracingObservationHandler(tracer)));
    }

    @AfterEach
    void end() {
        informers.close();
        client.close();
        server.close();
        provider.close();
    }

    private static V1ConfigMap note(Map<String, String> annotations, String text) {
        return new V1ConfigMap()
                .metadata(new V1ObjectMeta().namespace("default").name("a").annotations(annotations))
                .data(Map.of("text", text));
    }

    private V1ConfigMap create() {
        return observations.traced(trace -> notes.create(Namespaces.of("default"), note(trace, "1"))).block(PATIENCE);
    }

    private void start(Reconciler<ObjectKey> reconciler) {
        Controller<ObjectKey> controller = Controller.named("notes").reconciles(NOTES, cache)
                .reconcile(observations.operators().reconciler(cache, reconciler));
        controller.results().subscribe(results::add);
        controller.start();
        informers.start();
        controller.synced().block(PATIENCE);
    }

    private void awaitReconcile() throws InterruptedException {
        assertThat(results.poll(30, TimeUnit.SECONDS)).as("a result").isNotNull();
    }

    private List<SpanData> spans(String name) {
        return spans.getFinishedSpanItems().stream().filter(span -> span.getName().equals(name)).toList();
    }

    private SpanData span(String name) {
        assertThat(spans(name)).hasSize(1);
        return spans(name).get(0);
    }

    @Test
    void aReconcileJoinsTheTraceOfTheWriter() throws Exception {
        start(request -> Mono.just(Result.done()));
        Observation asking = Observation.createNotStarted("asking", registry).start();
        observations.traced(trace -> notes.create(Namespaces.of("default"), note(trace, "1")))
                .contextWrite(context -> context.put("micrometer.observation", asking))
                .block(PATIENCE);
        asking.stop();
        awaitReconcile();
        SpanData write = span("kubernetes.client.write");
        assertThat(write.getParentSpanId()).isEqualTo(span("asking").getSpanId());
        assertThat(span("controller.reconcile").getParentSpanId()).isEqualTo(write.getSpanId());
        assertThat(span("controller.reconcile").getTraceId()).isEqualTo(span("asking").getTraceId());
        assertThat(cache.lister().get(A).orElseThrow().getMetadata().getAnnotations()).containsOnlyKeys("traceparent");
    }

    @Test
    void onlyUntilOneHasSucceeded() throws Exception {
        var tries = new AtomicInteger();
        start(request -> Mono.just(tries.incrementAndGet() < 3 ? Result.failed(new IllegalStateException("planned")) : Result.done()));
        V1ConfigMap created = create();
        for (int i = 0; i < 3; i++) {
            awaitReconcile();
        }
        created.data(Map.of("text", "2"));
        notes.update(A, created).block(PATIENCE);
        awaitReconcile();
        String writer = span("kubernetes.client.write").getSpanId();
        assertThat(spans("controller.reconcile")).extracting(SpanData::getParentSpanId)
                .containsExactly(writer, writer, writer, "0000000000000000");
    }

    @Test
    void eachWriteWithATraceIsJoined() throws Exception {
        start(request -> Mono.just(Result.done()));
        V1ConfigMap created = create();
        awaitReconcile();
        observations.traced(trace -> {
            created.getMetadata().setAnnotations(trace);
            return notes.update(A, created.data(Map.of("text", "2")));
        }).block(PATIENCE);
        awaitReconcile();
        assertThat(spans("controller.reconcile")).extracting(SpanData::getParentSpanId)
                .isEqualTo(spans("kubernetes.client.write").stream().map(SpanData::getSpanId).toList());
    }

    @Test
    void aWriteDuringTheReconcileIsJoinedByTheNext() throws Exception {
        var once = new AtomicInteger();
        start(request -> once.getAndIncrement() > 0 ? Mono.just(Result.done())
                : observations.traced(trace -> notes.update(A, note(trace, "2")))
                        .then(cache.await(A, now -> "2".equals(now.getData().get("text"))))
                        .thenReturn(Result.done()));
        server.objects().create("{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: default}, data: {text: '1'}}");
        awaitReconcile();
        awaitReconcile();
        assertThat(spans("controller.reconcile")).hasSize(2).last().extracting(SpanData::getParentSpanId)
                .isEqualTo(span("kubernetes.client.write").getSpanId());
    }

    @Test
    void whatIsThereAtTheStartIsNotJoined() throws Exception {
        V1ConfigMap created = create();
        start(request -> Mono.just(Result.done()));
        awaitReconcile();
        notes.update(A, created.data(Map.of("text", "2"))).block(PATIENCE);
        awaitReconcile();
        assertThat(spans("controller.reconcile")).extracting(SpanData::getParentSpanId)
                .containsExactly("0000000000000000", "0000000000000000");
    }

    @Test
    void baggageIsNotStored() {
        try (var baggage = io.opentelemetry.api.baggage.Baggage.builder().put("password", "secret").build().makeCurrent()) {
            assertThat(create().getMetadata().getAnnotations()).containsOnlyKeys("traceparent");
            assertThat(baggage).isNotNull();
        }
    }

    @Test
    void baggageInAnnotationsIsNotRead() throws Exception {
        List<String> read = new CopyOnWriteArrayList<>();
        registry.observationConfig().observationHandler(new ObservationHandler<>() {
            @Override
            @SuppressWarnings("unchecked")
            public void onStart(Observation.Context context) {
                if (context instanceof ReceiverContext<?> receiver) {
                    var from = (ReceiverContext<Object>) receiver;
                    read.add(String.valueOf(from.getGetter().get(from.getCarrier(), "baggage")));
                }
            }

            @Override
            public boolean supportsContext(Observation.Context context) {
                return true;
            }
        });
        start(request -> Mono.just(Result.done()));
        notes.create(Namespaces.of("default"), note(Map.of("baggage", "user=admin",
                "traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"), "1")).block(PATIENCE);
        awaitReconcile();
        assertThat(read).containsExactly("null");
    }

    @Test
    void withoutATracerThereIsNothingToWriteAndNothingFails() throws Exception {
        InformerObservations none = InformerObservations.of(ObservationRegistry.NOOP);
        assertThat(none.traced(Mono::just).block(PATIENCE)).isEmpty();
        assertThatThrownBy(() -> observations.traced(trace -> Mono.error(new IllegalStateException("planned"))).block(PATIENCE))
                .hasMessage("planned");
        assertThat(span("kubernetes.client.write").getStatus().getDescription()).isEqualTo("planned");
    }
}
