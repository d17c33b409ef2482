package io.reactiveinformer.guide;

import io.kubernetes.client.openapi.models.V1Pod;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.client.Patch;
import io.reactiveinformer.client.ResourceClient;
import io.reactiveinformer.config.ClusterConfig;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.informer.InformerSpec;
import io.reactiveinformer.informer.ResourceEventHandler;
import io.reactiveinformer.resource.FieldPath;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.Selector;
import io.reactiveinformer.store.Index;
import io.reactiveinformer.store.Lister;
import io.reactiveinformer.store.Snapshot;
import io.reactiveinformer.test.FakeApiServer;
import io.reactiveinformer.test.junit.FakeCluster;
import io.reactiveinformer.view.Audited;
import io.reactiveinformer.view.Change;
import io.reactiveinformer.view.Delivery;
import io.reactiveinformer.view.InformerStatus;
import io.reactiveinformer.view.View;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

import static org.assertj.core.api.Assertions.assertThat;

/** What {@code docs/guide/informer.md} shows; {@link GuideSnippetsTest} holds the two together. */
class InformerGuideTest {

    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final ObjectKey WEB_0 = ObjectKey.of("shop", "web-0");

    static final Index<V1Pod, String> BY_NODE = Index.of("node", pod -> pod.getSpec().getNodeName());

    record PodLine(
            @FieldPath("metadata.namespace") String namespace,
            @FieldPath("metadata.name") String name,
            @FieldPath("spec.nodeName") @Nullable String node,
            @FieldPath("status.phase") @Nullable String phase) {}

    /** The page says that it names 25, and where they are. */
    @Test
    void aNewcomerNeedsTwentyFiveTypes() throws Exception {
        List<String> rows = Files.readAllLines(Path.of("informer.md")).stream()
                .dropWhile(line -> !line.equals("## The 25 types of a newcomer"))
                .dropWhile(line -> !line.startsWith("| ---")).skip(1)
                .takeWhile(line -> line.startsWith("|")).toList();
        Set<String> types = new HashSet<>();
        for (String row : rows) {
            String[] cells = row.split("\\|", -1);
            for (String type : quoted(cells[2])) {
                assertThat(quoted(cells[3])).as(type).anyMatch(name -> exists("io.reactiveinformer." + name + "." + type));
                types.add(type);
            }
        }
        assertThat(types).hasSize(25);
    }

    private static boolean exists(String type) {
        try {
            return Class.forName(type) != null;
        } catch (ClassNotFoundException | LinkageError other) {
            return false;
        }
    }

    private static List<String> quoted(String cell) {
        return Pattern.compile("`(\\w+)`").matcher(cell).results().map(found -> found.group(1)).toList();
    }

    @FakeCluster("shop.yaml")
    private FakeApiServer server;

    private KubernetesClient client;
    private InformerFactory informers;
    private Informer<V1Pod> pods;

    @BeforeEach
    void begin() {
        begin(ClusterConfig.of(server.url()));
    }

    private void begin(ClusterConfig config) {
        client = KubernetesClient.create(config);
        informers = InformerFactory.create(client);
        pods = informers.of(ResourceType.of(V1Pod.class));
    }

    @AfterEach
    void end() {
        informers.close();
        client.close();
    }

    private Mono<Void> start() {
        informers.start();
        return pods.synced(Duration.ofSeconds(30));
    }

    @Test
    void emitsObjects() {
        informers.start();
        Flux<String> names = pods.objects().map(pod -> pod.getMetadata().getName());
        StepVerifier.create(names)
                .expectNext("web-0")
                .then(() -> create("web-1"))
                .expectNext("web-1")
                .thenCancel()
                .verify(PATIENCE);
    }

