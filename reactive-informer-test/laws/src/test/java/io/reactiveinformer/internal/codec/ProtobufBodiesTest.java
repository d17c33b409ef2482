package io.reactiveinformer.internal.codec;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodCondition;
import io.reactiveinformer.apiserver.internal.cluster.Json;
import io.reactiveinformer.apiserver.internal.protobuf.ProtobufObjects;
import io.reactiveinformer.resource.FieldPath;
import io.reactiveinformer.resource.ObjectEvent;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Reading;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.ResourceVersionExpiredException;
import io.reactiveinformer.resource.Status;
import io.reactiveinformer.resource.StatusException;
import io.reactiveinformer.resource.TransportException;
import io.reactiveinformer.resource.UnexpectedAnswerException;
import io.reactiveinformer.resource.Versioned;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

/** Lists and watches in protocol buffers: what is read of them, and what follows from bytes that lie. */
class ProtobufBodiesTest {

    private static final ResourceType<V1Pod> PODS = ResourceType.of(V1Pod.class);
    private static final int ROUNDS = 3000;

    private final ObjectCodec codec = ObjectCodec.create();

    record Row(@FieldPath("metadata.labels['app']") String app, @FieldPath("spec.nodeName") String node,
            @FieldPath("status.conditions") List<V1PodCondition> conditions,
            @FieldPath("spec.priority") int priority, @FieldPath("kind") String kind,
            @FieldPath("metadata.annotations") Map<String, String> annotations) {}

    record NextVersion(@FieldPath("spec.comesWithTheNextVersion") String value) {}

    private static ObjectNode pod(String name, String version) {
        return (ObjectNode) Json.read("""
                {"apiVersion": "v1", "kind": "Pod",
                 "metadata": {"name": "%s", "namespace": "shop", "uid": "uid-%s", "resourceVersion": "%s", "labels": {"app": "é", "b": "c"},
                   "managedFields": [{"manager": "m", "fieldsType": "FieldsV1", "fieldsV1": {"f:spec": {}}}]},
                 "spec": {"nodeName": "node-1", "priority": 7,
                   "containers": [{"name": "a", "image": "i", "resources": {"limits": {"cpu": "250m"}}}]},
                 "status": {"phase": "Running", "conditions": [{"type": "Ready", "status": "True",
                   "lastTransitionTime": "2026-11-21T01:52:58Z"}]}}""".formatted(name, name, version));
    }

    private static byte[] event(String type, ObjectNode object) {
        ObjectNode event = Json.object().put("type", type);
        event.set("object", object);
        return ProtobufObjects.event(event);
    }

    private static byte[] list(ObjectNode... items) {
        ObjectNode list = Json.object().put("apiVersion", "v1").put("kind", "PodList");
        list.putObject("metadata").put("resourceVersion", "7").put("continue", "more");
        list.putArray("items").addAll(Arrays.asList(items));
        return ProtobufObjects.write(list);
    }

