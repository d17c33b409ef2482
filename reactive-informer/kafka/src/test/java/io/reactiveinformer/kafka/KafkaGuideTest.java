package io.reactiveinformer.kafka;

import io.kubernetes.client.openapi.models.V1Pod;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.leader.LeaderElector;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.test.FakeApiServer;
import io.reactiveinformer.view.Change;
import io.reactiveinformer.view.View;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import java.util.Properties;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.KStream;
import org.apache.kafka.streams.kstream.KTable;
import org.apache.kafka.streams.kstream.Produced;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;

/** The programs on the page about Kafka, against a real broker. */
@Timeout(120)
@ExtendWith(SharedBroker.class)
class KafkaGuideTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    record PodRow(String node, String phase) {

        static PodRow of(V1Pod pod) {
            var spec = Objects.requireNonNull(pod.getSpec());
            var status = Objects.requireNonNull(pod.getStatus());
            return new PodRow(Objects.requireNonNullElse(spec.getNodeName(), ""), Objects.requireNonNullElse(status.getPhase(), ""));
        }
    }

    /** The replica that leads publishes; the others stand by. */
    static Disposable publish(KubernetesClient client, KafkaTopic topic) {
        InformerFactory informers = InformerFactory.create(client);
        View<ObjectKey, PodRow> pods = informers.of(ResourceType.of(V1Pod.class), Namespaces.all()).map(PodRow::of);
        LeaderElector elector = LeaderElector.of(client, ObjectKey.of("shop", "pods-publisher"));
        informers.start();
        return elector.whileLeading(term -> KafkaViews.publish(pods, topic, RowCodec.json(PodRow.class), term.token()))
                .subscribe();
    }

    /** Any number of other processes read. */
    static Informer<PodRow> read(KafkaTopic topic) {
        Informer<PodRow> pods = KafkaViews.view(topic, RowCodec.json(PodRow.class));
        pods.start();
        return pods;
    }

    @Test
    void aLeaderPublishesAndOthersRead(Broker broker) {
        try (FakeApiServer server = FakeApiServer.create()) {
            server.objects().create("{apiVersion: v1, kind: Namespace, metadata: {name: shop}}");
            server.objects().create("{apiVersion: v1, kind: Pod, metadata: {namespace: shop, name: web},"
                    + " spec: {nodeName: n1, containers: [{name: c, image: i}]}, status: {phase: Running}}");
            KafkaTopic topic = broker.topic("pods");
            Disposable publication = publish(KubernetesClient.over(server.transport()), topic);
            Informer<PodRow> pods = read(topic);
            Mono<String> first = pods.changes()
                    .filter(change -> !(change instanceof Change.Synced))
                    .map(change -> change.match(
                            added -> "added " + added.key() + " " + added.object().phase(),
                            String::valueOf, String::valueOf, String::valueOf))
                    .next()
                    .cache();
            first.subscribe();
            PodRow web = Mono.defer(() -> pods.await(ObjectKey.of("shop", "web"), row -> row.node().equals("n1"))).block(PATIENCE);
            assertThat(web).isEqualTo(new PodRow("n1", "Running"));
            assertThat(first.block(PATIENCE)).isEqualTo("added shop/web Running");
            server.requests().await(request -> request.uri().contains("watch=true"), PATIENCE).block();
            assertThat(server.requests().all()).filteredOn(request -> request.path().endsWith("/pods")).hasSize(2); // a list and a watch
            publication.dispose();
            pods.stop();
        }
    }

    /** Orders that name a pod, with the row of that pod. */
    static Topology orders() {
        var builder = new StreamsBuilder();
        KTable<String, String> pods = builder
                .table("pods", Consumed.with(Serdes.String(), Serdes.String()))
                .filter((key, row) -> !key.startsWith("//"));
        KStream<String, String> orders = builder.stream("orders", Consumed.with(Serdes.String(), Serdes.String()));
        orders.join(pods, (order, pod) -> order + " on " + pod)
                .to("orders-with-pods", Produced.with(Serdes.String(), Serdes.String()));
        return builder.build();
    }

    @Test
    void kafkaStreamsJoinsATopic() {
        var config = new Properties();
        config.put(StreamsConfig.APPLICATION_ID_CONFIG, "orders");
        config.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "unused:9092");
        var row = new TopicRecord.Row(ObjectKey.of("shop", "web"), RowCodec.json(PodRow.class).encode(new PodRow("n1", "Running")), null,
                new Term(1, 0), null, true);
        var record = TopicRecord.write("pods", row);
        try (var driver = new TopologyTestDriver(orders(), config)) {
            var pods = driver.createInputTopic("pods", Serdes.ByteArray().serializer(), Serdes.ByteArray().serializer());
            pods.pipeInput("//synced".getBytes(StandardCharsets.UTF_8), new byte[0]);
            pods.pipeInput(record.key(), record.value());
            driver.createInputTopic("orders", Serdes.String().serializer(), Serdes.String().serializer()).pipeInput("shop/web", "order 7");
            assertThat(driver.createOutputTopic("orders-with-pods", Serdes.String().deserializer(), Serdes.String().deserializer())
                    .readValuesToList()).containsExactly("order 7 on {\"node\":\"n1\",\"phase\":\"Running\"}");
        }
    }
}
