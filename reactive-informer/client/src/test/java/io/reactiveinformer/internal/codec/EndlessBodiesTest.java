package io.reactiveinformer.internal.codec;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.reactiveinformer.resource.ObjectEvent;
import io.reactiveinformer.resource.Reading;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.UnexpectedAnswerException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Signal;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/** Bodies that go on for ever without another item or event: none is read for long, kept, or costs more the longer it is. */
@Timeout(60)
class EndlessBodiesTest {

    private static final ResourceType<JsonNode> ANY = ResourceType.dynamic("", "v1", "things");
    private static final int LARGEST = 1 << 20;
    private static final int MIB = 1 << 20;
    private static final String OBJECT = "{\"metadata\":{\"name\":\"a\",\"namespace\":\"n\",\"uid\":\"u\",\"resourceVersion\":\"7\"}";

    private final AtomicLong read = new AtomicLong();
    private final ObjectCodec codec = ObjectCodec.create(LARGEST);

    private Flux<ByteBuf> endless(String beginning, String rest) {
        String filling = rest.repeat((64 << 10) / rest.length());
        ByteBuf chunk = Unpooled.wrappedBuffer(filling.getBytes(StandardCharsets.UTF_8)).asReadOnly();
        return Flux.just(Unpooled.wrappedBuffer(beginning.getBytes(StandardCharsets.UTF_8)))
                .concatWith(Flux.range(0, 1 << 10).map(i -> chunk.retainedDuplicate()))
                .doOnNext(bytes -> read.addAndGet(bytes.readableBytes()));
    }

    static Stream<Arguments> lists() {
        return Stream.of(" ", "\r\n").flatMap(blanks -> Stream.of(
                        Arguments.of("", blanks),
                        Arguments.of("{\"metadata\"", blanks),
                        Arguments.of("{\"items\":[", blanks),
                        Arguments.of("{\"items\":[" + OBJECT + "},", blanks),
                        Arguments.of("{\"items\":[" + OBJECT + ",", blanks),
                        Arguments.of("{\"metadata\":{\"resourceVersion\":\"9\"},\"items\":[]}", blanks)));
    }

    static Stream<Arguments> otherLists() {
        return Stream.of(
                Arguments.of("{\"items\":[", ","),
                Arguments.of("{", ","),
                Arguments.of("{", "\"x\":1,"),
                Arguments.of("{\"x\":[", "{},"),
                Arguments.of("{\"x\":\"", "x"),
                Arguments.of("{\"items\":[" + OBJECT + ",\"x\":\"", "x"),
                Arguments.of("{\"items\":[" + OBJECT + ",\"x\":", "["),
                Arguments.of("{\"metadata\":{\"resourceVersion\":\"9\"},\"items\":[]}", "x"));
    }

    @ParameterizedTest
    @MethodSource({"lists", "otherLists"})
    void aListWithoutAnotherItemIsGivenUp(String beginning, String rest) {
        isGivenUp(codec.list(endless(beginning, rest), ANY, Reading.anew()),
                "expected a list of things.v1, but 16 MiB without the end of an item came");
    }

    static Stream<Arguments> watches() {
        String event = "{\"type\":\"MODIFIED\",\"object\":" + OBJECT;
        return Stream.of(
                Arguments.of("", " "),
                Arguments.of("", "\n"),
                Arguments.of(event + "}}", "\r\n"),
                Arguments.of(event + ",", " "),
                Arguments.of(event + ",\"x\":\"", "x"),
                Arguments.of(event + ",\"x\":", "["),
                Arguments.of("{\"type\":\"ERROR\",\"object\":{\"message\":\"", "x"));
    }

    @ParameterizedTest
    @MethodSource("watches")
    void aWatchWithoutAnotherEventIsGivenUp(String beginning, String rest) {
        isGivenUp(codec.watch(endless(beginning, rest), ANY, Reading.anew(), "watch things"),
                "expected events of things.v1, but 16 MiB without the end of an event came");
    }

    /** Where the next event begins is not known then. */
    @Test
    void aWatchEndsAfterWhatIsNoJson() {
        Flux<ByteBuf> body = endless("{\"type\":\"MODIFIED\",\"object\":" + OBJECT + "}}", "x");
        List<Signal<ObjectEvent<JsonNode>>> signals =
                codec.watch(body, ANY, Reading.anew(), "watch things").materialize().collectList().block();
        assertThat(signals).hasSize(3);
        assertThat(signals.get(0).get()).isInstanceOf(ObjectEvent.Applied.class);
        assertThat(signals.get(1).get()).isInstanceOfSatisfying(ObjectEvent.Unreadable.class,
                unreadable -> assertThat(unreadable.key()).isNull());
        assertThat(signals.get(2).getThrowable()).isInstanceOf(UnexpectedAnswerException.class)
                .hasMessage("events of things.v1 came after something else than JSON");
        assertThat(read.get()).isLessThan(MIB);
    }

    private void isGivenUp(Flux<?> events, String message) {
        Signal<?> end = events.materialize().blockLast();
        assertThat(end.getThrowable()).isInstanceOf(UnexpectedAnswerException.class).hasMessage(message);
        assertThat(read.get()).isBetween(16L * MIB, 17L * MIB);
    }

    /** Of objects that are too large any number may come. */
    @Test
    void whatHasAnEndCountsNoLonger() {
        String item = OBJECT + ",\"x\":\"" + "x".repeat(3 * MIB) + "\"},";
        ByteBuf items = Unpooled.wrappedBuffer(item.getBytes(StandardCharsets.UTF_8)).asReadOnly();
        Flux<ByteBuf> body =
                Flux.just(Unpooled.wrappedBuffer("{\"metadata\":{\"resourceVersion\":\"9\"},\"items\":[".getBytes(StandardCharsets.UTF_8)))
                .concatWith(Flux.range(0, 12).map(i -> items.retainedDuplicate()))
                .concatWith(Flux.just(Unpooled.wrappedBuffer("]}".getBytes(StandardCharsets.UTF_8))));
        List<ObjectEvent<JsonNode>> events = codec.list(body, ANY, Reading.anew()).collectList().block();
        assertThat(events).hasSize(13).filteredOn(event -> event instanceof ObjectEvent.Unreadable).hasSize(12);
    }

    /** Each look at blanks that go on must be at those that are new: else a few megabytes of them hold up a thread for minutes. */
    @ParameterizedTest
    @ValueSource(strings = {" ", "\n"})
    void blanksInAnObjectAreReadOnce(String blank) {
        ByteBuf blanks = Unpooled.wrappedBuffer(blank.repeat(64).getBytes(StandardCharsets.UTF_8)).asReadOnly();
        Flux<ByteBuf> body =
                Flux.just(Unpooled.wrappedBuffer(("{\"type\":\"ADDED\",\"object\":" + OBJECT + ",").getBytes(StandardCharsets.UTF_8)))
                .concatWith(Flux.range(0, 16 * MIB / 64).map(i -> blanks.retainedDuplicate()))
                .concatWith(Flux.just(Unpooled.wrappedBuffer("\"x\":1}}".getBytes(StandardCharsets.UTF_8))));
        List<ObjectEvent<JsonNode>> events = ObjectCodec.create(32 * MIB).watch(body, ANY, Reading.anew(), "watch things")
                .collectList().block();
        assertThat(events).singleElement().isInstanceOf(ObjectEvent.Applied.class);
    }
}