    private static byte[] joined(byte[]... parts) {
        var all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    private List<ObjectEvent<V1Pod>> watch(byte[] body, Reading<V1Pod> known) {
        return codec.watchInProtobuf(Bodies.of(List.of(body)), PODS, known, "watch pods").collectList().block();
    }

    private <T> List<ObjectEvent<T>> list(byte[] body, ResourceType<T> type) {
        return codec.listInProtobuf(Bodies.of(List.of(body)), type, Reading.anew()).collectList().block();
    }

    @Test
    void aBodyIsTheSameWhereverItIsCut() {
        byte[] body = list(pod("a", "1"), pod("b", "2"));
        List<ObjectEvent<V1Pod>> whole = list(body, PODS);
        assertThat(whole).hasSize(3).last().isEqualTo(new ObjectEvent.PageEnd<>("7", "more"));
        byte[] events = joined(event("ADDED", pod("a", "1")), event("DELETED", pod("b", "2")));
        List<ObjectEvent<V1Pod>> watched = watch(events, Reading.anew());
        for (int at = 0; at <= Math.max(body.length, events.length); at++) {
            if (at <= body.length) {
                assertThat(codec.listInProtobuf(Bodies.splitAt(body, at), PODS, Reading.anew()).collectList().block()).isEqualTo(whole);
            }
            if (at <= events.length) {
                assertThat(codec.watchInProtobuf(Bodies.splitAt(events, at), PODS, Reading.anew(), "").collectList().block())
                        .isEqualTo(watched);
            }
        }
        assertThat(codec.listInProtobuf(Bodies.byteByByte(body), PODS, Reading.anew()).collectList().block()).isEqualTo(whole);
    }

    @Test
    void aListThatBreaksOffFails() {
        byte[] body = list(pod("a", "1"));
        for (int at = 0; at < body.length - 4; at++) { // two empty fields after the list
            byte[] part = Arrays.copyOf(body, at);
            assertThatThrownBy(() -> list(part, PODS)).as("at %d", at).isInstanceOf(TransportException.class);
        }
    }

    @Test
    void readsBookmarksAndErrors() {
        ObjectNode bookmark = pod("", "12");
        ((ObjectNode) bookmark.get("metadata")).putObject("annotations").put("k8s.io/initial-events-end", "true");
        assertThat(watch(event("BOOKMARK", bookmark), Reading.anew())).containsExactly(new ObjectEvent.Bookmark<>("12", true));
        ObjectNode status = (ObjectNode) Json.read("""
                {"apiVersion": "v1", "kind": "Status", "status": "Failure", "reason": "Expired", "code": 410, "message": "too old",
                 "details": {"retryAfterSeconds": 3, "causes": [{"reason": "r", "message": "m", "field": "f"}]}}""");
        assertThatThrownBy(() -> watch(event("ERROR", status), Reading.anew())).isInstanceOf(ResourceVersionExpiredException.class)
                .hasMessageContaining("too old")
                .extracting(failure -> ((StatusException) failure).status().code()).isEqualTo(410);
        Status read = codec.status(Bodies.of(List.of(ProtobufObjects.write(status))), 410, "application/vnd.kubernetes.protobuf", null)
                .block();
        assertThat(read.message()).isEqualTo("too old");
        assertThat(read.causes()).containsExactly(new Status.Cause("r", "m", "f"));
        assertThat(read.retryAfter()).hasSeconds(3);
    }

    @Test
    void sharesWithTheCachedStateAndWithOthers() {
        Versioned<V1Pod> before = ((ObjectEvent.Applied<V1Pod>) watch(event("ADDED", pod("a", "1")), Reading.anew()).get(0)).entry();
        ObjectNode changed = pod("a", "2");
        ((ObjectNode) changed.get("status")).put("phase", "Failed");
        Versioned<V1Pod> after = ((ObjectEvent.Applied<V1Pod>) watch(event("MODIFIED", changed), Reading.of(key -> before)).get(0)).entry();
        assertThat(after.object().getSpec()).isSameAs(before.object().getSpec());
        assertThat(after.object().getMetadata().getLabels()).isSameAs(before.object().getMetadata().getLabels());
        assertThat(after.object().getMetadata().getUid()).isSameAs(after.uid());
        assertThat(after.object().getStatus().getPhase()).isEqualTo("Failed");
        assertThat(after.object().getStatus().getConditions()).isSameAs(before.object().getStatus().getConditions());
        assertThat(((ObjectEvent.Applied<V1Pod>) watch(event("MODIFIED", pod("a", "1")), Reading.of(key -> before)).get(0)).entry())
                .isSameAs(before);
        assertThat(before.object().getMetadata().getManagedFields()).isEmpty();
        for (int i = 0; i < 3; i++) {
            watch(event("ADDED", pod("x" + i, "1")), Reading.anew());
        }
        var one = ((ObjectEvent.Applied<V1Pod>) watch(event("ADDED", pod("y", "1")), Reading.anew()).get(0)).entry().object();
        var other = ((ObjectEvent.Applied<V1Pod>) watch(event("ADDED", pod("z", "1")), Reading.anew()).get(0)).entry().object();
        assertThat(one.getSpec()).isSameAs(other.getSpec());
    }

    @Test
    void readsProjectionsByTheirPaths() {
        ResourceType<Row> rows = PODS.as(Row.class);
        assertThat(codec.readsProtobuf(rows)).isTrue();
        List<ObjectEvent<Row>> read = list(list(pod("a", "1")), rows);
        ObjectNode json = Json.object().put("apiVersion", "v1").put("kind", "PodList");
        json.putObject("metadata").put("resourceVersion", "7").put("continue", "more");
        json.putArray("items").add(pod("a", "1"));
        assertThat(read).isEqualTo(codec.list(Bodies.of(json.toString()), rows, Reading.anew()).collectList().block());
        assertThat(((ObjectEvent.Applied<Row>) read.get(0)).entry().object().app()).isEqualTo("é");
    }

    @Test
    void readsFromJsonOnlyWhatTheTableDoesNotKnow() {
        assertThat(codec.readsProtobuf(PODS.as(NextVersion.class))).isFalse();
        assertThat(codec.readsProtobuf(ResourceType.dynamic("", "v1", "pods"))).isFalse();
        assertThat(codec.readsProtobuf(ResourceType.of("example.com", "v1", "widgets", ResourceType.Scope.NAMESPACED, V1Pod.class)))
                .isFalse();
        assertThat(codec.readsProtobuf(ResourceType.metadata("example.com", "v1", "widgets"))).isTrue();
    }

    @Test
    void aStatusInsteadOfAListOrAnEventIsARefusal() {
        ObjectNode status = (ObjectNode) Json.read("""
                {"apiVersion": "v1", "kind": "Status", "status": "Failure", "reason": "Expired", "code": 410, "message": "too old"}""");
        byte[] body = ProtobufObjects.write(status);
        for (int at = 0; at < body.length; at++) {
            assertThatThrownBy(codec.listInProtobuf(Bodies.splitAt(body, at), PODS, Reading.anew())::blockLast)
                    .isInstanceOf(ResourceVersionExpiredException.class).hasMessageContaining("too old");
        }
        assertThatThrownBy(() -> watch(event("MODIFIED", status), Reading.anew())).isInstanceOf(ResourceVersionExpiredException.class);
        assertThatThrownBy(() -> list(ProtobufObjects.write(status.put("status", "Success").put("code", 200)), PODS))
                .isInstanceOf(UnexpectedAnswerException.class).hasMessageContaining("a Status");
    }

    /** The fields of another version may have other numbers. */
    @Test
    void objectsOfAnotherVersionAreNotRead() {
        ObjectNode list = Json.object().put("apiVersion", "apps/v1").put("kind", "PodList");
        list.putObject("metadata").put("resourceVersion", "7");
        byte[] body = ProtobufObjects.write(list.put("apiVersion", "v1"));
        byte[] other = new String(body, StandardCharsets.ISO_8859_1).replace("\u0002v1", "\u0002v9").getBytes(StandardCharsets.ISO_8859_1);
        assertThat(list(body, PODS)).hasSize(1);
        assertThatThrownBy(() -> list(other, PODS)).isInstanceOf(UnexpectedAnswerException.class).hasMessageContaining("a PodList of v9");
        byte[] pod = event("ADDED", pod("a", "1"));
        byte[] otherPod = new String(pod, StandardCharsets.ISO_8859_1).replace("\u0002v1", "\u0002v9")
                .getBytes(StandardCharsets.ISO_8859_1);
        assertThat(watch(otherPod, Reading.anew())).singleElement().isInstanceOf(ObjectEvent.Unreadable.class);
        assertThatThrownBy(() -> list(joined(new byte[] {'k', '8', 's', 0, 0x12, 0}), PODS))
                .isInstanceOf(UnexpectedAnswerException.class).hasMessageContaining("an object of no kind");
    }

    /** A list instead of a watch, or a length that was damaged: all that follows would be taken for one event. */
    @Test
    void aWatchWithoutFramesFailsAtOnce() {
        assertThatThrownBy(() -> watch(list(pod("a", "1")), Reading.anew())).isInstanceOf(UnexpectedAnswerException.class);
        assertThatThrownBy(() -> watch(new byte[] {0x40, 0, 0, 0}, Reading.anew())).isInstanceOf(UnexpectedAnswerException.class);
    }

    @Test
    void aCompleteEventWhoseObjectIsSaidToBeLongerIsUnreadable() {
        byte[] good = event("ADDED", pod("a", "1"));
        byte[] raw = raw(good);
        byte[] frame = framed(raw);
        int lengthAt = frame.length - raw.length - 1; // the last byte of the length of the object
        frame[lengthAt]++;
        assertThat(watch(joined(frame, good), Reading.anew())).hasSize(2).first().isInstanceOf(ObjectEvent.Unreadable.class);
    }

    /** Its key may lack what has not come. */
    @Test
    void metadataThatAreCutAreNoKey() {
        byte[] raw = raw(event("ADDED", pod("a", "1")));
        var skim = new MessageSkim(new SharedStrings());
        skim.object(raw, 0, raw.length);
        assertThat(skim.brokenOff).isFalse();
        for (int to = 3; to < 20; to++) {
            skim.object(raw, 0, to);
            assertThat(skim.brokenOff).as("up to %d", to).isTrue();
        }
    }

    /** Each time, all would be copied. */
    @Test
    void scatteredElementsCostNoMoreThanTheirNumber() {
        var scattered = new ByteArrayOutputStream();
        for (int i = 0; i < 200_000; i++) {
            scattered.writeBytes(new byte[] {0x0a, 0, 0x12, 0}); // a volume, a container
        }
        byte[] spec = joined(new byte[] {0x12}, length(scattered.toByteArray()), scattered.toByteArray());
        List<ObjectEvent<V1Pod>> read = assertTimeoutPreemptively(Duration.ofSeconds(10),
                () -> watch(framed(joined(metadataOf(event("ADDED", pod("a", "1"))), spec)), Reading.anew()));
        assertThat(read).singleElement().isInstanceOf(ObjectEvent.Unreadable.class);
    }

    /** For support, as for JSON. */
    @Test
    void readsNothingIfOurReadersAreSwitchedOff() {
        System.setProperty(Readers.SHAPES_PROPERTY, "false");
        try {
            assertThat(ObjectCodec.create().readsProtobuf(PODS)).isFalse();
        } finally {
            System.clearProperty(Readers.SHAPES_PROPERTY);
        }
    }

    @Test
    void anObjectThatIsTooLargeIsEmittedAsUnreadableAndTheListGoesOn() {
        ObjectNode large = pod("large", "3");
        ((ObjectNode) large.get("metadata")).putObject("annotations").put("a", "x".repeat(20_000));
        var small = ObjectCodec.create(10_000);
        for (int size : new int[] {100, 1_000_000}) {
            byte[] body = list(pod("a", "1"), large, pod("b", "2"));
            List<byte[]> chunks = chunks(body, size);
            List<ObjectEvent<V1Pod>> read = small.listInProtobuf(Bodies.of(chunks), PODS, Reading.anew()).collectList().block();
            assertThat(read).hasSize(4);
            assertThat(read.get(1)).isInstanceOfSatisfying(ObjectEvent.Unreadable.class, unreadable ->
                    assertThat(unreadable.key().name()).isEqualTo("large"));
            byte[] events = joined(event("ADDED", large), event("ADDED", pod("b", "2")));
            List<ObjectEvent<V1Pod>> watched =
                    small.watchInProtobuf(Bodies.of(chunks(events, size)), PODS, Reading.anew(), "").collectList().block();
            assertThat(watched).hasSize(2);
            assertThat(watched.get(0)).isInstanceOfSatisfying(ObjectEvent.Unreadable.class, unreadable ->
                    assertThat(unreadable.key().name()).isEqualTo("large"));
        }
    }

    private static List<byte[]> chunks(byte[] body, int size) {
        return IntStream.range(0, (body.length + size - 1) / size)
                .mapToObj(i -> Arrays.copyOfRange(body, i * size, Math.min(body.length, (i + 1) * size))).toList();
    }

    /** An event of another kind, a group, a length that lies, a number that is too long: the event is unreadable, and the watch goes on. */
    @Test
    void anEventThatIsMalformedIsEmittedAsUnreadableAndTheWatchGoesOn() {
        byte[] next = event("ADDED", pod("next", "9"));
        byte[] good = event("ADDED", pod("a", "1"));
        for (byte[] spec : new byte[][] {
                {0x12, 0x7f, 1}, // a length beyond the message
                {0x12, (byte) 0xff, (byte) 0xff, (byte) 0xff, (byte) 0xff, 0x0f}, // a negative length
                {0x13, 0x14}, // a group
                {0x10, 1}, // another wire type
                {0x12, (byte) 0x80, (byte) 0x80, (byte) 0x80, (byte) 0x80, (byte) 0x80, (byte) 0x80, (byte) 0x80, (byte) 0x80,
                        (byte) 0x80, (byte) 0x80, 1}, // a number of more than 64 bits
                {0x00, 0x00}}) { // no field
            List<ObjectEvent<V1Pod>> read = watch(joined(framed(joined(metadataOf(good), spec)), next), Reading.anew());
            assertThat(read).hasSize(2);
            assertThat(read.get(0)).isInstanceOfSatisfying(ObjectEvent.Unreadable.class, unreadable -> {
                assertThat(unreadable.key().name()).isEqualTo("a");
                assertThat(unreadable.resourceVersion()).isEqualTo("1");
            });
            assertThat(read.get(1)).isInstanceOf(ObjectEvent.Applied.class);
        }
        assertThat(watch(joined(new byte[] {0, 0, 0, 2, 1, 1}, next), Reading.anew())).hasSize(2).first()
                .isInstanceOfSatisfying(ObjectEvent.Unreadable.class, unreadable -> assertThat(unreadable.key()).isNull());
        assertThatThrownBy(() -> watch(new byte[] {-1, 0, 0, 2, 1, 1}, Reading.anew())).isInstanceOf(UnexpectedAnswerException.class);
    }

    /** A start at the last second of 64 bits: the reader of times fails, and JSON may have a text that is read. */
    @Test
    void whatOurReaderFailsAtIsRequestedInJson() {
        byte[] time = {0x08, -1, -1, -1, -1, -1, -1, -1, -1, 0x7f};
        byte[] status = joined(new byte[] {0x3a}, length(time), time);
        byte[] pod = joined(metadataOf(event("ADDED", pod("a", "1"))), new byte[] {0x1a}, length(status), status);
        assertThat(watch(framed(pod), Reading.anew())).last().isInstanceOfSatisfying(ObjectEvent.Unreadable.class, unreadable -> {
            assertThat(unreadable.key()).isEqualTo(ObjectKey.of("shop", "a"));
            assertThat(ObjectCodec.isMalformedMessage(unreadable.failure())).isTrue();
            assertThat(unreadable.failure()).hasMessageContaining("its reader failed with java.time.DateTimeException");
        });
    }

    @Test
    void aQuantityThatIsNoneIsNoBug() {
        ObjectNode pod = pod("a", "1");
        ((ObjectNode) pod.at("/spec/containers/0/resources/limits")).put("cpu", "many");
        assertThat(linesOf(() -> assertThat(watch(event("ADDED", pod), Reading.anew())).singleElement()
                .isInstanceOf(ObjectEvent.Unreadable.class))).isEmpty();
    }

    private static List<ILoggingEvent> linesOf(Runnable reads) {
        var log = (Logger) LoggerFactory.getLogger(ObjectCodec.class);
        var lines = new ListAppender<ILoggingEvent>();
        lines.start();
        log.addAppender(lines);
        try {
            reads.run();
        } finally {
            log.detachAppender(lines);
        }
        return lines.list;
    }

    /** Whatever the bytes are, there is an event, an unreadable one, or a failure that names what was expected; and no report of a bug. */
    @Test
    void garbledBytesNeverCauseAnotherFailure() {
        assertThat(linesOf(this::readGarbledBytes)).isEmpty();
    }

    private void readGarbledBytes() {
        byte[] body = list(pod("a", "1"), pod("b", "2"));
        byte[] events = joined(event("ADDED", pod("a", "1")), event("MODIFIED", pod("b", "2")));
        long seed = Long.getLong("protobuf.seed", 0);
        var random = new Random(seed);
        for (int i = 0; i < ROUNDS; i++) {
            byte[] list = garbled(body, random);
            byte[] watch = garbled(events, random);
            try {
                assertThat(list(list, PODS)).as("seed %d, round %d", seed, i).isNotNull();
            } catch (UnexpectedAnswerException | TransportException expected) {
                assertThat(expected).hasMessageContaining("pods.v1");
            } catch (RuntimeException other) {
                throw new AssertionError("-Dprotobuf.seed=" + seed + ", round " + i, other);
            }
            try {
                assertThat(watch(watch, Reading.anew())).as("seed %d, round %d", seed, i).isNotNull();
            } catch (UnexpectedAnswerException | TransportException expected) {
                assertThat(expected).hasMessageContaining("pods.v1");
            } catch (StatusException refusal) {
                assertThat(refusal).hasMessageContaining("watch pods");
            } catch (RuntimeException other) {
                throw new AssertionError("-Dprotobuf.seed=" + seed + ", round " + i, other);
            }
        }
    }

    private static byte[] garbled(byte[] body, Random random) {
        byte[] garbled = body.clone();
        for (int n = 1 + random.nextInt(3); n > 0; n--) {
            garbled[random.nextInt(garbled.length)] = (byte) random.nextInt(256);
        }
        return garbled;
    }

    private static byte[] metadataOf(byte[] event) {
        byte[] raw = raw(event);
        var wire = new Wire();
        wire.over(raw, 0, raw.length);
        int tag = wire.tag();
        wire.skip(tag);
        return Arrays.copyOf(raw, wire.at);
    }

    /** The bytes of the object. */
    private static byte[] raw(byte[] event) {
        var wire = new Wire();
        wire.over(event, Integer.BYTES, event.length);
        wire.skip(wire.tag());
        int tag = wire.tag();
        assertThat(tag).isEqualTo(Wire.tag(2, Wire.LENGTH));
        int outer = wire.enter();
        int raw = wire.tag();
        assertThat(raw).isEqualTo(Wire.tag(1, Wire.LENGTH));
        int within = wire.enter();
        var unknown = new RuntimeUnknown(wire);
        assertThat(outer).isGreaterThanOrEqualTo(within);
        return Arrays.copyOfRange(event, unknown.from, unknown.to);
    }

    /** The event ADDED of a pod with these bytes. */
    private static byte[] framed(byte[] raw) {
        byte[] unknown = joined(new byte[] {'k', '8', 's', 0, 0x0a, 9, 0x0a, 2, 'v', '1', 0x12, 3, 'P', 'o', 'd', 0x12}, length(raw), raw);
        byte[] object = joined(new byte[] {0x0a}, length(unknown), unknown);
        byte[] event = joined(new byte[] {0x0a, 5, 'A', 'D', 'D', 'E', 'D', 0x12}, length(object), object);
        return joined(ByteBuffer.allocate(Integer.BYTES).putInt(event.length).array(), event);
    }

    private static byte[] length(byte[] bytes) {
        var varint = new ByteArrayOutputStream();
        int rest = bytes.length;
        while (rest > 0x7f) {
            varint.write(rest & 0x7f | 0x80);
            rest >>>= 7;
        }
        varint.write(rest);
        return varint.toByteArray();
    }
}
