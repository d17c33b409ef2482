package io.reactiveinformer.test.simulation;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class RunTest {

    @Test
    void readsWhatAnAnnotationSays() {
        assertThat(Run.parse(" Fail after 200ms")).isEqualTo(Run.failAfter(Duration.ofMillis(200)));
        assertThat(Run.parse("succeed after 999999999h")).isEqualTo(Run.succeedAfter(Duration.ofHours(999_999_999)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"succeed after 99999999999999999999s", "succeed after 9223372036854775807h",
            "fail after -1s", "fail after 5", ""})
    void refusesWhatIsNoTimeAndSaysWhatWouldBe(String text) {
        assertThatThrownBy(() -> Run.parse(text)).isInstanceOf(IllegalArgumentException.class).hasMessageContaining("must be \"run\"");
    }
}