    @Test
    void emitsChanges() {
        informers.start();
        Flux<String> lines = pods.changes().map(change -> change.match(
                added -> "+ " + added.key() + (added.initial() ? ", was there" : ""),
                updated -> "~ " + updated.key() + ", labels " + labels(updated.before()) + " -> " + labels(updated.after()),
                deleted -> "- " + deleted.key() + ", " + deleted.cause(),
                synced -> "= " + synced.count() + " were there"));
        StepVerifier.create(lines)
                .expectNext("+ shop/web-0, was there", "= 1 were there")
                .then(() -> create("web-1"))
                .expectNext("+ shop/web-1")
                .then(this::label)
                .expectNext("~ shop/web-0, labels {} -> {app=web}")
                .then(() -> server.objects().delete(ResourceType.of(V1Pod.class), WEB_0))
                .thenConsumeWhile(line -> line.startsWith("~"))              // with a grace period, a pod that is deleted is updated first
                .expectNext("- shop/web-0, OBSERVED")
                .thenCancel()
                .verify(PATIENCE);
    }

    @Test
    void callsHandlers() {
        var seen = new ConcurrentLinkedQueue<String>();
        ResourceEventHandler.Registration registration = pods.addEventHandler(new ResourceEventHandler<>() {
            @Override
            public void onAdd(V1Pod pod, boolean initial) {
                seen.add(pod.getMetadata().getName());
            }
        });
        informers.start();
        registration.synced().block(PATIENCE);
        assertThat(seen).containsExactly("web-0");
        registration.dispose();
        assertThat(registration.isDisposed()).isTrue();
    }

    @Test
    void readsTheCache() {
        label();
        create("web-1");
        start().block(PATIENCE);
        Lister<V1Pod> lister = pods.lister();
        Optional<V1Pod> one = lister.get(ObjectKey.of("shop", "web-0"));
        List<V1Pod> some = lister.inNamespace("shop").list(Selector.labels("app=web"));
        Snapshot<ObjectKey, V1Pod> now = pods.snapshot();                    // one instant; never changes
        assertThat(one).isPresent();
        assertThat(some).containsExactly(one.orElseThrow());
        assertThat(now.size()).isEqualTo(2);
        assertThat(now.complete()).isTrue();
    }

    @Test
    void findsByAnIndex() {
        start().block(PATIENCE);
        server.objects().create("""
                {apiVersion: v1, kind: Pod, metadata: {name: web-1, namespace: shop}, spec: {nodeName: node-7,
                 containers: [{name: c, image: i}]}}""");
        pods.await(ObjectKey.of("shop", "web-1"), pod -> true).block(PATIENCE);
        pods.addIndex(BY_NODE).block(PATIENCE);                              // completes when it is filled
        List<V1Pod> onNode = pods.lister().by(BY_NODE, "node-7").list();
        assertThat(onNode).hasSize(1);
    }

    @Test
    void waitsForWhatWasWritten() {
        informers.start();
        ResourceClient<V1Pod> client = this.client.resources(ResourceType.of(V1Pod.class));
        Mono<Snapshot<ObjectKey, V1Pod>> seen = client.get(WEB_0)
                .doOnNext(pod -> pod.getMetadata().putLabelsItem("app", "web"))
                .flatMap(pod -> client.update(WEB_0, pod))
                .flatMap(written -> pods.atLeast(WEB_0, written.getMetadata().getResourceVersion()));
        Mono<V1Pod> labelled = pods.await(WEB_0, pod -> "web".equals(labels(pod).get("app")), Duration.ofSeconds(30));
        assertThat(seen.block(PATIENCE).get(WEB_0).orElseThrow().getMetadata().getLabels()).containsEntry("app", "web");
        assertThat(labelled.block(PATIENCE)).isNotNull();
    }

    @Test
    void deliversAsASubscriptionWishes() {
        informers.start();
        Flux<Change<ObjectKey, V1Pod>> audited = pods.changes(Delivery.every(1_000)                 // each state received
                .on(Schedulers.boundedElastic())                                                    // may block there
                .named("audit"));                                                                   // in status and meters
        StepVerifier.create(audited).expectNextCount(2).thenCancel().verify(PATIENCE);
    }

