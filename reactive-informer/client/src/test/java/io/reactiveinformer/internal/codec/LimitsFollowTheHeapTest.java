package io.reactiveinformer.internal.codec;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.reactiveinformer.Cost;
import io.reactiveinformer.resource.ObjectEvent;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Reading;
import io.reactiveinformer.resource.ResourceType;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Flux;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/** What is too large or too deep is given up where it is known to be so, and takes no more memory than that. */
class LimitsFollowTheHeapTest {

    private static final ResourceType<JsonNode> ANY = ResourceType.dynamic("", "v1", "things");
    private static final int MIB = 1 << 20;
    private static final ByteBuf LISTS = Unpooled.unreleasableBuffer(Unpooled.copiedBuffer("[[1],[1]],".repeat(MIB / 10),
            StandardCharsets.UTF_8));

    @ParameterizedTest
    @CsvSource({"48, 3072", "96, 3072", "256, 8192", "512, 16384", "1024, 32768", "30000, 32768"})
    void anObjectMayTakeAThirtySecondOfTheHeap(long mebibytes, int kibibytes) {
        assertThat(ObjectCodec.largestObject(mebibytes << 20) >> 10).isEqualTo(kibibytes);
    }

    /** Thirty megabytes in lists of lists, of which the first are too deep. */
    private static Flux<ByteBuf> deep(String before, String after) {
        return Flux.just(text(before + "[".repeat(600) + "1" + "]".repeat(600)))
                .concatWith(Flux.range(0, 28).map(i -> i == 0 ? text(",") : LISTS.duplicate()))
                .concatWithValues(text("[]" + after));
    }

    /** Reads it twice, since the first of all readings loads the classes it needs, which takes more memory than the reading. */
    private static <E> void assertCheap(Supplier<Flux<E>> reading, List<E> events) {
        reading.get().doOnNext(events::add).blockLast();
        assertThat(Cost.of(() -> reading.get().blockLast()).bytes()).as("bytes allocated").isLessThan(8 * MIB);
    }

    private static ByteBuf text(String text) {
        return Unpooled.copiedBuffer(text, StandardCharsets.UTF_8);
    }

    @Test
    void anItemThatIsTooDeepIsUnreadable() {
        ObjectCodec codec = ObjectCodec.create(32 * MIB);
        String before = "{\"items\":[{\"metadata\":{\"name\":\"a\",\"uid\":\"u\",\"resourceVersion\":\"7\"},\"spec\":[";
        String after = "]},{\"metadata\":{\"name\":\"b\"}}],\"metadata\":{\"resourceVersion\":\"9\"}}";
        List<ObjectEvent<JsonNode>> events = codec.list(deep(before, after), ANY, Reading.anew()).collectList().block();
        assertThat(events).hasSize(3);
        assertThat(((ObjectEvent.Unreadable<?>) events.get(0)).failure())
                .hasMessage("cannot read things.v1 a: it is nested deeper than 500");
        assertThat(((ObjectEvent.Unreadable<?>) events.get(0)).key()).isEqualTo(ObjectKey.of(null, "a"));
        assertThat(events.get(1)).isInstanceOf(ObjectEvent.Applied.class);
    }

    @Test
    void anEventThatIsTooDeepIsUnreadable() {
        ObjectCodec codec = ObjectCodec.create(32 * MIB);
        String before =
                "{\"type\":\"MODIFIED\",\"object\":{\"metadata\":{\"name\":\"a\",\"namespace\":\"n\",\"uid\":\"u\","
                + "\"resourceVersion\":\"7\"},\"spec\":[";
        String after = "]}}\n{\"type\":\"MODIFIED\",\"object\":{\"metadata\":{\"name\":\"b\"}}}\n";
        List<ObjectEvent<JsonNode>> events = codec.watch(deep(before, after), ANY, Reading.anew(), "watch things").collectList().block();
        assertThat(events).hasSize(2);
        assertThat(((ObjectEvent.Unreadable<?>) events.get(0)).failure())
                .hasMessage("cannot read things.v1 n/a: it is nested deeper than 500");
        assertThat(((ObjectEvent.Applied<?>) events.get(1)).modified()).isTrue();
    }

    /** Then nobody could say which object it is. */
    @Test
    void anItemThatSaysItsNameAfterWhatIsTooDeepIsNamed() {
        String before = "{\"items\":[{\"spec\":[";
        String after =
                "],\"metadata\":{\"name\":\"a\",\"uid\":\"u\",\"resourceVersion\":\"7\"}}],\"metadata\":{\"resourceVersion\":\"9\"}}";
        List<ObjectEvent<JsonNode>> events = ObjectCodec.create(32 * MIB).list(deep(before, after), ANY, Reading.anew()).collectList()
                .block();
        assertThat(events).hasSize(2);
        assertThat(((ObjectEvent.Unreadable<?>) events.get(0)).failure())
                .hasMessage("cannot read things.v1 a: it is nested deeper than 500");
    }

    /** Larger than the limit by far, as one that is sent in a few kilobytes of gzip may be: passing it by takes no memory. */
    @Test
    void whatIsManyTimesTooLargeIsPassedBy() {
        ObjectCodec codec = ObjectCodec.create(3 * MIB);
        Flux<ByteBuf> body =
                Flux.just(text("{\"items\":[{\"metadata\":{\"name\":\"a\",\"uid\":\"u\",\"resourceVersion\":\"7\"},\"spec\":["))
                .concatWith(Flux.range(0, 44).map(i -> LISTS.duplicate()))
                .concatWithValues(text("[]]},{\"metadata\":{\"name\":\"b\"}}],\"metadata\":{\"resourceVersion\":\"9\"}}"));
        List<ObjectEvent<JsonNode>> events = new ArrayList<>();
        assertCheap(() -> codec.list(body, ANY, Reading.anew()), events);
        assertThat(events).hasSize(3);
        assertThat(((ObjectEvent.Unreadable<?>) events.get(0)).failure()).hasMessage("cannot read things.v1 a: it is larger than 3072 KiB");
    }
}
