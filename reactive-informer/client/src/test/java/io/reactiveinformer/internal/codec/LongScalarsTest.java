package io.reactiveinformer.internal.codec;

import io.kubernetes.client.custom.Quantity;
import io.kubernetes.client.openapi.models.V1Pod;
import io.reactiveinformer.Cost;
import io.reactiveinformer.resource.FieldPath;
import io.reactiveinformer.resource.ObjectEvent;
import io.reactiveinformer.resource.Reading;
import io.reactiveinformer.resource.ResourceType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** Law 25: a scalar beyond its limit is the failure of its object, says where and how long it is, and costs no more than it is long. */
class LongScalarsTest {

    private static final int LENGTH = 400_000;
    private static final String DIGITS = "9".repeat(LENGTH);

    /** Linear work takes a hundredth of it, and the square of the length twenty times it. */
    private static final Cost LIMIT = new Cost(250_000_000, 64 << 20);

    private final ObjectCodec codec = ObjectCodec.create();

    record Values(
            @Nullable Quantity quantity, @Nullable OffsetDateTime time, @Nullable BigDecimal decimal, @Nullable BigInteger integer,
            @Nullable Integer whole, @Nullable Duration duration,
            @Nullable Instant instant, @FieldPath("spec.requests") @Nullable Map<String, Quantity> requests,
            @FieldPath("spec.numbers") @Nullable List<BigInteger> numbers) {}

    record Plain(@Nullable Quantity quantity, @Nullable OffsetDateTime time, @Nullable BigDecimal decimal, @Nullable BigInteger integer,
    @Nullable List<BigInteger> numbers) {}

    private static final ResourceType<?> PLAIN = ResourceType.of("example.com", "v1", "plains", ResourceType.Scope.NAMESPACED, Plain.class);

    private <T> List<ObjectEvent<T>> list(ResourceType<T> type, String properties) {
        byte[] body = ("{\"items\":[{\"metadata\":{\"name\":\"a\",\"uid\":\"u\",\"resourceVersion\":\"7\"}," + properties
                + "},{\"metadata\":{\"name\":\"b\",\"resourceVersion\":\"8\"}}],\"metadata\":{\"resourceVersion\":\"9\"}}")
                        .getBytes(StandardCharsets.UTF_8);
        codec.list(Bodies.of(List.of(body)), type, Reading.anew()).blockLast(); // loads what it takes
        List<List<ObjectEvent<T>>> read = new ArrayList<>();
        Flux<ObjectEvent<T>> events = codec.list(Flux.defer(() -> Bodies.of(List.of(body))), type, Reading.anew());
        Cost cost = Cost.within(LIMIT, () -> read.add(events.collectList().block()));
        assertThat(cost.exceeds(LIMIT)).as("cost %s", cost).isFalse();
        return read.get(0);
    }

    private static String failure(List<? extends ObjectEvent<?>> events) {
        assertThat(events).hasSize(3);
        assertThat(events.get(0)).isInstanceOf(ObjectEvent.Unreadable.class);
        assertThat(events.get(1)).as("the next object").isInstanceOf(ObjectEvent.Applied.class);
        assertThat(events.get(2)).isInstanceOf(ObjectEvent.PageEnd.class);
        return String.valueOf(((ObjectEvent.Unreadable<?>) events.get(0)).failure().getMessage());
    }

    @Test
    void aQuantityOfAPodHasAHundredCharactersAtMost() {
        String container = "\"spec\":{\"containers\":[{\"name\":\"c\",\"resources\":{\"limits\":{\"cpu\":\"@\"}}}]}";
        assertThat(failure(list(ResourceType.of(V1Pod.class), container.replace("@", DIGITS))))
                .isEqualTo("cannot read pods.v1 a at spec.containers[0].resources.limits.cpu: 400000 characters, of which at most 100 are "
                        + "read");
        assertThat(list(ResourceType.of(V1Pod.class), container.replace("@", "9".repeat(100))).get(0))
                .isInstanceOf(ObjectEvent.Applied.class);
        assertThat(list(ResourceType.of(V1Pod.class), container.replace("@",
                "9".repeat(101))).get(0)).isInstanceOf(ObjectEvent.Unreadable.class);
    }

