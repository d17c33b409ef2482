package io.reactiveinformer.guide;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.transport.ReceiverContext;
import io.micrometer.observation.transport.SenderContext;
import io.reactiveinformer.client.ClientOptions;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.client.ResourceClient;
import io.reactiveinformer.config.ClusterConfig;
import io.reactiveinformer.controller.Controller;
import io.reactiveinformer.controller.Route;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.leader.LeaderElector;
import io.reactiveinformer.leader.Leadership;
import io.reactiveinformer.metrics.InformerMetrics;
import io.reactiveinformer.metrics.InformerObservations;
import io.reactiveinformer.processor.RowProcessor;
import io.reactiveinformer.queue.Result;
import io.reactiveinformer.recorder.EventRecorder;
import io.reactiveinformer.recorder.EventRecorder.Occurrence;
import io.reactiveinformer.recorder.ObjectReference;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.test.FakeApiServer;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;

/** The code of docs/guide/operating.md, and its tables: every meter that there is, and no other, in the dashboard and the alerts too. */
@Timeout(60)
class OperatingGuideTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final ResourceType<V1ConfigMap> NOTES = ResourceType.of(V1ConfigMap.class);
    private static final ObjectKey A = ObjectKey.of("t", "a");

    private final MeterRegistry registry = new SimpleMeterRegistry();
    private final List<ObjectKey> printed = new CopyOnWriteArrayList<>();

    private Set<String> meters() throws InterruptedException {
        try (FakeApiServer server = FakeApiServer.create().start()) {
            ClusterConfig cluster = ClusterConfig.of(server.url());
            InformerMetrics metrics = InformerMetrics.of(registry);
            KubernetesClient client = KubernetesClient.create(cluster, ClientOptions.defaults().withObserver(metrics.requests()));
            InformerFactory informers = metrics.metered(InformerFactory.create(client));
            Informer<V1ConfigMap> notes = informers.of(ResourceType.of(V1ConfigMap.class));
            LeaderElector elector = LeaderElector.of(client, ObjectKey.of("t", "notes"));
            Controller<ObjectKey> controller = Controller.named("notes")
                    .watches(notes, Route.self())
                    .reconcile(request -> Mono.just(Result.done()));
            metrics.operators().bind(controller);
            metrics.bind(RowProcessor.of("notes", notes).process(row -> Mono.empty()));
            elector.leadership().subscribe(metrics.operators().leadership("notes"));

            Mono<?> worked = controller.results().next().cache();
            worked.subscribe();
            server.objects().create("{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: t}}");
            server.faults().onWatch("configmaps").after(1).events().expire();
            controller.start();
            informers.start();
            informers.synced(PATIENCE).block(PATIENCE);
            server.objects().create("{apiVersion: v1, kind: ConfigMap, metadata: {name: b, namespace: t}}");
            worked.block(PATIENCE);
            notes.await(ObjectKey.of("t", "b"), any -> true).block(PATIENCE);
            elector.leadership().filter(Leadership.Leading.class::isInstance).blockFirst(PATIENCE);
            Occurrence once = Occurrence.normal(ObjectReference.of(notes.lister().get(A).orElseThrow()), "Seen", "See", "saw it");
            metrics.operators().events("notes").written(once, 1);
            metrics.operators().events("notes").dropped(once, 1, EventRecorder.Observer.Drop.FULL, null);
            Set<String> names = awaitAll("informer.disruptions", "informer.watch", "controller.reconciles");
            elector.resign().block(PATIENCE);
            informers.close();
            controller.close();
            client.close();
            return names;
        }
    }

    /** What is counted on threads of its own comes a little later. */
    private Set<String> awaitAll(String... names) {
        return Mono.fromSupplier(() -> registry.getMeters().stream().map(Meter::getId).map(Meter.Id::getName)
                .collect(Collectors.toCollection(TreeSet::new)))
                .repeat()
                .filter(all -> all.containsAll(Set.of(names)))
                .next()
                .block(PATIENCE);
    }

    @Test
    void theTableNamesEveryMeter() throws Exception {
        Set<String> documented = new TreeSet<>();
        Files.readString(GuideSnippetsTest.root().resolve("docs/guide/operating.md")).lines()
                .map(Pattern.compile("^\\| `([a-z.-]+)` \\| (gauge|counter|timer) .*")::matcher)
                .filter(row -> row.matches())
                .forEach(row -> documented.add(row.group(1)));
        Set<String> meters = meters();
        meters.add("controller.reconciles.missed"); // only where a meter is behind
        assertThat(documented).isEqualTo(meters);
    }

    private static Mono<V1ConfigMap> write(InformerObservations observations, ResourceClient<V1ConfigMap> writer, String text) {
        return observations.traced(trace -> writer.create(Namespaces.of("shop"), new V1ConfigMap()
                .metadata(new V1ObjectMeta().name("note").annotations(trace))
                .data(Map.of("text", text))));
    }

    private Controller<ObjectKey> observed(InformerObservations observations, Informer<V1ConfigMap> notes) {
        return Controller.named("notes")
                .reconciles(NOTES, notes)
                .reconcile(observations.operators().reconciler(notes, request -> print(request.key())));
    }

    private Mono<Result> print(ObjectKey key) {
        return Mono.fromRunnable(() -> printed.add(key));
    }

    /** What a tracer does: it writes where a trace begins, and reads where one is joined. */
    private record Tracing(List<String> joined) implements ObservationHandler<Observation.Context> {

        @Override
        @SuppressWarnings("unchecked")
        public void onStart(Observation.Context context) {
            if (context instanceof SenderContext<?> sender) {
                ((SenderContext<Object>) sender).getSetter().set(sender.getCarrier(), "traceparent", "the trace of the writer");
            } else if (context instanceof ReceiverContext<?> receiver) {
                joined.add(((ReceiverContext<Object>) receiver).getGetter().get(receiver.getCarrier(), "traceparent"));
            }
        }

        @Override
        public boolean supportsContext(Observation.Context context) {
            return true;
        }
    }

    @Test
    void aReconcileJoinsTheTraceOfTheWriter() {
        List<String> joined = new CopyOnWriteArrayList<>();
        ObservationRegistry tracing = ObservationRegistry.create();
        tracing.observationConfig().observationHandler(new Tracing(joined));
        InformerObservations observations = InformerObservations.of(tracing);
        try (FakeApiServer server = FakeApiServer.create();
                KubernetesClient client = KubernetesClient.over(server.transport(), ClientOptions.defaults());
                InformerFactory informers = InformerFactory.create(client);
                Controller<ObjectKey> controller = observed(observations, informers.of(NOTES))) {
            server.objects().create("{apiVersion: v1, kind: Namespace, metadata: {name: shop}}");
            Mono<?> worked = controller.results().next().cache();
            worked.subscribe();
            controller.start();
            informers.start();
            controller.synced().block(PATIENCE);
            write(observations, client.resources(NOTES), "hello").block(PATIENCE);
            worked.block(PATIENCE);
            assertThat(joined).containsExactly("the trace of the writer");
            assertThat(printed).containsExactly(ObjectKey.of("shop", "note"));
        }
    }

    @Test
    void dashboardAndAlertsAskForMetersThatThereAre() throws Exception {
        Set<String> known = new TreeSet<>();
        meters().forEach(name -> known.add(name.replace('.', '_')));
        for (String file : new String[] {"grafana-dashboard.json", "alerts.yaml"}) {
            String text = Files.readString(GuideSnippetsTest.root().resolve("docs/guide/operating").resolve(file));
            Set<String> asked = Pattern.compile("\\b(informer|kubernetes_client|controller|leader|events)_[a-z_]+").matcher(text).results()
                    .map(match -> match.group().replaceFirst("(_seconds)?_(count|sum|total|max)$|_seconds_total$", ""))
                    .map(name -> known.contains(name) ? name : name.replaceFirst("_seconds$", ""))
                    .collect(Collectors.toCollection(TreeSet::new));
            asked.removeIf(name -> known.contains(name) || known.contains(name + "_max"));
            assertThat(asked).as(file).isEmpty();
        }
    }
}
