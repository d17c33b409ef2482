package io.reactiveinformer.demo.controllers;

import io.reactiveinformer.Rounds;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.fail;

/**
 * The three controllers together, with a scheduler and kubelets, while everything goes wrong that can: then quiet,
 * and there is exactly what is wanted ({@link FinalState}); and at no moment was there too much, or too little
 * ({@link Excesses}). In virtual time, without sockets.
 */
class ControllersConvergenceTest {

    @Test
    @Timeout(value = 30, unit = TimeUnit.MINUTES) // as many seeds as one asks for
    void onceAllIsQuietThereIsExactlyWhatIsWanted() {
        for (long seed : Rounds.seeds("controllers", 20, 2)) {
            try (var trial = new ControllersTrial(seed)) {
                trial.run();
            } catch (Throwable failure) {
                fail("-Dcontrollers.seed=" + seed + " -Dcontrollers.seeds=1", failure);
            }
        }
    }
}
