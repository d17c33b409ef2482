package io.reactiveinformer.laws.scale;

import io.kubernetes.client.openapi.models.V1Pod;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.config.ClusterConfig;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.resource.ResourceType;
import java.time.Duration;

/** Caches all pods of the server at the given address once, and says how many. */
final class SyncPods {

    private SyncPods() {}

    public static void main(String[] arguments) {
        try (var client = KubernetesClient.create(ClusterConfig.of(arguments[0])); var informers = InformerFactory.create(client)) {
            Informer<V1Pod> pods = informers.of(ResourceType.of(V1Pod.class));
            informers.start();
            pods.synced().block(Duration.ofMinutes(2));
            System.out.println("pods " + pods.snapshot().size());
            System.gc();
            System.out.println("heap-mb " + (Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory() >> 20));
        }
    }
}
