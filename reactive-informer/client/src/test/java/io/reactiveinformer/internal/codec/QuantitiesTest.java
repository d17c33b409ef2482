package io.reactiveinformer.internal.codec;

import io.kubernetes.client.custom.Quantity;
import io.kubernetes.client.openapi.models.V1PersistentVolume;
import io.reactiveinformer.resource.ObjectEvent;
import io.reactiveinformer.resource.Reading;
import io.reactiveinformer.resource.ResourceType;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class QuantitiesTest {

    @ParameterizedTest
    @CsvSource({
        "1Ei, 1152921504606846976", "8Ei, 9223372036854775808", "0.5Ei, 576460752303423488",
                "-1Ei, -1152921504606846976", "1Pi, 1125899906842624",
        "1E, 1000000000000000000", "100m, 0.1"})
    void sayHowMuchToTheLastByte(String text, String number) {
        assertThat(Quantities.parse(text).getNumber()).isEqualByComparingTo(new BigDecimal(number));
    }

    @ParameterizedTest
    @ValueSource(strings = {"1Ei", "8Ei", "1Pi", "1500Mi", "100m", "3", "2G"})
    void areWrittenAsTheyWere(String text) {
        assertThat(Quantities.format(Quantities.parse(text))).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({"1152921504606847000, BINARY_SI", "1e-12, DECIMAL_SI"})
    void areWrittenWithoutASuffixWhereThereIsNone(String number, Quantity.Format format) {
        var quantity = new Quantity(new BigDecimal(number), format);
        assertThat(new BigDecimal(Quantities.format(quantity))).isEqualByComparingTo(number);
    }

    @Test
    void anExbibyteIsReadAndWrittenInAnObject() {
        String volume = "{\"metadata\":{\"name\":\"v\"},\"spec\":{\"capacity\":{\"storage\":\"8Ei\"}}}";
        ObjectCodec codec = ObjectCodec.create();
        ResourceType<V1PersistentVolume> type = ResourceType.of(V1PersistentVolume.class);
        V1PersistentVolume own = codec.object(Bodies.of(volume), type).block().object();
        V1PersistentVolume shared = codec.list(Bodies.of("{\"items\":[" + volume + "],\"metadata\":{}}"), type, Reading.anew())
                .ofType(ObjectEvent.Applied.class).map(item -> (V1PersistentVolume) item.entry().object()).blockFirst();
        assertThat(List.of(own, shared)).allSatisfy(
                read -> assertThat(new String(codec.write(read), StandardCharsets.UTF_8)).contains("\"storage\":\"8Ei\""));
    }
}
