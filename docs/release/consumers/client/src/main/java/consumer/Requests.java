package consumer;

import io.kubernetes.client.openapi.models.V1Pod;
import io.reactiveinformer.apiserver.ApiServer;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.client.ListOptions;
import io.reactiveinformer.config.ClusterConfig;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ResourceType;
import java.time.Duration;

/** A list without an informer, and without the classes of one. */
public class Requests {

    public static void main(String[] args) throws Exception {
        try (var server = ApiServer.builder().build().start(0); var client = KubernetesClient.create(ClusterConfig.of(server.url()))) {
            for (String name : new String[] {"a", "b"}) {
                server.objects().create("{apiVersion: v1, kind: Pod, metadata: {name: " + name + ", namespace: default}, "
                        + "spec: {containers: [{name: main, image: nginx}]}}");
            }
            var pods = client.resources(ResourceType.of(V1Pod.class));
            long listed = pods.listAll(Namespaces.of("default"), ListOptions.defaults()).count().block(Duration.ofSeconds(30));
            absent("io.reactiveinformer.informer.Informer");
            System.out.println("synced: " + listed + " pods, by the client alone");
        }
        System.exit(0);
    }

    private static void absent(String type) {
        try {
            Class.forName(type);
            throw new IllegalStateException(type + " is on the class path");
        } catch (ClassNotFoundException expected) {
            // as it should be
        }
    }
}
