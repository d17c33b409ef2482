package io.reactiveinformer.internal.codec;

import io.kubernetes.client.common.KubernetesObject;
import io.reactiveinformer.apiserver.internal.cluster.Json;
import io.reactiveinformer.apiserver.internal.protobuf.ProtobufObjects;
import io.reactiveinformer.apiserver.internal.schema.GoForm;
import io.reactiveinformer.resource.ModelClasses;
import io.reactiveinformer.resource.ObjectEvent;
import io.reactiveinformer.resource.Reading;
import io.reactiveinformer.resource.ResourceType;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Flux;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Full objects as a kube-apiserver 1.36 sent them, in JSON and in protocol buffers: the library and the fake server read the same from
 * both, and the fake server stores them as they are. What only both agree on, such as their common table, shows here.
 */
class RecordedObjectsTest {

    private final ObjectCodec codec = ObjectCodec.create().managedFields(true);

    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Recorded(String json, byte[] protobuf) {

        ObjectNode tree() {
            return (ObjectNode) Json.read(json);
        }

        @Override
        public String toString() {
            return Json.text(tree(), "apiVersion") + " " + Json.text(tree(), "kind");
        }
    }

    static List<Recorded> objects() throws IOException {
        try (InputStream stream = RecordedObjectsTest.class.getResourceAsStream("recorded-objects.txt")) {
            List<String> lines = new String(stream.readAllBytes(), StandardCharsets.UTF_8).lines()
                    .filter(line -> !line.startsWith("#")).toList();
            List<Recorded> objects = new ArrayList<>();
            for (int i = 0; i < lines.size(); i += 2) {
                objects.add(new Recorded(lines.get(i), Base64.getDecoder().decode(lines.get(i + 1))));
            }
            return objects;
        }
    }

    @ParameterizedTest
    @MethodSource("objects")
    void isReadFromProtobufAsFromJson(Recorded object) {
        ResourceType<?> type = type(object.tree());
        if (codec.readsProtobuf(type)) { // not the schemas of definitions
            assertThat(DeepComparison.difference(fromProtobuf(type, object), fromJson(type, object))).isNull();
        }
    }

    /** Nothing is lost between reading and writing: no digit of a number, no fraction of a time, no field. */
    @ParameterizedTest
    @MethodSource("objects")
    void isWrittenAsItWasRead(Recorded object) {
        ResourceType<?> type = type(object.tree());
        if (codec.readsProtobuf(type)) { // the numbers of schemas have another form, and the same value
            ObjectNode expected = withoutNulls(object.tree());
            assertThat(written(fromJson(type, object))).isEqualTo(expected);
            assertThat(written(fromProtobuf(type, object))).isEqualTo(expected);
        }
    }

    private ObjectNode written(Object model) {
        ObjectNode written = withoutNulls((ObjectNode) Json.read(codec.write(model)));
        return GoForm.of(Json.text(written, "apiVersion"), Json.text(written, "kind"), written);
    }

    private <T> T fromJson(ResourceType<T> type, Recorded object) {
        return added(codec.watch(Bodies.of("{\"type\":\"ADDED\",\"object\":" + object.json + "}"), type, Reading.anew(), "watch"));
    }

    private <T> T fromProtobuf(ResourceType<T> type, Recorded object) {
        return added(codec.watchInProtobuf(Bodies.splitAt(event(object.protobuf), 7), type, Reading.anew(), "watch"));
    }

    private static <T> T added(Flux<ObjectEvent<T>> events) {
        return ((ObjectEvent.Applied<T>) Objects.requireNonNull(events.blockLast())).entry().object();
    }

    private static ResourceType<?> type(JsonNode object) {
        for (Class<? extends KubernetesObject> model : ModelClasses.objects()) {
            try {
                ResourceType<?> type = ResourceType.of(model);
                if (type.apiVersion().equals(Json.text(object, "apiVersion")) && Json.text(object, "kind").equals(type.kind())) {
                    return type;
                }
            } catch (IllegalArgumentException noResource) {
                // such as a review
            }
        }
        throw new AssertionError("no model class of " + object);
    }

