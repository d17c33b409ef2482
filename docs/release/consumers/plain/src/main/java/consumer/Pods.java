package consumer;

import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.models.V1Pod;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.config.ClusterConfig;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.test.FakeApiServer;
import io.reactiveinformer.view.Change;
import java.time.Duration;

/** Three clients in one process see the same two pods. */
public class Pods {

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
                var api = new CoreV1Api(new ApiClient().setBasePath(server.url().toString()));
                int official = api.listNamespacedPod("default").execute().getItems().size();
                var config = new ConfigBuilder().withMasterUrl(server.url().toString()).build();
                try (var fabric8 = new KubernetesClientBuilder().withConfig(config).build()) {
                    int fabric = fabric8.pods().inNamespace("default").list().getItems().size();
                    System.out.println("synced: " + synced.count() + " pods; the official client: " + official + ", fabric8: " + fabric);
                }
            }
        }
        System.exit(0);
    }
}
