package consumer;

import io.kubernetes.client.openapi.models.V1Pod;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.config.ClusterConfig;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.test.FakeApiServer;
import io.reactiveinformer.view.Change;
import java.time.Duration;

/** An informer whose objects Jackson reads. */
public class Jackson {

    public static void main(String[] args) throws Exception {
        try (var server = FakeApiServer.create()) {
            server.start();
            for (String name : new String[] {"a", "b"}) {
                server.objects().create("{apiVersion: v1, kind: Pod, metadata: {name: " + name + ", namespace: default}, "
                        + "spec: {containers: [{name: main, image: nginx}]}}");
            }
            try (var client = KubernetesClient.create(ClusterConfig.of(server.url()))) {
                var pods = InformerFactory.create(client).of(ResourceType.of(V1Pod.class));
                pods.start();
                var synced = pods.changes().ofType(Change.Synced.class).blockFirst(Duration.ofSeconds(30));
                try {
                    Class.forName("io.reactiveinformer.internal.readers.OwnReaders");
                    throw new IllegalStateException("the readers are on the class path");
                } catch (ClassNotFoundException expected) {
                    System.out.println("synced: " + synced.count() + " pods, by Jackson");
                }
            }
        }
        System.exit(0);
    }
}
