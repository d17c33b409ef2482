package io.reactiveinformer.guide.rsocket;

import io.kubernetes.client.openapi.models.V1Pod;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.test.FakeApiServer;
import io.rsocket.transport.netty.server.CloseableChannel;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.test.StepVerifier;

import static org.assertj.core.api.Assertions.assertThat;

/** The page docs/guide/rsocket.md over a socket: demand travels from the subscriber to the cache. */
@Timeout(60)
class RSocketGuideTest {

    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final ResourceType<V1Pod> PODS = ResourceType.of(V1Pod.class);
    private static final ObjectKey WEB = ObjectKey.of("shop", "web");
    private static final ObjectKey LAST = ObjectKey.of("shop", "last");

    private final FakeApiServer server = FakeApiServer.create();
    private final KubernetesClient client = KubernetesClient.over(server.transport());
    private final InformerFactory informers = InformerFactory.create(client);
    private final Informer<V1Pod> pods = informers.of(PODS);
    private CloseableChannel listening;

    @BeforeEach
    void begin() {
        create(WEB);
        informers.start();
        pods.synced(PATIENCE).block();
        listening = PodSockets.serve(pods, 0).block(PATIENCE);
    }

    @AfterEach
    void end() {
        listening.dispose();
        informers.close();
        client.close();
        server.close();
    }

    private void create(ObjectKey key) {
        server.objects().create("{apiVersion: v1, kind: Pod, metadata: {name: " + key.name() + ", namespace: shop}, "
                + "spec: {containers: [{name: c, image: i}]}, status: {phase: Pending}}");
    }

    /** A thousand states while nothing is requested: they arrive as one. */
    private void changeAThousandTimes() {
        for (int i = 1; i <= 1_000; i++) {
            String phase = "state-" + i;
            server.objects().edit(PODS, WEB, pod -> {
                pod.withObject("status").put("phase", phase);
                return pod;
            });
        }
        create(LAST);
        pods.await(LAST, pod -> true).block(PATIENCE);
    }

    @Test
    void aSubscriberThatRequestsOneReceivesTheNewestState() {
        StepVerifier.create(PodSockets.connect(listening.address().getPort()), 0)
                .thenRequest(2)
                .expectNext("+ shop/web Pending", "= 1")
                .then(this::changeAThousandTimes)
                .thenRequest(2)
                .expectNext("~ shop/web state-1000", "+ shop/last Pending")
                .then(() -> assertThat(pods.subscribers().get(0).conflated()).isEqualTo(999))
                .thenCancel()
                .verify(PATIENCE);
    }
}
