package io.reactiveinformer.informer;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class SerialExecutorTest {

    private final List<Object> seen = new ArrayList<>();
    private final SerialExecutor serial = new SerialExecutor(failure -> seen.add("failed: " + failure.getMessage()));

    @Test
    void aTaskThatThrowsDoesNotBarTheWay() {
        serial.execute(() -> {
            serial.execute(() -> seen.add("meanwhile"));
            throw new IllegalStateException("mistake");
        });
        serial.execute(() -> seen.add("later"));

        assertThat(seen).containsExactly("failed: mistake", "meanwhile", "later");
    }

    @Test
    void anErrorOfTheMachineDoesNotBarTheWayEither() {
        serial.execute(() -> {
            throw new StackOverflowError("too deep");
        });
        serial.execute(() -> seen.add("later"));

        assertThat(seen).containsExactly("failed: too deep", "later");
    }
}
