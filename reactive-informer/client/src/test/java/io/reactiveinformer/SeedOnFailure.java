package io.reactiveinformer;

import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/** Says how to run the tests in the same order again, and the same {@link Rounds} of them, once one of them failed. */
public final class SeedOnFailure implements TestExecutionListener {

    private volatile boolean failed;

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        failed |= result.getStatus() == TestExecutionResult.Status.FAILED;
    }

    @Override
    public void testPlanExecutionFinished(TestPlan plan) {
        if (failed) {
            OutputOfFailures.shown().println("Tests ran in random order; for the same order and rounds again: -Dtest.forks=1 -Dtest.seed="
                    + System.getProperty("junit.jupiter.execution.order.random.seed") + (Rounds.thorough() ? " -Pthorough" : ""));
            failed = false; // of several JVMs, each has a plan for each class
        }
    }
}