    @Test
    void aTimeOfAPodHasSixtyFourCharactersAtMost() {
        assertThat(failure(list(ResourceType.of(V1Pod.class), "\"status\":{\"startTime\":\"2026-11-21T01:52:58." + DIGITS + "Z\"}")))
                .isEqualTo("cannot read pods.v1 a at status.startTime: 400021 characters, of which at most 64 are read");
    }

    @ParameterizedTest
    @CsvSource({"1e999999999,999999999", "1E-2147483647,-2147483647", "1e101,101", "0.1e-101,-101", "1e1000000Ei,1000000"})
    void anExponentStandsForAHundredDigitsAtMost(String quantity, long exponent) {
        assertThat(failure(list(ResourceType.of(V1Pod.class), "\"spec\":{\"overhead\":{\"cpu\":\"" + quantity + "\"}}")))
                .isEqualTo("cannot read pods.v1 a at spec.overhead.cpu: an exponent of " + exponent + "; at most 100 is read");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"quantity\":\"@\"", "\"quantity\":@", "\"time\":\"@\"", "\"decimal\":@", "\"decimal\":\"@\"",
    "\"decimal\":0.@", "\"integer\":@", "\"integer\":\"@\"", "\"integer\":1e99999",
        "\"whole\":@", "\"whole\":\"@\"", "\"duration\":\"PT@S\"", "\"duration\":@", "\"instant\":@", "\"instant\":\"@\"",
        "\"instant\":\"1.@\"",
        "\"spec\":{\"requests\":{\"cpu\":\"@\"}}", "\"spec\":{\"numbers\":[@]}"})
    void ofAProjectionSaysWhere(String property) {
        ResourceType<Values> values = ResourceType.of("example.com", "v1", "values", ResourceType.Scope.NAMESPACED,
                Plain.class).as(Values.class);
        String place = property.contains("requests") ? "spec.requests.cpu" : property.contains("numbers") ? "spec.numbers"
                : property.substring(1, property.indexOf('"', 1));
        assertThat(failure(list(values, property.replace("@", DIGITS)))).startsWith("cannot read values.v1.example.com a at " + place
                + ":");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"quantity\":\"@\"", "\"quantity\":@", "\"time\":\"@\"", "\"decimal\":@", "\"decimal\":\"@\"",
    "\"integer\":@", "\"integer\":\"@\"", "\"numbers\":[@]"})
    void ofAClassOfTheUsersSaysWhere(String property) {
        String name = property.substring(1, property.indexOf('"', 1));
        assertThat(failure(list(PLAIN, property.replace("@", DIGITS)))).startsWith("cannot read plains.v1.example.com a at " + name);
    }

    /** Ten bytes that stand for a hundred thousand digits each. */
    @Test
    void wholeNumbersAreNoLargerThanTheirText() {
        assertThat(failure(list(PLAIN, "\"numbers\":[" + "1e99999,".repeat(20_000) + "1]"))).contains("numbers[0]");
    }

    @Test
    void aTreeKeepsNumbersAndTellsOfThoseThatAreTooLong() {
        ResourceType<?> widgets = ResourceType.dynamic("example.com", "v1", "widgets");
        // From Jackson 3.3 on, the length is what was read until the limit was noticed.
        assertThat(failure(list(widgets, "\"spec\":{\"n\":" + DIGITS + "}"))).containsPattern("[0-9]+ characters").contains("at most 1000");
        assertThat(list(widgets, "\"spec\":{\"n\":1e999999999}").get(0)).isInstanceOf(ObjectEvent.Applied.class);
    }

    @Test
    void whatAnExponentStandsForIsNotWrittenOut() {
        for (String number : new String[] {"1e1000000000", "1e-1000000000", "7e1000"}) {
            Cost cost = Cost.within(LIMIT, () -> assertThatIllegalArgumentException()
                    .isThrownBy(() -> codec.write(new Quantity(new BigDecimal(number), Quantity.Format.DECIMAL_SI))));
            assertThat(cost.exceeds(LIMIT)).as("%s cost %s", number, cost).isFalse();
        }
    }
}
