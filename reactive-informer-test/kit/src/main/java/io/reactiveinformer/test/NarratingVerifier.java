package io.reactiveinformer.test;

import java.time.Duration;
import reactor.test.StepVerifier;

/** A verifier whose failures contain the {@link Story}: which change was expected, and which ones came. */
record NarratingVerifier(StepVerifier steps, Story story) implements StepVerifier {

    private static final String TIMED_OUT = "VerifySubscriber timed out";

    @Override
    public StepVerifier log() {
        return new NarratingVerifier(steps.log(), story);
    }

    @Override
    public StepVerifier verifyLater() {
        return new NarratingVerifier(steps.verifyLater(), story);
    }

    @Override
    public Duration verify() {
        try {
            return steps.verify();
        } catch (AssertionError failure) {
            throw new AssertionError(failure.getMessage() + story.text(), failure);
        }
    }

    @Override
    public Duration verify(Duration patience) {
        try {
            return steps.verify(patience);
        } catch (AssertionError failure) {
            String message = String.valueOf(failure.getMessage());
            throw new AssertionError((message.startsWith(TIMED_OUT) ? story.late(patience) : message) + story.text(), failure);
        }
    }

    @Override
    public Assertions verifyThenAssertThat() {
        return steps.verifyThenAssertThat();
    }

    @Override
    public Assertions verifyThenAssertThat(Duration patience) {
        return steps.verifyThenAssertThat(patience);
    }
}