    @Test
    void anAuditSaysWhatIsMissing() {
        informers.start();
        Flux<String> audit = Audited.of(pods, Delivery.every(10_000).named("audit")).map(one -> one instanceof Audited.Gap<ObjectKey, V1Pod> gap
                ? gap.missing() + " states are missing since " + gap.since() + ", of " + gap.rows().size() + " pods"
                : "" + ((Audited.State<ObjectKey, V1Pod>) one).change());
        StepVerifier.create(audit).expectNextMatches(line -> line.startsWith("Added[")).expectNextMatches(line -> line.startsWith("Synced["))
                .thenCancel().verify(PATIENCE);
    }

    @Test
    void keepsFewFields() {
        Informer<PodLine> lines = informers.of(ResourceType.of(V1Pod.class).as(PodLine.class));
        informers.start();
        View<ObjectKey, PodLine> different = lines.map(line -> line);
        StepVerifier.create(different.objects())
                .expectNext(new PodLine("shop", "web-0", null, "Pending"))
                .then(this::label)
                .then(() -> create("web-1"))
                .expectNext(new PodLine("shop", "web-1", null, "Pending"))                          // nothing of the label
                .thenCancel()
                .verify(PATIENCE);
    }

    @Test
    void changesWhatIsKept() {
        Informer<V1Pod> slim = informers.of(InformerSpec.of(ResourceType.of(V1Pod.class)).withTransform(pod -> {
            pod.setStatus(null);
            return pod;
        }));
        informers.start();
        StepVerifier.create(slim.objects()).expectNextMatches(pod -> pod.getStatus() == null).thenCancel().verify(PATIENCE);
    }

    @Test
    void watchesAPart() {
        label();
        create("web-1");
        server.objects().create("{apiVersion: v1, kind: Pod, metadata: {name: other, namespace: default, labels: {app: web}},"
                + " spec: {containers: [{name: c, image: i}]}}");
        Informer<V1Pod> some = informers.of(
                ResourceType.of(V1Pod.class), Namespaces.of(Set.of("shop", "bank")), Selector.labels("app=web"));
        Informer<V1Pod> allowed = informers.of(InformerSpec.of(ResourceType.of(V1Pod.class))
                .withNamespaces(Namespaces.of(Set.of("shop", "bank")))
                .withRefusedAsEmpty(403, 404));
        assertThat(allowed).isNotSameAs(some);
        informers.start();
        some.resize(Namespaces.of("shop"));
        some.synced().block(PATIENCE);
        assertThat(some.lister().keys()).containsExactly(WEB_0);
    }

    @Test
    void derivesViews() {
        informers.start();
        View<ObjectKey, String> images = pods
                .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
                .map(pod -> pod.getSpec().getContainers().get(0).getImage());
        StepVerifier.create(images.objects()).expectNext("web:1").thenCancel().verify(PATIENCE);
    }

    @Test
    void saysHowItStands() {
        Flux<String> how = pods.status()
                .map(status -> status.state() + (status.cause() == null ? "" : ", as " + status.cause().getMessage()));
        start().block(PATIENCE);
        Flux<String> live = how.filter(line -> line.startsWith(InformerStatus.State.LIVE.name()));
        StepVerifier.create(live).expectNextCount(1).thenCancel().verify(PATIENCE);
    }

    @Test
    void stops() {
        start().block(PATIENCE);
        Mono<Void> stopped = informers.stop(Duration.ofSeconds(10));         // subscribers get what is pending, then complete
        StepVerifier.create(stopped).expectComplete().verify(PATIENCE);
        assertThat(pods.lister().count()).isEqualTo(1);                      // the cache stays readable
    }

    private static Map<String, String> labels(V1Pod pod) {
        return pod.getMetadata().getLabels();
    }

    private void create(String name) {
        server.objects().create("{apiVersion: v1, kind: Pod, metadata: {name: " + name + ", namespace: shop},"
                + " spec: {containers: [{name: c, image: i}]}}");
    }

    private void label() {
        var label = Patch.merge(Map.of("metadata", Map.of("labels", Map.of("app", "web"))));
        client.resources(ResourceType.of(V1Pod.class)).patch(WEB_0, label).block(PATIENCE);
    }
}
