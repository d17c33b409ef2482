package io.reactiveinformer.demo.controllers;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.fail;

/**
 * The three controllers together, with a scheduler and kubelets, while everything goes wrong that can: then quiet, and there is exactly
 * what is wanted ({@link FinalState}); and at no moment was there too much, or too little ({@link Excesses}). {@code -Dcontrollers.seeds=N}
 * plays more,
 * {@code -Dcontrollers.seed=N} from another one. In virtual time, without sockets.
 */
class ControllersConvergenceTest {

    private static final int SEEDS = Integer.getInteger("controllers.seeds", 6);

    @Test
    @Timeout(value = 30, unit = TimeUnit.MINUTES) // as many seeds as one asks for
    void onceAllIsQuietThereIsExactlyWhatIsWanted() {
        long first = Long.getLong("controllers.seed", 1);
        for (long seed = first; seed < first + SEEDS; seed++) {
            try (var trial = new ControllersTrial(seed)) {
                trial.run();
            } catch (Throwable failure) {
                fail("-Dcontrollers.seed=" + seed + " -Dcontrollers.seeds=1", failure);
            }
        }
    }
}
