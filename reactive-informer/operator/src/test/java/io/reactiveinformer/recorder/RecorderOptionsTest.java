package io.reactiveinformer.recorder;

import io.reactiveinformer.internal.operator.HostName;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RecorderOptionsTest {

    @Test
    void theInstanceIsNamedAfterTheControllerAndTheHost() {
        assertThat(RecorderOptions.of("example.com/mirror").reportingInstance())
                .isEqualTo("example.com/mirror-" + HostName.orElse("unknown"));
    }

    @Test
    void theInstanceOfALongNameIsCut() {
        String controller = "example.com/" + "m".repeat(63);
        String longest = "e".repeat(60) + "." + controller;
        assertThat(RecorderOptions.of(longest).reportingInstance()).hasSize(128).startsWith(longest.substring(0, 120));
    }
}
