package io.reactiveinformer.demo;

import java.util.List;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class NearestTest {

    private static final List<String> NAMES = List.of("pods", "nodes", "podtemplates", "deployments", "services", "endpoints");

    @Test
    void guessesWhatWasMistyped() {
        assertThat(Nearest.to("podz", NAMES)).containsExactly("pods");
        assertThat(Nearest.to("deplyoment", NAMES)).as("a swap and a missing letter").containsExactly("deployments");
        assertThat(Nearest.hint("pds", NAMES)).isEqualTo("; did you mean pods?");
    }

    @Test
    void isSilentWhereNothingIsNear() {
        assertThat(Nearest.to("widgets", NAMES)).isEmpty();
        assertThat(Nearest.hint("x", NAMES)).isEmpty();
    }

    @Test
    void namesTheNearestFirstAndNotAllOfThem() {
        assertThat(Nearest.to("abcdef", List.of("abcdxx", "abcdef1", "abcde", "abcdeg", "abcdefgh", "abcdef1")))
                .containsExactly("abcde", "abcdef1", "abcdeg");
    }
}
