package io.reactiveinformer.queue;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The result of the work on a key. It decides when the key is worked on next, unless it is added before. */
public sealed interface Result {

    /** Success: the key is not worked on before it is added again. Its failures are forgotten. */
    static Result done() {
        return new Done();
    }

    /**
     * Success: the key is worked on again after {@code delay}; an addition before that replaces the delay. Its failures are forgotten.
     *
     * @throws IllegalArgumentException if {@code delay} is negative
     */
    static Result again(Duration delay) {
        return new Again(delay, null);
    }

    /**
     * As {@link #again(Duration)}, with this priority instead of the one with which the key was taken: the higher goes first, see
     * {@link WorkQueueOptions#headStart()}. An addition with a higher one counts all the same. Use a negative one for what may wait, such
     * as a look from time to time.
     *
     * @throws IllegalArgumentException if {@code delay} is negative
     */
    static Result again(Duration delay, int priority) {
        return new Again(delay, priority);
    }

    /**
     * Failure: the key is worked on again after the delay of the queue's {@link RateLimiter}; if it was added during such a delay, when
     * that delay is over. The same as a {@code Mono} that fails.
     *
     * @throws NullPointerException if {@code cause} is null
     */
    static Result failed(Throwable cause) {
        return new Failed(cause);
    }

    /**
     * Failure that a retry cannot mend: the key is not worked on before it is added again. Its failures are forgotten.
     *
     * @throws NullPointerException if {@code cause} is null
     */
    static Result givenUp(Throwable cause) {
        return new GivenUp(cause);
    }

    /** Nothing is left to do for the key, see {@link Result#done}. */
    record Done() implements Result {}

    /**
     * See {@link Result#again}.
     *
     * @param delay zero or longer
     * @param priority null for the one with which the key was taken
     */
    record Again(Duration delay, @Nullable Integer priority) implements Result {
        /** @throws IllegalArgumentException if {@code delay} is negative */
        public Again {
            if (delay.isNegative()) {
                throw new IllegalArgumentException("the delay of Result.again must not be negative, was " + delay);
            }
        }
    }

    /**
     * See {@link Result#failed}.
     *
     * @param cause the failure
     */
    record Failed(Throwable cause) implements Result {
        /** @throws NullPointerException if {@code cause} is null */
        public Failed {
            Objects.requireNonNull(cause, "cause");
        }
    }

    /**
     * See {@link Result#givenUp}.
     *
     * @param cause the failure
     */
    record GivenUp(Throwable cause) implements Result {
        /** @throws NullPointerException if {@code cause} is null */
        public GivenUp {
            Objects.requireNonNull(cause, "cause");
        }
    }
}
