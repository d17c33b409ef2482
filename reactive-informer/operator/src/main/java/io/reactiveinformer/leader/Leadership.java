package io.reactiveinformer.leader;

import io.reactiveinformer.internal.lease.LeaseTerm;
import io.reactiveinformer.resource.KubernetesException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Whether this elector leads. */
public sealed interface Leadership {

    /** The failure of the last try to get or keep the lease; null if it did not fail. */
    @Nullable Trouble trouble();

    /**
     * This elector leads. With a {@link #trouble} it still leads until the term ends, unless the lease is renewed before.
     *
     * @param term the term in which it leads
     * @param trouble the failure of the last try to renew the lease; null if it succeeded
     */
    record Leading(Term term, @Nullable Trouble trouble) implements Leadership {}

    /**
     * This elector does not lead.
     *
     * @param leader the identity of the leader in the lease; null if none is known
     * @param trouble the failure of the last try to read or take the lease; null if it succeeded
     */
    record Following(@Nullable String leader, @Nullable Trouble trouble) implements Leadership {}

    /**
     * A failed try.
     *
     * @param cause the failure; a {@link io.reactiveinformer.resource.ConflictException} if another candidate was faster
     * @param attempt the number of failed tries in a row, this one included
     * @param retryIn the pause before the next try
     */
    record Trouble(KubernetesException cause, int attempt, Duration retryIn) {}

    /** One term of leadership. Thread-safe. */
    final class Term {

        private final long token;
        private final LeaseTerm time;

        /** @param time renewed by the request that won the lease */
        Term(long token, LeaseTerm time) {
            this.token = token;
            this.time = time;
        }

        LeaseTerm time() {
            return time;
        }

        /**
         * The lease's count of transitions. It is greater than that of each earlier term, of any candidate, as long as the lease is not
         * deleted. A receiver of writes can refuse those with a smaller token than it has seen (fencing).
         */
        public long token() {
            return token;
        }

        /**
         * True as long as this term is not over: no other candidate can lead yet, by the current time of both clocks of this process. After
         * the process was frozen, or its machine suspended, this turns false before the timers of the process fire.
         */
        public boolean holds() {
            return time.holds();
        }

        /** How long this term lasts if it is not renewed; zero when it is over, never negative. */
        public Duration remaining() {
            return time.isEnded() ? Duration.ZERO : time.remaining();
        }

        @Override
        public String toString() {
            return "term " + token;
        }
    }
}
