package io.reactiveinformer.laws.scale;

import io.kubernetes.client.openapi.models.V1Pod;
import io.reactiveinformer.client.ClientOptions;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.config.ClusterConfig;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.view.InformerStatus.State;
import java.time.Duration;

/** Lists and watches the pods of the server that its first argument names, in protocol buffers if the second one is {@code true}. */
final class FirstList {

    private FirstList() {}

    public static void main(String[] arguments) {
        ClientOptions options = ClientOptions.defaults().withProtobuf(Boolean.parseBoolean(arguments[1]));
        try (var client = KubernetesClient.create(ClusterConfig.of(arguments[0]), options);
                var factory = InformerFactory.create(client)) {
            var pods = factory.of(ResourceType.of(V1Pod.class));
            factory.start();
            pods.status().filter(status -> status.synced() && status.state() == State.LIVE).blockFirst(Duration.ofMinutes(1));
            System.out.println("objects " + pods.snapshot().size());
            Runtime.getRuntime().halt(0); // the end loads more
        }
    }
}
