package io.reactiveinformer.internal.codec;

import io.netty.buffer.ByteBuf;
import io.reactiveinformer.recordings.Recording;
import io.reactiveinformer.recordings.Recording.Exchange;
import io.reactiveinformer.resource.ObjectEvent;
import io.reactiveinformer.resource.Reading;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.ResourceVersionExpiredException;
import io.reactiveinformer.resource.StatusException;
import io.reactiveinformer.resource.UnexpectedAnswerException;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Signal;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

/** Everything that a real server was recorded to send, cut in every way, and compared with what Jackson reads from the whole. */
class RecordedBodiesTest {

    private static final List<String> NAMES = List.of(
            "01-list-pods", "02-list-paged", "05-watch-events", "06-watch-bookmarks", "07-watch-timeout",
            "08-watch-too-old", "11-watchlist",
            "18-partial-object-metadata", "19-table", "20-crd", "21-crd-changes-during-watch", "25-watch-single", "26-apiserver-stops",
            "35-rv-goes-backwards", "36-cascades", "38-large-event", "41-protobuf-cbor");

    private static final ResourceType<JsonNode> ANY = ResourceType.dynamic("", "v1", "things");

    private final ObjectCodec codec = ObjectCodec.create();
    private final JsonMapper plain = JsonMapper.builder().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS).build();

    private static Stream<Exchange> answered(boolean watch) {
        return NAMES.stream()
                .flatMap(name -> Recording.of(name).exchanges().stream())
                .filter(exchange -> exchange.requestLine().startsWith("GET ") && exchange.response().length > 0 && exchange.status() == 200)
                .filter(exchange -> exchange.header("Content-Type").contains("json"))
                .filter(exchange -> exchange.uri().contains("watch=") == watch)
                .filter(exchange -> watch || exchange.bodyText().contains("\"items\":"));
    }

    static Stream<Exchange> lists() {
        return answered(false);
    }

    /** Without those that the server took for a plain GET. */
    static Stream<Exchange> watches() {
        return answered(true).filter(exchange -> !exchange.bodyText().startsWith("{\"kind\""));
    }

    @ParameterizedTest
    @MethodSource("lists")
    void aListIsTheSameWhereverItIsCut(Exchange exchange) {
        isTheSameWhereverItIsCut(exchange.body(), body -> codec.list(body, ANY, Reading.anew()).cast(Object.class));
    }

    @ParameterizedTest
    @MethodSource("watches")
    void aWatchIsTheSameWhereverItIsCut(Exchange exchange) {
        isTheSameWhereverItIsCut(exchange.body(), body -> codec.watch(body, ANY, Reading.anew(), "watch things").cast(Object.class));
    }

    private void isTheSameWhereverItIsCut(byte[] body, Function<Flux<ByteBuf>, Flux<Object>> read) {
        List<Object> whole = signals(read.apply(Bodies.of(List.of(body))));
        assertThat(signals(read.apply(Bodies.byteByByte(body)))).isEqualTo(whole);
        var random = new Random(body.length);
        IntStream cuts = body.length < 2_000 ? IntStream.range(0, body.length) : random.ints(300, 0, body.length);
        cuts.forEach(cut -> assertThat(signals(read.apply(Bodies.splitAt(body, cut)))).as("cut at %d", cut).isEqualTo(whole));
    }

    /** What was emitted, and how it ended. */
    private static List<Object> signals(Flux<Object> flux) {
        return flux.materialize()
                .map(signal -> signal.isOnNext() && !(signal.get() instanceof ObjectEvent.Unreadable<?>) ? signal.get() : signal.toString())
                .collectList().block();
    }

    @ParameterizedTest
    @MethodSource("lists")
    void everyItemIsThereWithKeyAndVersion(Exchange exchange) {
        JsonNode list = plain.readTree(exchange.body());
        if (list.get("kind").asString().equals("Table")) {
            assertThat(signals(codec.list(Bodies.of(List.of(exchange.body())), ANY, Reading.anew()).cast(Object.class)))
                    .containsExactly(Signal.error(new UnexpectedAnswerException("expected a list of things.v1, but a Table came"))
                            .toString());
            return;
        }
        List<ObjectEvent<JsonNode>> events = codec.list(Bodies.of(List.of(exchange.body())), ANY, Reading.anew()).collectList().block();
        assertThat(events).hasSize(list.get("items").size() + 1);
        for (int i = 0; i < events.size() - 1; i++) {
            JsonNode item = list.get("items").get(i);
            JsonNode metadata = item.get("metadata");
            var read = (ObjectEvent.Applied<JsonNode>) events.get(i);
            assertThat(read.key().name()).isEqualTo(metadata.get("name").asString());
            assertThat(read.key().namespace()).isEqualTo(metadata.path("namespace").asString(null));
            assertThat(read.entry().uid()).isEqualTo(metadata.get("uid").asString());
            assertThat(read.entry().resourceVersion()).isEqualTo(metadata.get("resourceVersion").asString());
            assertThat(read.entry().object()).isEqualTo(expected(item, list));
        }
        JsonNode metadata = list.get("metadata");
        String token = metadata.path("continue").asString("");
        assertThat(events.get(events.size() - 1))
                .isEqualTo(new ObjectEvent.PageEnd<>(metadata.get("resourceVersion").asString(), token.isEmpty() ? null : token));
    }

    private static JsonNode expected(JsonNode item, JsonNode list) {
        var expected = item.deepCopy().asObject();
        ((ObjectNode) expected.get("metadata")).remove("managedFields");
        if (!expected.has("kind")) {
            expected.put("kind", list.get("kind").asString().replaceFirst("List$", ""));
        }
        if (!expected.has("apiVersion")) {
            expected.set("apiVersion", list.get("apiVersion"));
        }
        return expected;
    }

    @ParameterizedTest
    @MethodSource("watches")
    void everyEventIsThereWithKeyAndVersion(Exchange exchange) {
        List<JsonNode> lines = exchange.bodyText().lines().filter(line -> line.startsWith("{") && line.endsWith("}"))
                .map(plain::readTree).toList();
        List<Object> events = signals(codec.watch(Bodies.of(List.of(exchange.body())), ANY, Reading.anew(), "watch things")
                .cast(Object.class));
        for (int i = 0; i < lines.size(); i++) {
            JsonNode object = lines.get(i).get("object");
            String version = object.at("/metadata/resourceVersion").asString("");
            String name = object.at("/metadata/name").asString("");
            String type = lines.get(i).get("type").asString();
            if (type.equals("ERROR")) {
                assertThat((String) events.get(i)).contains(object.get("code").asString() + " ").contains(object.get("message").asString());
            } else if (type.equals("BOOKMARK") && !object.get("kind").asString().equals("Table")) {
                assertThat(events.get(i)).isEqualTo(new ObjectEvent.Bookmark<>(version, object.toString().contains("initial-events-end")));
            } else if (!object.get("kind").asString().equals("Table")) {
                assertThat(events.get(i)).isInstanceOf(type.equals("DELETED") ? ObjectEvent.Deleted.class : ObjectEvent.Applied.class);
                assertThat(events.get(i) instanceof ObjectEvent.Applied<?> applied && applied.modified())
                        .isEqualTo(type.equals("MODIFIED"));
                assertThat(events.get(i).toString()).contains(name + ", entry=", "resourceVersion=" + version);
            } else if (!type.equals("BOOKMARK")) {
                assertThat(events.get(i).toString()).contains("Unreadable[key=null, uid=null, resourceVersion=null");
            }
        }
    }

    @Test
    void prettyPrintedEventsAreEvents() {
        Exchange compact = Recording.of("05-watch-events").exchange(1);
        String pretty = compact.bodyText().lines().map(line -> plain.readTree(line).toPrettyString())
                .reduce("", (all, event) -> all + event + "\n");
        assertThat(pretty.lines().count()).isGreaterThan(50);
        assertThat(signals(codec.watch(Bodies.of(pretty), ANY, Reading.anew(), "watch things").cast(Object.class)))
                .isEqualTo(signals(codec.watch(Bodies.of(compact.bodyText()), ANY, Reading.anew(), "watch things").cast(Object.class)));
    }

    @Test
    void anObjectIsNoEvent() {
        Exchange single = answered(true).filter(exchange -> exchange.bodyText().startsWith("{\"kind\"")).findFirst().orElseThrow();
        assertThat(signals(codec.watch(Bodies.of(single.bodyText()), ANY, Reading.anew(), "watch things").cast(Object.class)))
                .containsExactly(Signal.error(new UnexpectedAnswerException("expected events of things.v1, but JSON of another kind came"))
                        .toString());
    }

    @Test
    void anExpiredVersionIsAFailureOfItsType() {
        Exchange tooOld = watches().filter(exchange -> exchange.bodyText().contains("\"code\":410")).findFirst().orElseThrow();
        assertThat(codec.watch(Bodies.of(tooOld.chunks()), ANY, Reading.anew(), "watch things").materialize().blockLast().getThrowable())
                .isInstanceOf(ResourceVersionExpiredException.class)
                .isInstanceOfSatisfying(StatusException.class, failure -> assertThat(failure.code()).isEqualTo(410));
    }
}
