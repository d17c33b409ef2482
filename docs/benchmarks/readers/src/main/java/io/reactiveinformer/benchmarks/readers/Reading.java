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
import io.reactiveinformer.view.Change;
import io.reactiveinformer.view.Delivery;
import java.util.ArrayList;
import java.util.List;
import java.util.Scanner;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.SynchronizedHistogram;

/**
 * Readers of one kind in one process.
 *
 * <pre>
 * begin            forgets the delays so far
 * await COUNT      answers when so many changes have arrived since, by their number and delays in microseconds (p50, p99)
 * heap             answers the megabytes in use after a collection
 * </pre>
 */
final class Reading {

    private static final int WAITING = 100_000;

    private final Histogram delays = new SynchronizedHistogram(3);
    private final List<Informer<PodRow>> readers = new ArrayList<>();

    private Reading() {}

    public static void main(String... arguments) throws InterruptedException {
        var reading = new Reading();
        for (int reader = 0; reader < Integer.parseInt(arguments[2]); reader++) {
            reading.add(arguments[0].equals("topic") ? ofTopic(arguments[1]) : ofServer(arguments[1]));
        }
        for (Informer<PodRow> reader : reading.readers) {
            reader.synced().block();
        }
        System.out.println("@ready");
        var questions = new Scanner(System.in, "UTF-8");
        while (questions.hasNextLine()) {
            String[] question = questions.nextLine().split(" ", -1);
            System.out.println("@" + switch (question[0]) {
                case "begin" -> reading.begin();
                case "await" -> reading.await(Long.parseLong(question[1]));
                default -> heap();
            });
        }
    }

    private static Informer<PodRow> ofTopic(String brokers) {
        return KafkaViews.view(KafkaTopic.of(brokers, Publisher.TOPIC), RowCodec.json(PodRow.class));
    }

    /** As in a process of its own: with its own client. */
    private static Informer<PodRow> ofServer(String url) {
        return InformerFactory.create(KubernetesClient.create(ClusterConfig.of(url))).of(ResourceType.of(V1Pod.class).as(PodRow.class));
    }

    private void add(Informer<PodRow> reader) {
        readers.add(reader);
        reader.changes(Delivery.every(WAITING)).subscribe(change -> {
            if (change instanceof Change.Updated<?, PodRow> updated && updated.after().written() != null) {
                delays.recordValue((System.nanoTime() - Long.parseLong(updated.after().written())) / 1_000);
            }
        });
        reader.start();
    }

    private String begin() {
        delays.reset();
        return "begun";
    }

    private String await(long count) throws InterruptedException {
        for (int tries = 0; delays.getTotalCount() < count && tries < 600; tries++) {
            Thread.sleep(100);
        }
        return delays.getTotalCount() + " " + delays.getValueAtPercentile(50) + " " + delays.getValueAtPercentile(99);
    }

    private static String heap() {
        System.gc();
        return Long.toString(Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory() >> 20);
    }
}
