package io.reactiveinformer.test.simulation;

import java.util.List;
import java.util.Optional;
import java.util.Random;

/** A random choice, by the simulation's seed. */
final class Choice {

    private Choice() {}

    static <T> Optional<T> of(List<T> several, Random random) {
        return several.isEmpty() ? Optional.empty() : Optional.of(several.get(random.nextInt(several.size())));
    }
}
