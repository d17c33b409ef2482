package io.reactiveinformer.kafka;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.reactiveinformer.backoff.Backoff;
import io.reactiveinformer.client.ListOptions;
import io.reactiveinformer.client.WatchOptions;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.reflector.ReflectorOptions;
import io.reactiveinformer.resource.ObjectEvent;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Reading;
import io.reactiveinformer.resource.ResourceVersionExpiredException;
import io.reactiveinformer.resource.TransportException;
import io.reactiveinformer.test.ChangeLaws;
import io.reactiveinformer.test.TestView;
import io.reactiveinformer.view.Change;
import io.reactiveinformer.view.Delivery;
import io.reactiveinformer.view.InformerStatus;
import io.reactiveinformer.view.InformerStatus.State;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** A view through a topic of a real broker into a view that could as well be in another process. */
@Timeout(120)
@ExtendWith(SharedBroker.class)
@Tag("long")
class KafkaViewsTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Timings QUICK = timings(Duration.ofSeconds(3));
    private static final Timings IMPATIENT = timings(Duration.ofSeconds(1)); // for tests that wait for the silence
    private static final ReflectorOptions SOON =
            ReflectorOptions.defaults().withBackoff(Backoff.between(Duration.ofMillis(50), Duration.ofMillis(500)));
    private static final RowCodec<Note> CODEC = RowCodec.json(Note.class);
    private static final ObjectKey A = ObjectKey.of("t", "a");
    private static final ObjectKey B = ObjectKey.of("t", "b");
    private static final ObjectKey C = ObjectKey.of("t", "c");

    private static Broker broker;

    private final Disposable.Composite opened = Disposables.composite();
    private final List<Throwable> violations = new CopyOnWriteArrayList<>();
    private KafkaTopic topic;

    record Note(String text) {}

    private static Timings timings(Duration silence) {
        return new Timings(Duration.ofMillis(200), silence, Duration.ofHours(24), Duration.ofMillis(50));
    }

    @BeforeAll
    static void useBroker(Broker shared) {
        broker = shared;
    }

    @BeforeEach
    void nameTopic(TestInfo test) {
        topic = broker.topic(test.getTestMethod().orElseThrow().getName());
    }

    @AfterEach
    void close() {
        opened.dispose();
        assertThat(violations).isEmpty();
    }

    private static TestView<ObjectKey, Note> notes(Map<ObjectKey, String> texts) {
        Map<ObjectKey, Note> notes = new TreeMap<>();
        texts.forEach((key, text) -> notes.put(key, new Note(text)));
        return TestView.of(notes);
    }

    /** A publisher of the test. */
    private final class Published {
        private final List<Throwable> ends = new CopyOnWriteArrayList<>();
        private final Disposable running;

        Published(TestView<ObjectKey, Note> view, long token) {
            running = new Publication<>(view, topic, CODEC, token, QUICK).run().subscribe(nothing -> {}, ends::add);
            opened.add(running);
        }

        void stop() {
            running.dispose();
        }
    }

    private Informer<Note> reader() {
        return reader(QUICK);
    }

    private Informer<Note> reader(Timings timings) {
        Informer<Note> reader = Informer.over(new KafkaSource<>(topic, CODEC, timings), SOON);
        reader.changes(Delivery.every(1000)).transform(ChangeLaws.check()).subscribe(change -> {}, violations::add);
        opened.add(reader::stop);
        reader.start();
        return reader;
    }

    private static void awaitNotes(Informer<Note> reader, Map<ObjectKey, String> wanted) {
        await(() -> texts(reader).equals(wanted));
    }

    private static void await(BooleanSupplier condition) {
        Flux.interval(Duration.ZERO, Duration.ofMillis(20), Schedulers.boundedElastic()).onBackpressureDrop()
                .filter(tick -> condition.getAsBoolean()).blockFirst(PATIENCE);
    }

    private static Map<ObjectKey, String> texts(Informer<Note> reader) {
        Map<ObjectKey, String> texts = new TreeMap<>();
        reader.snapshot().forEach((key, note) -> texts.put(key, note.object().text()));
        return texts;
    }

    private static InformerStatus awaitState(Informer<Note> reader, State state) {
        return Objects.requireNonNull(reader.status().filter(status -> status.state() == state).blockFirst(PATIENCE));
    }

    private static void awaitCause(Informer<Note> reader, String part) {
        reader.status().filter(status -> status.toString().contains(part)).blockFirst(PATIENCE);
    }

    private List<ConsumerRecord<byte[], byte[]>> log() {
        var clients = new KafkaClients(topic);
        List<ConsumerRecord<byte[], byte[]>> log = new ArrayList<>();
        try (Consumer<byte[], byte[]> consumer = clients.consumer()) {
            consumer.seekToBeginning(List.of(clients.partition));
            long end = consumer.endOffsets(List.of(clients.partition)).get(clients.partition);
            while (consumer.position(clients.partition) < end) {
                consumer.poll(Duration.ofMillis(50)).forEach(log::add);
            }
        }
        return log;
    }

    private List<TopicRecord.Row> rowsWritten() {
        return log().stream().map(TopicRecord::of).filter(TopicRecord.Row.class::isInstance).map(TopicRecord.Row.class::cast).toList();
    }

    /** For as long as a publisher needs to read what was written last, and more. */
    private void awaitNothingWrittenBy(long token) {
        var clients = new KafkaClients(topic);
        try (Consumer<byte[], byte[]> consumer = clients.consumer()) {
            consumer.seekToBeginning(List.of(clients.partition));
            for (int polls = 0; polls < 20; polls++) {
                assertThat(consumer.poll(Duration.ofMillis(50))).map(TopicRecord::of)
                        .noneMatch(record -> record instanceof TopicRecord.Row row && row.term().token() == token);
            }
            assertThat(consumer.position(clients.partition)).as("all was read")
                    .isEqualTo(consumer.endOffsets(List.of(clients.partition)).get(clients.partition));
        }
    }

    private void write(TopicRecord record) throws Exception {
        try (Producer<byte[], byte[]> producer = new KafkaClients(topic).producer()) {
            producer.send(TopicRecord.write(topic.name(), record)).get();
        }
    }

    @Test
    void rowsArriveChangeAndEnd() {
        TestView<ObjectKey, Note> view = notes(Map.of(A, "one"));
        new Published(view, 1);
        Informer<Note> reader = reader();
        List<Change<ObjectKey, Note>> changes = new CopyOnWriteArrayList<>();
        reader.changes(Delivery.every(100)).subscribe(changes::add);
        awaitNotes(reader, Map.of(A, "one"));
        view.put(A, new Note("two")).put(B, new Note("new"));
        awaitNotes(reader, Map.of(A, "two", B, "new"));
        view.remove(B);
        awaitNotes(reader, Map.of(A, "two"));
        await(() -> changes.stream().anyMatch(Change.Deleted.class::isInstance)); // rows change before subscribers are notified
        assertThat(changes).filteredOn(Change.Synced.class::isInstance).hasSize(1);
        assertThat(changes).filteredOn(Change.Deleted.class::isInstance).singleElement()
                .satisfies(deleted -> assertThat(((Change.Deleted<?, Note>) deleted).last()).isEqualTo(new Note("new")));
        assertThat(reader.snapshot().find(A).uid()).isEqualTo(view.snapshot().find(A).uid());
    }

    @Test
    void aNewPublisherWritesOnlyWhatDiffers() {
        TestView<ObjectKey, Note> view = notes(Map.of(A, "1", B, "1", C, "1"));
        var first = new Published(view, 1);
        Informer<Note> reader = reader();
        awaitNotes(reader, Map.of(A, "1", B, "1", C, "1"));
        first.stop();
        view.put(B, new Note("2")).remove(C);
        new Published(view, 2);
        awaitNotes(reader, Map.of(A, "1", B, "2"));
        assertThat(rowsWritten()).filteredOn(row -> row.term().token() == 2).extracting(TopicRecord.Row::key)
                .containsExactlyInAnyOrder(B, C);
    }

    @Test
    void aSmallerTokenIsSuperseded() {
        var leader = new Published(notes(Map.of(A, "right")), 5);
        Informer<Note> reader = reader();
        awaitNotes(reader, Map.of(A, "right"));
        var old = new Published(notes(Map.of(A, "wrong", B, "wrong")), 4);
        await(() -> !old.ends.isEmpty());
        assertThat(old.ends).singleElement().isInstanceOf(SupersededException.class);
        assertThat(leader.ends).isEmpty();
        assertThat(rowsWritten()).extracting(row -> row.term().token()).containsOnly(5L);
        assertThat(texts(reader)).isEqualTo(Map.of(A, "right"));
    }

    @Test
    void ofTwoWithOneTokenTheLaterOneWins() {
        var first = new Published(notes(Map.of(A, "first")), 0);
        Informer<Note> reader = reader();
        awaitNotes(reader, Map.of(A, "first"));
        var second = new Published(notes(Map.of(A, "second")), 0);
        awaitNotes(reader, Map.of(A, "second"));
        await(() -> !first.ends.isEmpty());
        assertThat(first.ends).singleElement().isInstanceOf(SupersededException.class);
        assertThat(second.ends).isEmpty();
    }

    /** Compaction would keep the late record, and remove the valid one before it. */
    @Test
    void whatAFormerPublisherWritesLateIsIgnoredAndWrittenOver() throws Exception {
        new Published(notes(Map.of(A, "right")), 2);
        Informer<Note> reader = reader();
        awaitNotes(reader, Map.of(A, "right"));
        List<Change<ObjectKey, Note>> changes = new CopyOnWriteArrayList<>();
        reader.changes(Delivery.every(100)).subscribe(changes::add);
        write(new TopicRecord.Row(A, CODEC.encode(new Note("late")), null, new Term(1, 0), null, false));
        write(new TopicRecord.Row(B, CODEC.encode(new Note("late")), null, new Term(1, 0), null, true));
        await(() -> rowsWritten().size() == 5);
        Map<ObjectKey, Long> last = new TreeMap<>();
        rowsWritten().forEach(row -> last.put(row.key(), row.term().token()));
        assertThat(last).isEqualTo(Map.of(A, 2L, B, 2L));
        awaitNotes(reader(), Map.of(A, "right"));
        reader.atLeast(A, Long.toString(log().size())).block(PATIENCE);
        assertThat(texts(reader)).isEqualTo(Map.of(A, "right"));
        assertThat(changes).noneMatch(change -> change.toString().contains("late"));
    }

    /** What a reader finds that comes when the broker has removed all records but the last one of each key. */
    private Map<ObjectKey, String> textsAfterCompaction() {
        Map<String, ConsumerRecord<byte[], byte[]>> last = new LinkedHashMap<>();
        for (ConsumerRecord<byte[], byte[]> record : log()) {
            String key = new String(record.key(), StandardCharsets.UTF_8);
            last.remove(key); // so that the order is that of the records which stay
            last.put(key, record);
        }
        var replay = new Replay();
        last.values().forEach(replay::add);
        assertThat(replay.lacks()).isNull();
        Map<ObjectKey, String> texts = new TreeMap<>();
        replay.rows.forEach((key, kept) -> texts.put(key, CODEC.decode(Objects.requireNonNull(kept.row().value())).text()));
        return texts;
    }

    private void awaitComplete(long token) {
        await(() -> log().stream().map(TopicRecord::of)
                .anyMatch(record -> record instanceof TopicRecord.Synced synced && synced.term().token() == token));
    }

    @Test
    void theNextPublisherCorrectsRowsThatWereWrittenLate() throws Exception {
        var former = new Published(notes(Map.of(A, "right")), 2);
        awaitComplete(2);
        former.stop();
        write(new TopicRecord.Row(A, CODEC.encode(new Note("late")), null, new Term(1, 0), null, false));
        write(new TopicRecord.Row(B, CODEC.encode(new Note("late")), null, new Term(1, 0), null, true));
        new Published(notes(Map.of(A, "right")), 3);
        awaitComplete(3);
        assertThat(textsAfterCompaction()).isEqualTo(Map.of(A, "right"));
    }

    @Test
    void whatIsWrittenLateBeforeTheViewIsCompleteDeletesNothing() throws Exception {
        TestView<ObjectKey, Note> warm = notes(Map.of(A, "1"));
        var former = new Published(warm, 1);
        Informer<Note> reader = reader();
        List<Change<ObjectKey, Note>> changes = new CopyOnWriteArrayList<>();
        reader.changes(Delivery.every(100)).subscribe(changes::add);
        awaitNotes(reader, Map.of(A, "1"));
        former.stop();
        TestView<ObjectKey, Note> cold = TestView.create();
        new Published(cold, 2);
        await(() -> log().stream().map(TopicRecord::of)
                .anyMatch(record -> record instanceof TopicRecord.Fence fence && fence.term().token() == 2));
        write(new TopicRecord.Row(A, CODEC.encode(new Note("1")), null, new Term(1, 0), warm.snapshot().find(A).uid(), false));
        awaitNothingWrittenBy(2);
        cold.put(A, new Note("1")).sync();
        awaitComplete(2);
        assertThat(textsAfterCompaction()).isEqualTo(Map.of(A, "1"));
        assertThat(changes).noneMatch(Change.Deleted.class::isInstance);
    }

    @Test
    void anAddressThatIsUnknownForNowIsTriedAgain() {
        var clients = new KafkaClients(KafkaTopic.of("nowhere.invalid:9092", "t"));
        assertThatThrownBy(() -> clients.createTopic(Duration.ofHours(1))).isInstanceOf(TransportException.class);
        assertThatThrownBy(clients::requireTopic).isInstanceOf(TransportException.class);
        assertThatThrownBy(clients::producer).isInstanceOf(TransportException.class);
        assertThatThrownBy(clients::consumer).isInstanceOf(TransportException.class);
    }

    /** A shared thread has the context class loader of the application that happened to start it. */
    @Test
    void clientsAreMadeOnThreadsOfOtherApplications() throws Exception {
        ClassLoader other = new ClassLoader(null) {};
        AtomicReference<Object> made = new AtomicReference<>();
        Thread thread = new Thread(() -> {
            try {
                new KafkaClients(topic).consumer().close();
                new KafkaClients(topic).producer().close();
                made.set(Thread.currentThread().getContextClassLoader());
            } catch (Throwable failure) {
                made.set(failure);
            }
        });
        thread.setContextClassLoader(other);
        thread.start();
        thread.join();
        assertThat(made).hasValue(other);
    }

    private record Older(String text, String colour) {}

    @Test
    void aReaderMayHaveOtherFieldsThanThePublisher() {
        byte[] row = "{\"text\":\"a\",\"size\":7}".getBytes(StandardCharsets.UTF_8);
        assertThat(RowCodec.json(Older.class).decode(row)).isEqualTo(new Older("a", null));
    }

    @Test
    void aWrongPropertyIsRefusedAtOnce() {
        assertThatThrownBy(() -> topic.withProperty("security.protocol", "NONE")).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("topic " + topic.name() + ": Invalid value NONE for configuration security.protocol");
        for (Object servers : List.of("", " ", "broker", "broker:", "broker:9092,other", List.of(), List.of("broker"))) {
            assertThatThrownBy(() -> topic.withProperty("bootstrap.servers", servers)).isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("bootstrap.servers must have addresses such as broker:9092");
        }
        for (Object servers : List.of("a:1", "a:1, b:2", "[::1]:9092", "PLAINTEXT://a:1", List.of("a:1", "b:2"))) {
            assertThat(topic.withProperty("bootstrap.servers", servers)).isNotNull();
        }
    }

    @Test
    void aPublisherThatEndsBeforeItWasCompleteLeavesNothingBehind() {
        var first = new Published(TestView.<ObjectKey, Note>create().put(A, new Note("half")), 1);
        Informer<Note> reader = reader();
        awaitCause(reader, "no publisher has written a complete state yet");
        first.stop();
        new Published(notes(Map.of(B, "whole")), 2);
        awaitNotes(reader, Map.of(B, "whole"));
        assertThat(reader.snapshot().complete()).isTrue();
    }

    @Test
    void changesDuringAnOutageOfTheBrokerArriveAfterwards() {
        TestView<ObjectKey, Note> view = notes(Map.of(A, "1", B, "1"));
        new Published(view, 1);
        Informer<Note> reader = reader(IMPATIENT);
        awaitNotes(reader, Map.of(A, "1", B, "1"));
        awaitState(reader, State.LIVE); // in a watch, and not opening one, which waits longer for an answer
        broker.stop();
        view.put(A, new Note("2")).remove(B).put(C, new Note("2"));
        awaitState(reader, State.DISRUPTED);
        assertThat(texts(reader)).isEqualTo(Map.of(A, "1", B, "1"));
        broker.start();
        awaitNotes(reader, Map.of(A, "2", C, "2"));
        awaitState(reader, State.LIVE);
    }

    /** One line when it begins, none for each try, and one when it is over. */
    @Test
    void theLogTellsAnOutageOfTheBrokerFromItsBeginningToItsEnd() {
        topic = topic.withProperty("delivery.timeout.ms", 2000).withProperty("request.timeout.ms", 1000);
        var lines = new ListAppender<ILoggingEvent>();
        lines.list = new CopyOnWriteArrayList<>();
        lines.start();
        var logger = (ch.qos.logback.classic.Logger) LoggerFactory.getLogger(Publication.class);
        logger.addAppender(lines);
        logger.setLevel(Level.INFO);
        try {
            new Published(notes(Map.of(A, "1")), 1);
            awaitNotes(reader(), Map.of(A, "1"));
            broker.stop();
            await(() -> !lines.list.isEmpty());
            broker.start();
            await(() -> lines.list.stream().anyMatch(line -> line.getLevel() == Level.INFO));
        } finally {
            logger.detachAppender(lines);
            logger.setLevel(null);
        }
        assertThat(lines.list.get(0).getFormattedMessage()).contains(topic.toString()).contains("; publishing again ");
        assertThat(lines.list).filteredOn(line -> line.getLevel() == Level.INFO).singleElement().satisfies(line ->
                assertThat(line.getFormattedMessage()).matches(Pattern.quote(topic + ": written again after ") + "\\d+ m?s"));
        assertThat(lines.list).hasSizeLessThan(4).allMatch(line -> line.getThrowableProxy() == null);
    }

    @Test
    void withoutAPublisherTheRowsStayAndTheStatusSaysSo() {
        TestView<ObjectKey, Note> view = notes(Map.of(A, "1"));
        var first = new Published(view, 1);
        Informer<Note> reader = reader(IMPATIENT);
        awaitState(reader, State.LIVE);
        first.stop();
        assertThat(awaitState(reader, State.DISRUPTED).toString()).contains("nothing was written for 1 s");
        assertThat(texts(reader)).isEqualTo(Map.of(A, "1"));
        List<State> states = Objects.requireNonNull(reader.status()
                .takeUntil(status -> status.attempt() == 3).map(InformerStatus::state).collectList().block(PATIENCE));
        assertThat(states).as("until the third failure").doesNotContain(State.LIVE);
        new Published(view.put(A, new Note("2")), 2);
        awaitNotes(reader, Map.of(A, "2"));
        awaitState(reader, State.LIVE);
    }

    @Test
    void rowsThatAreMissingAreNoticed() throws Exception {
        var publisher = new Published(notes(Map.of(A, "1")), 1);
        awaitComplete(1);
        publisher.stop();
        write(new TopicRecord.Synced(rowsWritten().get(0).term(), 2, null));
        awaitCause(reader(), "has 1 rows where its publisher has written 2; were records removed other than by compaction?");
    }

    /** As other programs write a deletion, and publishers of a row that they never had. */
    @Test
    void aDeletionNeedsNoLastState() throws Exception {
        TestView<ObjectKey, Note> view = notes(Map.of(A, "1", B, "1"));
        new Published(view, 1);
        Informer<Note> reader = reader();
        awaitNotes(reader, Map.of(A, "1", B, "1"));
        Term term = rowsWritten().get(0).term();
        write(new TopicRecord.Row(A, null, null, term, null, false));
        write(new TopicRecord.Row(C, null, null, term, null, false));
        view.put(B, new Note("2"));
        awaitNotes(reader, Map.of(B, "2"));
        assertThat(awaitState(reader, State.LIVE).stale()).isEmpty();
    }

    @Test
    void aCodecThatReturnsNoBytesEndsThePublication() {
        RowCodec<Note> broken = new RowCodec<>() {
            @Override
            public byte[] encode(Note row) {
                return null; // would mean that the row is deleted
            }

            @Override
            public Note decode(byte[] bytes) {
                return CODEC.decode(bytes);
            }
        };
        assertThatThrownBy(() -> new Publication<>(notes(Map.of(A, "1")), topic, broken, 1, QUICK).run().block(PATIENCE))
                .hasMessage("the codec returned null for the row of t/a");
    }

    @Test
    void aReaderWaitsForTheTopic() {
        Informer<Note> reader = reader();
        awaitCause(reader, "there is no such topic; the first publisher creates it");
        new Published(notes(Map.of(A, "1")), 1);
        awaitNotes(reader, Map.of(A, "1"));
    }

    /** Offsets begin again, so no version of before means anything. */
    @Test
    void aTopicThatWasMadeAgainIsReadAgain() throws Exception {
        var first = new Published(notes(Map.of(A, "1", B, "1")), 1);
        Informer<Note> reader = reader();
        awaitNotes(reader, Map.of(A, "1", B, "1"));
        var source = new KafkaSource<>(topic, CODEC, QUICK);
        String version = Objects.requireNonNull(source.list(ListOptions.defaults(), Reading.anew()).last()
                .map(end -> ((ObjectEvent.PageEnd<Note>) end).resourceVersion()).block(PATIENCE));
        first.stop();
        broker.admin(admin -> admin.deleteTopics(List.of(topic.name())).all()).get();
        await(() -> !broker.admin(admin -> names(admin.listTopics().names())).contains(topic.name()));
        new Published(notes(Map.of(B, "2", C, "2")), 1);
        awaitNotes(reader, Map.of(B, "2", C, "2"));
        await(() -> log().size() > Long.parseLong(version));
        assertThatThrownBy(() -> source.watch(WatchOptions.from(version, PATIENCE), Reading.anew()).blockLast(PATIENCE))
                .isInstanceOf(ResourceVersionExpiredException.class);
    }

    private static List<String> names(KafkaFuture<Set<String>> names) {
        try {
            return List.copyOf(names.get());
        } catch (Exception failure) {
            throw new IllegalStateException(failure);
        }
    }

    @Test
    void aRowThatCannotBeReadIsNamedAndTheOthersArrive() throws Exception {
        TestView<ObjectKey, Note> view = notes(Map.of(A, "1"));
        new Published(view, 1);
        Informer<Note> reader = reader();
        awaitNotes(reader, Map.of(A, "1"));
        Term term = rowsWritten().get(0).term();
        write(new TopicRecord.Row(B, "no JSON".getBytes(StandardCharsets.UTF_8), null, term, null, true));
        view.put(C, new Note("1"));
        awaitNotes(reader, Map.of(A, "1", C, "1"));
        awaitCause(reader, "cannot read the row of t/b");
    }

    @Test
    void aTopicThatCannotHoldAViewIsNamed() throws Exception {
        broker.admin(admin -> admin.createTopics(List.of(new NewTopic(topic.name(), Optional.of(2), Optional.empty()))).all()).get();
        awaitCause(reader(), "has 2 partitions, and must have one");
    }
}
