package io.reactiveinformer.benchmarks.readers;

import io.reactiveinformer.benchmarks.readers.Readers.Seen;
import io.reactiveinformer.benchmarks.readers.Readers.Size;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

import static org.assertj.core.api.Assertions.assertThat;

/** The comparison, small: what is counted depends on no machine. */
@Timeout(180)
@EnabledIfSystemProperty(named = "test.thorough", matches = "true", disabledReason = "starts several programs: only with -Pthorough")
class ReadersTest {

    private static final int CHANGES = 60;

    private final Readers run = new Readers(50, 1, 2);

    @Test
    void theApiServerServesEachInformerAndOnePublisher() throws IOException {
        Seen informers = run.informers(new Size(3, CHANGES / 2));
        Seen topic = run.topic(new Size(3, CHANGES / 2));
        assertThat(informers.missing()).isZero();
        assertThat(topic.missing()).isZero();
        assertThat(informers.requests()).as("a list and a watch for each").isEqualTo("6");
        assertThat(topic.requests()).isEqualTo("2");
        assertThat(informers.bytesPerChange()).isBetween(3 * 5_500L, 3 * 7_000L);
        assertThat(topic.bytesPerChange()).isBetween(5_500L, 7_000L);
    }
}
