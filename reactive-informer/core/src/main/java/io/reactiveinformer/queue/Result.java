package io.reactiveinformer.queue;

import java.time.Duration;
import java.util.Objects;

/** What came of working on a key, and so when it is worked on next unless it is added before. */
public sealed interface Result {

    /** All is as it should be: not before it is added again. */
    static Result done() {
        return new Done();
    }

    /** All went well, and is to be looked at again after {@code delay}; an addition before that comes in its place. */
    static Result again(Duration delay) {
        return new Again(delay);
    }

    /** Did not work: again when the queue's {@link RateLimiter} says so. The same as a {@code Mono} that fails. */
    static Result failed(Throwable cause) {
        return new Failed(cause);
    }

    /** Did not work, and will not until something changes: not before the key is added again. */
    static Result givenUp(Throwable cause) {
        return new GivenUp(cause);
    }

    record Done() implements Result {}

    record Again(Duration delay) implements Result {
        public Again {
            if (delay.isNegative()) {
                throw new IllegalArgumentException("again after " + delay + ": a delay cannot be negative");
            }
        }
    }

    record Failed(Throwable cause) implements Result {
        public Failed {
            Objects.requireNonNull(cause, "cause");
        }
    }

    record GivenUp(Throwable cause) implements Result {
        public GivenUp {
            Objects.requireNonNull(cause, "cause");
        }
    }
}
