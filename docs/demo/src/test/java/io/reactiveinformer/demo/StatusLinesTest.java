package io.reactiveinformer.demo;

import io.reactiveinformer.view.InformerStatus;
import io.reactiveinformer.view.InformerStatus.State;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class StatusLinesTest {

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final StatusLines lines = new StatusLines(new JsonPrinter(new Lines(bytes)));

    @Test
    void tellsEachChangeOfStateAndEachRetryOnce() {
        lines.tell(InformerStatus.idle(Instant.EPOCH));
        tell(State.LISTING, 0);
        tell(State.LISTING, 0);
        tell(State.DISRUPTED, 1);
        tell(State.DISRUPTED, 2);
        tell(State.LISTING, 2);
        tell(State.LISTING, 0);
        tell(State.LIVE, 0);
        tell(State.LIVE, 0);
        tell(State.DISRUPTED, 1);

        assertThat(bytes.toString(StandardCharsets.UTF_8).lines()
                .map(line -> line.replaceAll(".*state\":\"(\\w+).*attempt\":(\\d).*", "$1 $2")))
                .containsExactly("LISTING 0", "DISRUPTED 1", "DISRUPTED 2", "LISTING 2", "LIVE 0", "DISRUPTED 1");
    }

    private void tell(State state, int attempt) {
        lines.tell(new InformerStatus(state, Instant.EPOCH, false, null, attempt, Duration.ZERO, Map.of(), Map.of()));
    }
}
