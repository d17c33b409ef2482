package io.reactiveinformer.test;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1Secret;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.informer.InformerSpec;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.view.InformerStatus;
import io.reactiveinformer.warmstart.WarmStartStorage;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** The snippets of {@code docs/guide/warm-start.md}. */
class WarmStartGuideTest {

    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final ObjectKey PRICES = ObjectKey.of("shop", "prices");

    @Test
    void beginsWithWhatItHadCached(@TempDir Path directory) {
        try (FakeApiServer server = FakeApiServer.create(); KubernetesClient client = KubernetesClient.over(server.transport())) {
            server.objects().create("{apiVersion: v1, kind: ConfigMap, metadata: {name: prices, namespace: shop}}");

            WarmStartStorage snapshots = WarmStartStorage.inDirectory(directory);
            InformerFactory informers = InformerFactory.create(client, snapshots);
            InformerSpec<V1Secret> secrets = InformerSpec.of(ResourceType.of(V1Secret.class)).withWarmStart(snapshots);
            InformerSpec<V1Node> nodes = InformerSpec.of(ResourceType.of(V1Node.class)).withColdStart();

            informers.of(ResourceType.of(V1ConfigMap.class));
            informers.of(secrets);
            informers.of(nodes);
            informers.start();
            informers.synced().block(PATIENCE);
            informers.stop(Duration.ofSeconds(10)).block();

            server.faults().onAny().always().refuse();
            InformerFactory restarted = InformerFactory.create(client, snapshots);
            Informer<V1ConfigMap> prices = restarted.of(ResourceType.of(V1ConfigMap.class));
            restarted.start();
            InformerStatus status = prices.status().filter(now -> now.staleSince() != null).blockFirst(PATIENCE);
            assertThat(prices.lister().get(PRICES)).isPresent();
            assertThat(status.synced()).isFalse();
            assertThat(status.staleness(Instant.now())).isPositive();
            restarted.close();
        }
    }
}
