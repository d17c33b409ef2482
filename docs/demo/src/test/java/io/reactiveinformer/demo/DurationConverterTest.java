package io.reactiveinformer.demo;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class DurationConverterTest {

    @ParameterizedTest
    @CsvSource({"30s, 30000", "500ms, 500", "1m30s, 90000", "1.5s, 1500", "2h, 7200000", "1h1m1s1ms, 3661001"})
    void readsWhatKubectlReads(String text, long millis) {
        assertThat(new DurationConverter().convert(text)).isEqualTo(Duration.ofMillis(millis));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "30", "-1s", "s", "30 s", "1d", "PT30S", "1s2", "0s", "0.1ms"})
    void saysHowToWriteOneInstead(String text) {
        assertThatThrownBy(() -> new DurationConverter().convert(text))
                .isInstanceOf(TypeConversionException.class).hasMessageContaining("write it as 30s");
    }

    @Test
    void refusesATimeThatNoClockMeasures() {
        assertThatThrownBy(() -> new DurationConverter().convert("9".repeat(400) + "h")).isInstanceOf(TypeConversionException.class);
    }
}
