package io.reactiveinformer.test;

import io.kubernetes.client.openapi.models.V1Pod;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.config.ClusterConfig;
import io.reactiveinformer.delta.DeletionCause;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.test.faults.Cut;
import io.reactiveinformer.test.faults.Fault;
import io.reactiveinformer.test.junit.FakeCluster;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What {@code docs/guide/testing.md} shows. */
class TestingGuideTest {

    private static final ResourceType<V1Pod> PODS = ResourceType.of(V1Pod.class);
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @FakeCluster("junit/shop.yaml")
    private FakeApiServer server;

    private KubernetesClient client;
    private Informer<V1Pod> pods;

    @BeforeEach
    void informer() {
        client = KubernetesClient.create(ClusterConfig.of(server.url()));
        pods = InformerFactory.create(client).of(PODS);
    }

    @AfterEach
    void close() {
        client.close();
    }

    @Test
    void tellsWhatIsThereAndThenWhatHappens() {
        pods.start();
        ChangeVerifier.of(pods.changes(), server)
                .expectInitial("shop/web-0")
                .expectSynced(1)
                .thenServer(objects -> objects.create("{apiVersion: v1, kind: Pod, metadata: {name: web-1, namespace: shop}}"))
                .expectAdded("shop/web-1")
                .thenServer(objects -> objects.delete(PODS, ObjectKey.of("shop", "web-0")))
                .skipUntil("Deleted shop/web-0", change -> change.fold(a -> false, u -> false, d -> d.cause() == DeletionCause.OBSERVED, s -> false))
                .thenCancel()
                .verify(PATIENCE);
    }

    @Test
    void getsOverAConnectionThatBreaks() {
        Fault cut = server.faults().onWatch("pods").after(1).events().cut(Cut.FIN);
        pods.start();
        ChangeVerifier.of(pods.changes(), server)
                .expectInitial("shop/web-0")
                .expectSynced()
                .thenServer(objects -> objects.create("{apiVersion: v1, kind: Pod, metadata: {name: web-1, namespace: shop}}"))
                .expectAdded("shop/web-1")
                .then(() -> cut.happened(PATIENCE).block())
                .thenServer(objects -> objects.create("{apiVersion: v1, kind: Pod, metadata: {name: web-2, namespace: shop}}"))
                .expectAdded("shop/web-2")
                .thenCancel()
                .verify(PATIENCE);
    }
}
