package io.reactiveinformer.informer;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class TurnstileTest {

    private final List<Object> seen = new ArrayList<>();
    private final Turnstile turnstile = new Turnstile(failure -> seen.add("failed: " + failure.getMessage()));

    @Test
    void aTaskThatThrowsDoesNotBarTheWay() {
        turnstile.pass(() -> {
            turnstile.pass(() -> seen.add("meanwhile"));
            throw new IllegalStateException("mistake");
        });
        turnstile.pass(() -> seen.add("later"));

        assertThat(seen).containsExactly("failed: mistake", "meanwhile", "later");
    }

    @Test
    void anErrorOfTheMachineDoesNotBarTheWayEither() {
        turnstile.pass(() -> {
            throw new StackOverflowError("too deep");
        });
        turnstile.pass(() -> seen.add("later"));

        assertThat(seen).containsExactly("failed: too deep", "later");
    }

    @Test
    void theFirstErrorThatCannotBeReportedIsThrownOnceAllHaveRun() {
        var mute = new Turnstile(failure -> {
            throw new OutOfMemoryError("no memory to report " + failure.getMessage());
        });
        assertThatThrownBy(() -> mute.pass(() -> {
            mute.pass(() -> {
                throw new IllegalStateException("the second");
            });
            mute.pass(() -> seen.add("meanwhile"));
            throw new IllegalStateException("the first");
        })).isInstanceOf(OutOfMemoryError.class).hasMessage("no memory to report the first");
        mute.pass(() -> seen.add("later"));
        assertThat(seen).containsExactly("meanwhile", "later");
    }
}
