package io.reactiveinformer.guide;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ContainerStatus;
import io.kubernetes.client.openapi.models.V1Pod;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.config.ClusterConfig;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.informer.InformerSpec;
import io.reactiveinformer.resource.FieldPath;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.PartialObjectMetadata;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.test.FakeApiServer;
import io.reactiveinformer.test.junit.FakeCluster;
import io.reactiveinformer.view.Change;
import io.reactiveinformer.view.Delivery;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Flux;
import reactor.test.StepVerifier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What {@code docs/guide/projections.md} shows; {@link GuideSnippetsTest} compares the two. */
@Timeout(60)
class ProjectionsGuideTest {

    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final ObjectKey WEB_0 = ObjectKey.of("shop", "web-0");

    record PodLine(
            @FieldPath("metadata.namespace") String namespace,
            @FieldPath("metadata.name") String name,
            @FieldPath("metadata.labels['app']") @Nullable String app,
            @FieldPath("spec.nodeName") @Nullable String node,
            @FieldPath("status.phase") @Nullable String phase) {}

    record PodHealth(@FieldPath("status.containerStatuses") List<V1ContainerStatus> containers) {
        int restarts() {
            return containers.stream().mapToInt(V1ContainerStatus::getRestartCount).sum();
        }
    }

    record IntoAList(@FieldPath("spec.containers[0].image") String image) {}

    @SuppressWarnings("UnnecessaryLambda") // informers are shared by transform, so it has to be one instance
    private static final UnaryOperator<V1ConfigMap> KEYS_ONLY = map -> {
        map.setBinaryData(null);
        if (map.getData() != null) {
            map.setData(Map.of("keys", String.join(",", map.getData().keySet())));
        }
        return map;
    };

    @FakeCluster("shop.yaml")
    private FakeApiServer server;

    private KubernetesClient client;
    private InformerFactory informers;

    @BeforeEach
    void begin() {
        client = KubernetesClient.create(ClusterConfig.of(server.url()));
        informers = InformerFactory.create(client);
    }

    @AfterEach
    void end() {
        informers.close();
        client.close();
    }

    @Test
    void emitsRecords() {
        Informer<PodLine> pods = informers.of(ResourceType.of(V1Pod.class).as(PodLine.class));
        Flux<String> lines = pods.map(line -> line).objects()                    // without updates that change nothing in the record
                .map(line -> line.name() + " of " + line.app());
        informers.start();
        StepVerifier.create(lines)
                .expectNext("web-0 of null")
                .then(() -> edit("/metadata/annotations", "note", "not in the record"))
                .then(() -> edit("/metadata/labels", "app", "web"))
                .expectNext("web-0 of web")
                .thenCancel()
                .verify(PATIENCE);
    }

    @Test
    void anUpdateOfOtherFieldsIsAnUpdateWithEqualRecords() {
        Informer<PodLine> pods = informers.of(ResourceType.of(V1Pod.class).as(PodLine.class));
        informers.start();
        StepVerifier.create(pods.changes().filter(change -> !(change instanceof Change.Synced)))
                .expectNextMatches(change -> change instanceof Change.Added)
                .then(() -> edit("/metadata/annotations", "note", "not in the record"))
                .assertNext(change -> assertThat(change).isInstanceOfSatisfying(Change.Updated.class,
                        updated -> assertThat(updated.before()).isEqualTo(updated.after())))
                .thenCancel()
                .verify(PATIENCE);
    }

    @Test
    void aMappedViewLeavesTheseUpdatesOut() {
        Informer<PodLine> pods = informers.of(ResourceType.of(V1Pod.class).as(PodLine.class));
        informers.start();
        pods.synced().block(PATIENCE);
        StepVerifier.create(pods.map(line -> line).objects(Delivery.every(100)).map(line -> line.name() + " of " + line.app()))
                .expectNext("web-0 of null")
                .then(() -> edit("/metadata/annotations", "note", "not in the record"))
                .then(() -> edit("/metadata/labels", "app", "web"))
                .expectNext("web-0 of web")
                .thenCancel()
                .verify(PATIENCE);
    }

    private void edit(String path, String name, String value) {
        server.objects().edit(ResourceType.of(V1Pod.class), WEB_0, pod -> {
            pod.withObject(path).put(name, value);
            return pod;
        });
    }

    @Test
    void aComponentMayBeAModel() {
        Informer<PodHealth> pods = informers.of(ResourceType.of(V1Pod.class).as(PodHealth.class));
        informers.start();
        assertThat(pods.await(WEB_0, pod -> true).block(PATIENCE).restarts()).isZero();
    }

    @Test
    void metadataAloneIsAProjectionToo() {
        Informer<PartialObjectMetadata> pods = informers.of(ResourceType.of(V1Pod.class).as(PartialObjectMetadata.class));
        informers.start();
        assertThat(pods.await(WEB_0, pod -> true).block(PATIENCE).metadata().getName()).isEqualTo("web-0");
    }

    @Test
    void aPathIntoAListIsRefused() {
        assertThatThrownBy(() -> informers.of(ResourceType.of(V1Pod.class).as(IntoAList.class)))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("spec.containers[0].image");
    }

    @Test
    void aTransformRemovesParts() {
        Informer<V1ConfigMap> maps = informers.of(InformerSpec.of(ResourceType.of(V1ConfigMap.class)).withTransform(KEYS_ONLY));
        informers.start();
        V1ConfigMap settings = maps.await(ObjectKey.of("shop", "settings"), map -> true).block(PATIENCE);
        assertThat(settings.getData()).containsExactly(Map.entry("keys", "colour"));
    }

    @Test
    void theWriterKeepsTheWholeObject() {
        Informer<PodLine> pods = informers.of(ResourceType.of(V1Pod.class).as(PodLine.class));
        informers.start();
        pods.synced().block(PATIENCE);
        V1Pod whole = client.resources(ResourceType.of(V1Pod.class)).get(WEB_0).block(PATIENCE);
        assertThat(whole.getSpec().getContainers()).hasSize(1);
    }
}
