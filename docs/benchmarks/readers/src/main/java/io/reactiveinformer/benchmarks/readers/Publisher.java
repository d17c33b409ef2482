package io.reactiveinformer.benchmarks.readers;

import io.kubernetes.client.openapi.models.V1Pod;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.config.ClusterConfig;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.kafka.KafkaTopic;
import io.reactiveinformer.kafka.KafkaViews;
import io.reactiveinformer.kafka.RowCodec;
import io.reactiveinformer.resource.ResourceType;
import java.io.IOException;
import reactor.core.Disposable;

/** One informer of all pods, published to a topic. Answers no questions. */
final class Publisher {

    static final String TOPIC = "pods";

    private Publisher() {}

    public static void main(String... arguments) throws IOException {
        try (InformerFactory informers = InformerFactory.create(KubernetesClient.create(ClusterConfig.of(arguments[0])))) {
            Informer<PodRow> pods = informers.of(ResourceType.of(V1Pod.class).as(PodRow.class));
            informers.start();
            pods.synced().block();
            Disposable publication = KafkaViews.publish(pods, KafkaTopic.of(arguments[1], TOPIC), RowCodec.json(PodRow.class)).subscribe();
            System.out.println("@publishes " + pods.snapshot().size());
            while (System.in.read() >= 0) {
                // until the comparison ends
            }
            publication.dispose();
        }
    }
}
