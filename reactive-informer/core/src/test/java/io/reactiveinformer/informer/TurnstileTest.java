package io.reactiveinformer.informer;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

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
}
