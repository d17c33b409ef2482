package io.reactiveinformer.benchmarks.operators;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

import static org.assertj.core.api.Assertions.assertThat;

/** The run of this library's operator, small: what is counted depends on no machine. */
@Timeout(300)
@EnabledIfSystemProperty(named = "test.thorough", matches = "true", disabledReason = "starts several programs: only with -Pthorough")
class OperatorRunTest {

    @Test
    void eachObjectIsWrittenOnceAndNothingAtRest() throws IOException, InterruptedException {
        Map<String, Long> figures = OperatorRun.figures(System.getProperty("java.class.path"), WebPages.class.getName(), 6,
                Duration.ofSeconds(1), Duration.ZERO, List.of("-Xmx256m"));
        assertThat(figures)
                .containsEntry("create-requests", 6 * 4 + 3L)
                .containsEntry("create-patch-ingresses.networking.k8s.io", 3L)
                .containsEntry("rest-writes", 0L)
                .containsEntry("change-requests", 6 * 2L)
                .containsEntry("change-patch-configmaps", 6L);
    }
}
