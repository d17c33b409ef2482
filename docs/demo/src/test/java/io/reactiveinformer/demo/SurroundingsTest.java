package io.reactiveinformer.demo;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

class SurroundingsTest {

    private static Mono<Void> end(Duration duration, Duration spent) {
        var none = new ByteArrayOutputStream();
        var err = new PrintStream(none, true, StandardCharsets.UTF_8);
        return new Surroundings(new Lines(none), err, false, 0, null, Mono.never(), () -> spent).end(duration);
    }

    @ParameterizedTest
    @CsvSource({"PT10S, PT0S, PT10S", "PT10S, PT1.5S, PT8.5S", "PT2S, PT1.5S, PT1S", "PT0.001S, PT1S, PT0.0005S"})
    void aDurationCountsFromTheStartOfTheProgramAndLeavesHalfOfIt(Duration duration, Duration spent, Duration left) {
        StepVerifier.withVirtualTime(() -> end(duration, spent))
                .expectSubscription()
                .expectNoEvent(left.minusNanos(1000))
                .thenAwait(Duration.ofNanos(1000))
                .expectComplete()
                .verify(Duration.ofSeconds(20));
    }
}
