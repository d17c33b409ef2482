package consumer;

import io.kubernetes.client.openapi.models.V1Pod;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.config.ClusterConfig;
import io.reactiveinformer.controller.Controller;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.queue.Result;
import io.reactiveinformer.client.Patch;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.test.FakeApiServer;
import java.time.Duration;
import java.util.Map;

/** A controller that labels two pods. */
public class Labels {

    public static void main(String[] args) throws Exception {
        ResourceType<V1Pod> type = ResourceType.of(V1Pod.class);
        try (var server = FakeApiServer.create()) {
            server.start();
            for (String name : new String[] {"a", "b"}) {
                server.objects().create("{apiVersion: v1, kind: Pod, metadata: {name: " + name + ", namespace: default}, "
                        + "spec: {containers: [{name: main, image: nginx}]}}");
            }
            try (var client = KubernetesClient.create(ClusterConfig.of(server.url())); var informers = InformerFactory.create(client)) {
                var pods = informers.of(type);
                var controller = Controller.named("labels")
                        .reconciles(type, pods)
                        .reconcile(request -> client.resources(type)
                                .patch(request.key(), Patch.merge(Map.of("metadata", Map.of("labels", Map.of("seen", "yes")))))
                                .doOnNext(request.wrote(pods))
                                .thenReturn(Result.done()));
                informers.start();
                controller.start();
                long labelled = pods.objects()
                        .filter(pod -> pod.getMetadata().getLabels() != null && "yes".equals(pod.getMetadata().getLabels().get("seen")))
                        .map(pod -> pod.getMetadata().getName())
                        .distinct().take(2).count().block(Duration.ofSeconds(30));
                controller.drain(Duration.ofSeconds(5)).block();
                System.out.println("synced: " + labelled + " pods with a label, by a controller");
            }
        }
        System.exit(0);
    }
}