    /** An event of a watch by hand: its length, then type and object, each with the lengths of what is within. */
    private static byte[] event(byte[] object) {
        byte[] raw = field(1, object);
        var message = new ByteArrayOutputStream();
        message.writeBytes(field(1, "ADDED".getBytes(StandardCharsets.UTF_8)));
        message.writeBytes(field(2, raw));
        return ByteBuffer.allocate(4 + message.size()).putInt(message.size()).put(message.toByteArray()).array();
    }

    private static byte[] field(int number, byte[] value) {
        var field = new ByteArrayOutputStream();
        field.write(number << 3 | 2);
        int rest = value.length;
        for (; rest > 0x7F; rest >>>= 7) {
            field.write(rest & 0x7F | 0x80);
        }
        field.write(rest);
        field.writeBytes(value);
        return field.toByteArray();
    }

    @ParameterizedTest
    @MethodSource("objects")
    void theFakeServerReadsProtobufAsJson(Recorded object) {
        ObjectNode expected = withoutNulls(object.tree());
        expected.path("spec").path("volumeClaimTemplates").forEach(claim -> ((ObjectNode) claim).remove(List.of("kind", "apiVersion")));
        assertThat(ProtobufObjects.read(object.protobuf)).isEqualTo(expected);
    }

    private static <T extends JsonNode> T withoutNulls(T node) {
        if (node instanceof ObjectNode object) {
            object.properties().removeIf(field -> field.getValue().isNull());
        }
        node.forEach(RecordedObjectsTest::withoutNulls);
        return node;
    }

    /** What the fake server sends is read like what the real one sends. */
    @ParameterizedTest
    @MethodSource("objects")
    void whatTheFakeServerWritesIsReadTheSame(Recorded object) {
        ResourceType<?> type = type(object.tree());
        if (codec.readsProtobuf(type)) {
            var written = new Recorded(object.json, ProtobufObjects.write(object.tree()));
            assertThat(DeepComparison.difference(fromProtobuf(type, written), fromJson(type, object))).isNull();
        }
    }

    @ParameterizedTest
    @MethodSource("objects")
    void theFakeServerStoresItAsItIs(Recorded object) {
        ObjectNode tree = object.tree();
        assertThat(GoForm.of(Json.text(tree, "apiVersion"), Json.text(tree, "kind"), tree).toString()).isEqualTo(tree.toString());
    }

    @Test
    void numbersAboveThirtyTwoBitsAndFractionsOfTimesAreAmongThem() throws IOException {
        String all = objects().toString() + objects().stream().map(Recorded::json).toList();
        assertThat(all).contains("\"observedGeneration\":9223372036854775807", "\"revision\":9223372036854775807",
                "\"observedGeneration\":4294967297", "\"sizeBytes\":4294967297", "\"renewTime\":\"2026-01-02T03:04:06.999999Z\"",
                "\"eventTime\":\"2026-01-02T03:04:05.000006Z\"");
        assertThat(objects().stream().map(Recorded::toString).distinct()).hasSizeGreaterThan(40);
    }

    /** What is left out on purpose, such as the managed fields, is no field of a newer server. */
    @ParameterizedTest
    @MethodSource("objects")
    void hasNoFieldsThatItsModelLacks(Recorded object) {
        ResourceType<?> type = type(object.tree());
        for (boolean kept : List.of(false, true)) {
            ObjectCodec json = ObjectCodec.create().managedFields(kept);
            added(json.watch(Bodies.of("{\"type\":\"ADDED\",\"object\":" + object.json + "}"), type, Reading.anew(), "watch"));
            ObjectCodec protobuf = ObjectCodec.create().managedFields(kept);
            if (protobuf.readsProtobuf(type)) {
                added(protobuf.watchInProtobuf(Bodies.splitAt(event(object.protobuf), 7), type, Reading.anew(), "watch"));
            }
            assertThat(json.readsAll(type)).as("managed fields %s, in JSON", kept).isTrue();
            assertThat(protobuf.readsAll(type)).as("managed fields %s, in protocol buffers", kept).isTrue();
        }
    }
}
