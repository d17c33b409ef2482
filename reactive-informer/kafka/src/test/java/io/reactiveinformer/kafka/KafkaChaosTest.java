package io.reactiveinformer.kafka;

import io.reactiveinformer.backoff.Backoff;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.reflector.ReflectorOptions;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.test.ChangeLaws;
import io.reactiveinformer.test.TestView;
import io.reactiveinformer.view.Delivery;
import io.reactiveinformer.view.View;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.clients.producer.Producer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.ExtendWith;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Publishers that replace each other in the middle, former ones that write late, readers that come and go, and a broker that stops: in the
 * end every reader has the rows of the last publisher's view, and each has received a lawful sequence of changes.
 */
@Tag("long")
@Timeout(300)
@ExtendWith(SharedBroker.class)
class KafkaChaosTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Timings QUICK =
            new Timings(Duration.ofMillis(200), Duration.ofSeconds(3), Duration.ofHours(24), Duration.ofMillis(50));
    private static final ReflectorOptions SOON =
            ReflectorOptions.defaults().withBackoff(Backoff.between(Duration.ofMillis(50), Duration.ofMillis(500)));
    private static final RowCodec<String> CODEC = RowCodec.json(String.class);
    private static final int KEYS = 12;
    private static final int ROUNDS = 4;
    private static final int STEPS = 25;

    private final long seed = Long.getLong("kafka.seed", System.nanoTime());
    private final Random random = new Random(seed);
    private final List<Throwable> violations = new CopyOnWriteArrayList<>();
    private final List<Informer<String>> readers = new ArrayList<>();
    private final List<Disposable> publications = new ArrayList<>();
    private TestView<ObjectKey, String> view = TestView.of(Map.of());
    private long token;

    private static ObjectKey key(int number) {
        return ObjectKey.of("t", "row-" + number);
    }

    @Test
    void everyReaderEndsWithTheRowsOfTheLastPublisher(Broker broker) throws Exception {
        KafkaTopic topic = broker.topic("chaos");
        replacePublisher(topic);
        addReader(topic);
        for (int round = 0; round < ROUNDS; round++) {
            boolean outage = round == 1;
            for (int step = 0; step < STEPS; step++) {
                step(topic, outage);
                if (outage && step == STEPS / 2) {
                    broker.stop();
                }
            }
            if (outage) {
                broker.start();
            }
            awaitAll("round " + round + " of -Dkafka.seed=" + seed);
        }
        assertThat(violations).as("-Dkafka.seed=" + seed).isEmpty();
        publications.forEach(Disposable::dispose);
        readers.forEach(Informer::stop);
    }

    /** Each of two brokers is away once, the one that leads the partition first. */
    @Test
    @EnabledIfSystemProperty(named = "test.thorough", matches = "true")
    void thePartitionMovesToAnotherBrokerAndBack() {
        try (Broker brokers = new Broker(2)) {
            KafkaTopic topic = brokers.topic("moves");
            replacePublisher(topic);
            addReader(topic);
            for (int move = 0; move < 2; move++) {
                view.put(key(1), "before " + move);
                awaitAll("before move " + move);
                int leader = brokers.leaderOf(topic);
                brokers.stop(leader);
                view.put(key(1), "after " + move).remove(key(2)).put(key(3 + move), "new");
                awaitAll("after move " + move);
                assertThat(brokers.leaderOf(topic)).isNotEqualTo(leader);
                brokers.start(leader);
                brokers.awaitReplicas(topic, 2);
            }
            assertThat(violations).isEmpty();
            publications.forEach(Disposable::dispose);
            readers.forEach(Informer::stop);
        }
    }

    /** A publisher in a process of its own, which writes a hundred rows again and again until it is killed. */
    static final class Endless {

        private Endless() {}

        public static void main(String[] arguments) throws InterruptedException {
            var rows = TestView.of(Map.of(key(0), "of the process"));
            new Publication<>(rows, KafkaTopic.of(arguments[0], arguments[1]), CODEC, 1, QUICK).run().subscribe();
            for (long change = 0;; change++) {
                rows.put(ObjectKey.of("t", "of-the-process-" + change % 100), Long.toString(change));
                if (change % 100 == 99) {
                    rows.remove(ObjectKey.of("t", "of-the-process-" + change / 100 % 100));
                    Thread.sleep(1); // so that it does not take a whole core
                }
            }
        }
    }

    @Test
    @EnabledIfSystemProperty(named = "test.thorough", matches = "true")
    void aPublisherIsKilledInTheMiddleAndAnotherTakesOver(Broker broker) throws Exception {
        KafkaTopic topic = broker.topic("killed");
        Process publisher = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp", System.getProperty("java.class.path"), Endless.class.getName(),
                (String) topic.properties().get("bootstrap.servers"), topic.name()).inheritIO().start();
        try {
            addReader(topic);
            Flux.interval(Duration.ZERO, Duration.ofMillis(50), Schedulers.boundedElastic()).onBackpressureDrop()
                    .filter(tick -> rows(readers.get(0)).size() > 50).blockFirst(PATIENCE);
        } finally {
            publisher.destroyForcibly().waitFor();
        }
        token = 1;
        replacePublisher(topic);
        addReader(topic);
        awaitAll("after the end of the process");
        assertThat(violations).isEmpty();
        publications.forEach(Disposable::dispose);
        readers.forEach(Informer::stop);
    }

    private void step(KafkaTopic topic, boolean outage) throws Exception {
        int dice = random.nextInt(100);
        if (dice < 55) {
            view.put(key(random.nextInt(KEYS)), Integer.toString(random.nextInt(1000)));
        } else if (dice < 75) {
            view.remove(key(random.nextInt(KEYS)));
        } else if (dice < 80) {
            view.recreate(key(random.nextInt(KEYS)), "again " + random.nextInt(1000));
        } else if (dice < 86) {
            replacePublisher(topic);
        } else if (dice < 90 && !outage) {
            writeLate(topic);
        } else if (dice < 94 && readers.size() < 4) {
            addReader(topic);
        } else if (dice < 97) { // it loses the election that it did not take part in
            publications.add(new Publication<>(TestView.of(Map.of(key(0), "wrong")), topic, CODEC, token - 1, QUICK).run()
                    .subscribe(nothing -> {}, superseded -> {}));
        }
    }

    /** As a new leader does, whose view has seen other states of the same objects. The former one may go on for a while. */
    private void replacePublisher(KafkaTopic topic) {
        Map<ObjectKey, String> rows = new TreeMap<>();
        view.snapshot().forEach((key, row) -> rows.put(key, row.object()));
        rows.remove(key(random.nextInt(KEYS)));
        rows.put(key(random.nextInt(KEYS)), "new leader");
        view = TestView.of(rows);
        if (!publications.isEmpty() && random.nextBoolean()) {
            publications.get(publications.size() - 1).dispose();
        }
        publications.add(new Publication<>(view, topic, CODEC, ++token, QUICK).run().subscribe(nothing -> {}, superseded -> {}));
    }

    private void writeLate(KafkaTopic topic) throws Exception {
        try (Producer<byte[], byte[]> producer = new KafkaClients(topic).producer()) {
            var row = new TopicRecord.Row(key(random.nextInt(KEYS)), CODEC.encode("late"), null, new Term(token - 1, 0), null, false);
            producer.send(TopicRecord.write(topic.name(), row)).get();
        }
    }

    private void addReader(KafkaTopic topic) {
        Informer<String> reader = Informer.over(new KafkaSource<>(topic, CODEC, QUICK), SOON);
        Delivery delivery = random.nextBoolean() ? Delivery.conflated() : Delivery.every(10_000);
        reader.changes(delivery).transform(ChangeLaws.check()).subscribe(change -> {}, violations::add);
        reader.start();
        readers.add(reader);
    }

    private void awaitAll(String when) {
        Map<ObjectKey, String> wanted = rows(view);
        try {
            Flux.interval(Duration.ZERO, Duration.ofMillis(50), Schedulers.boundedElastic()).onBackpressureDrop()
                    .filter(tick -> readers.stream().allMatch(reader -> rows(reader).equals(wanted))).blockFirst(PATIENCE);
        } catch (IllegalStateException late) {
            assertThat(readers.stream().map(KafkaChaosTest::rows)).as(when).allMatch(wanted::equals);
        }
    }

    private static Map<ObjectKey, String> rows(View<ObjectKey, String> of) {
        Map<ObjectKey, String> rows = new TreeMap<>();
        of.snapshot().forEach((key, row) -> rows.put(key, row.object()));
        return rows;
    }
}
