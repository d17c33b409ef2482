package io.reactiveinformer.transport;

import io.reactiveinformer.transport.HttpRequest.Headers;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class HeadersTest {

    @ParameterizedTest
    @ValueSource(strings = {"s3cret\r\nX-Evil: 1", "s3cret\n", "s3cret\u0000", "s3cret\u007f", "s3cret\u0085"})
    void refusesAValueThatCouldBeMoreThanAValue(String value) {
        assertThatThrownBy(() -> Headers.empty().with("X-Name", value)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("X-Name").hasMessageNotContaining("s3cret");
    }

    @Test
    void takesWhatAnotherPartySentAsItIs() {
        assertThat(Headers.copyOf(List.of(Map.entry("Warning", "a\u0085b"))).first("warning")).contains("a\u0085b");
        assertThat(Headers.of("X-Name", "a\tb \u00fc").first("x-name")).contains("a\tb \u00fc");
    }
}
