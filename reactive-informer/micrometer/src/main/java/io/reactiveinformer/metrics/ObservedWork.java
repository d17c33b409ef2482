package io.reactiveinformer.metrics;

import io.micrometer.observation.Observation;
import io.reactiveinformer.queue.Result;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** One observed reconcile or write. Only the first end counts. */
final class ObservedWork {

    private final Observations observations;
    private final Observation observation;
    private final AtomicBoolean ended = new AtomicBoolean();

    ObservedWork(Observations observations, Observation observation) {
        this.observations = observations;
        this.observation = observation;
    }

    /** @param result null for an empty {@code Mono}, which counts as done */
    void succeeded(@Nullable Result result) {
        if (result instanceof Result.Failed failed) {
            end("failed", failed.cause());
        } else if (result instanceof Result.GivenUp givenUp) {
            end("given-up", givenUp.cause());
        } else {
            end(result instanceof Result.Again ? "again" : "done", null);
        }
    }

    void failed(Throwable cause) {
        end("failed", cause);
    }

    /** The work timed out, or was stopped. */
    void cancelled() {
        end("cancelled", null);
    }

    private void end(String outcome, @Nullable Throwable cause) {
        if (ended.compareAndSet(false, true)) {
            observations.end(observation, cause, made -> made.lowCardinalityKeyValue("outcome", outcome));
        }
    }
}
