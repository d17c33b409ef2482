package io.reactiveinformer.informer;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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

    @Test
    void theFirstErrorThatCannotBeReportedIsThrownOnceAllHaveRun() {
        var mute = new SerialExecutor(failure -> {
            throw new OutOfMemoryError("no memory to report " + failure.getMessage());
        });
        assertThatThrownBy(() -> mute.execute(() -> {
            mute.execute(() -> {
                throw new IllegalStateException("the second");
            });
            mute.execute(() -> seen.add("meanwhile"));
            throw new IllegalStateException("the first");
        })).isInstanceOf(OutOfMemoryError.class).hasMessage("no memory to report the first");
        mute.execute(() -> seen.add("later"));
        assertThat(seen).containsExactly("meanwhile", "later");
    }
}
