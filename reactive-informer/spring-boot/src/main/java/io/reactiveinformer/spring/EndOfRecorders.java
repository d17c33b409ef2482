package io.reactiveinformer.spring;

import java.time.Duration;
import org.springframework.context.SmartLifecycle;
import reactor.core.publisher.Mono;

/**
 * Lets recorders write the Events that wait, after the controllers are drained and Boot's web servers have answered: both record Events
 * until then.
 */
final class EndOfRecorders extends LastingLifecycle {

    /** Below the phases of Boot's web servers: lower phases stop later. */
    private static final int PHASE = SmartLifecycle.DEFAULT_PHASE - 4_096;

    private final Operators operators;
    private final Duration grace;

    EndOfRecorders(Operators operators, Duration grace) {
        super(PHASE);
        this.operators = operators;
        this.grace = grace;
    }

    @Override
    void end(Runnable callback) {
        Mono.whenDelayError(operators.recorders().values().stream().map(recorder -> recorder.close(grace)).toList())
                .doFinally(end -> callback.run())
                .subscribe();
    }
}
