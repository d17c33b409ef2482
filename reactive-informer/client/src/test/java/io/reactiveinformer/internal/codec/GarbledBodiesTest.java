package io.reactiveinformer.internal.codec;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.reactiveinformer.recordings.Recording;
import io.reactiveinformer.resource.KubernetesException;
import io.reactiveinformer.resource.ObjectEvent;
import io.reactiveinformer.resource.Reading;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.UnexpectedAnswerException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Signal;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/** Bytes that no server sends: whatever they are, they end in events or in a failure of ours, and soon. */
class GarbledBodiesTest {

    private static final ResourceType<JsonNode> ANY = ResourceType.dynamic("", "v1", "things");
    private static final int ROUNDS = 2_000;
    private final ObjectCodec codec = ObjectCodec.create();

    @Test
    void garbledListsEndInAFailureOfOurs() {
        byte[] list = Recording.of("20-crd").exchanges().stream().filter(exchange -> exchange.bodyText().contains("\"items\":[{"))
                .findFirst().orElseThrow().body();
        endInAFailureOfOurs(list, body -> codec.list(body, ANY, Reading.anew()));
    }

    @Test
    void garbledWatchesEndInAFailureOfOurs() {
        byte[] watch = Recording.of("05-watch-events").exchange(1).body();
        endInAFailureOfOurs(watch, body -> codec.watch(body, ANY, Reading.anew(), "watch things"));
    }

    private static void endInAFailureOfOurs(byte[] sound, Function<Flux<ByteBuf>, Flux<?>> read) {
        long seed = Long.getLong("codec.seed", 1);
        var random = new Random(seed);
        for (int round = 0; round < ROUNDS; round++) {
            byte[] garbled = garble(sound, random);
            Signal<?> end = read.apply(Bodies.splitAt(garbled, random.nextInt(garbled.length))).materialize().blockLast();
            if (end.isOnError()) {
                assertThat(end.getThrowable()).as("seed %d, round %d", seed, round).isInstanceOf(KubernetesException.class);
            }
        }
    }

    /** One event of many is garbled: what follows is received all the same, at the latest from the event after the next. */
    @Test
    void aGarbledEventDoesNotSwallowTheWatch() {
        String event =
                "{\"type\":\"ADDED\",\"object\":{\"metadata\":{\"name\":\"a\",\"labels\":{\"x\":\"y\"}},\"spec\":{\"list\":[1,"
                + "{\"b\":\"c\"}]}}}\n";
        String last = event.replace("\"a\"", "\"last\"");
        long seed = Long.getLong("codec.seed", 1);
        var random = new Random(seed);
        for (int round = 0; round < ROUNDS; round++) {
            byte[] garbled = garble(event.getBytes(StandardCharsets.UTF_8), random);
            byte[] sound = (event + last).getBytes(StandardCharsets.UTF_8);
            byte[] first = event.getBytes(StandardCharsets.UTF_8);
            Signal<ObjectEvent<JsonNode>> received = codec.watch(Bodies.of(List.of(first, garbled, sound)), ANY, Reading.anew(),
                    "watch things")
                    .materialize().filter(signal -> signal.isOnError() || signal.isOnNext() && signal.get().toString().contains("last"))
                    .blockFirst();
            assertThat(received).as("seed %d, round %d: %s", seed, round, new String(garbled, StandardCharsets.UTF_8)).isNotNull();
        }
    }

    /** It may be any object: to call it by what is left of its name would make one up. */
    @ParameterizedTest
    @ValueSource(strings = {
        "{\"name\":\"a\uFFFDb\",\"namespace\":\"n\",\"uid\":\"u\",\"resourceVersion\":\"7\"}}",
        "{\"name\":\"a\",\"namespace\":\"n\u0001\",\"uid\":\"u\",\"resourceVersion\":\"7\"}}",
        "{\"name\":\"a\",?\"namespace\":\"n\",\"uid\":\"u\",\"resourceVersion\":\"7\"}}"})
    void whoseNameWasGarbledIsAnUnknownObject(String metadata) {
        byte[] event = ("{\"type\":\"ADDED\",\"object\":{\"metadata\":" + metadata + "}\n").getBytes(StandardCharsets.UTF_8);
        var received = (ObjectEvent.Unreadable<JsonNode>) codec.watch(Bodies.of(List.of(event)), ANY, Reading.anew(), "watch things")
                .blockFirst();
        assertThat(received.key()).isNull();
        byte[] list = ("{\"metadata\":{\"resourceVersion\":\"9\"},\"items\":[{\"metadata\":" + metadata + "]}")
                .getBytes(StandardCharsets.UTF_8);
        assertThat(codec.list(Bodies.of(List.of(list)), ANY, Reading.anew()).materialize().blockLast().getThrowable())
                .isInstanceOf(UnexpectedAnswerException.class);
    }

    /** Of an endless list without items, no more is kept than a list can need. */
    @ParameterizedTest
    @ValueSource(strings = {"{\"metadata\":{\"continue\":\"", "{\""})
    void aListThatDoesNotComeToItsItemsIsGivenUp(String beginning) {
        ByteBuf kilobyte = Unpooled.wrappedBuffer("x".repeat(1 << 10).getBytes(StandardCharsets.UTF_8)).asReadOnly();
        Flux<ByteBuf> endless = Flux.just(Unpooled.wrappedBuffer(beginning.getBytes(StandardCharsets.UTF_8)))
                .concatWith(Flux.range(0, 4 << 10).map(i -> kilobyte.retainedDuplicate()));
        assertThat(codec.list(endless, ANY, Reading.anew()).materialize().blockLast().getThrowable())
                .isInstanceOf(UnexpectedAnswerException.class).hasMessageContaining("1024 KiB");
    }

    private static byte[] garble(byte[] sound, Random random) {
        byte[] garbled = sound.clone();
        for (int i = random.nextInt(3); i >= 0; i--) {
            int at = random.nextInt(garbled.length - 1);
            switch (random.nextInt(3)) {
                case 0 -> garbled[at] = (byte) random.nextInt(256);
                case 1 -> garbled[at] = (byte) "{}[]\",:\\\n".charAt(random.nextInt(9));
                default -> {
                    int length = random.nextInt(garbled.length - at - 1) / 8;
                    System.arraycopy(garbled, at + length, garbled, at, garbled.length - at - length);
                    garbled = Arrays.copyOf(garbled, garbled.length - length);
                }
            }
        }
        return garbled;
    }
}
