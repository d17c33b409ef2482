package io.reactiveinformer.reflector;

import io.reactiveinformer.resource.KubernetesException;
import io.reactiveinformer.resource.StatusException;
import io.reactiveinformer.resource.TransportException;

/** The outcome of a request of a reflector. */
sealed interface Outcome {

    /**
     * What a failure of any kind says; one that is not a {@link KubernetesException} is wrapped in one that names {@code what} was
     * requested.
     */
    static Outcome of(Throwable failure, String what) {
        return failure instanceof Thrown thrown ? thrown.outcome : failed(failure, what);
    }

    /** The same, where the failure is not what this package throws to say more. */
    static Failed failed(Throwable failure, String what) {
        if (failure instanceof KubernetesException known) {
            return new Failed(known);
        }
        return failure instanceof IdleTimeout.SilentException silent
                ? new Failed(silent.explained())
                : new Failed(new TransportException("cannot keep up with " + what + ": " + failure, failure), true);
    }

    /** Ends a request with an outcome. Has no stack trace: it is a normal event, not a defect. */
    final class Thrown extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final transient Outcome outcome;

        private Thrown(Outcome outcome, String reason) {
            super(reason, null, false, false);
            this.outcome = outcome;
        }
    }

    /** An outcome with a failure. */
    sealed interface Fault extends Outcome {
        KubernetesException cause();
    }

    /** The listing is complete. Where it was a streaming list, the request goes on as a watch. */
    record Complete() implements Outcome {}

    /** A watch has advanced the position; it goes on. */
    record Progress() implements Outcome {}

    /**
     * The watch ended in order.
     *
     * @param asAsked whether it lasted for the requested time, and was not ended by the server before
     * @param soon whether another watch at once would ask the server too often
     */
    record Ended(boolean asAsked, boolean soon) implements Outcome {}

    /** The watch ended in order, but too soon and without an event: asking again at once would overload the server. */
    record Cut(TransportException cause) implements Fault {}

    /** The next page cannot be fetched, so the whole listing is lost. */
    record PageLost(KubernetesException cause) implements Fault {

        static Thrown thrown(String message) {
            return new Thrown(new PageLost(new TransportException(message, null)), message);
        }
    }

    /**
     * A streaming list stalled before its end mark, or did not end.
     *
     * @param begun whether the server has answered; if not, anything between client and server may have stalled
     */
    record Overdue(boolean begun) implements Outcome {

        static Thrown thrown(String reason) {
            return new Thrown(new Overdue(true), reason);
        }
    }

    /** A streaming list began, and was cut before its end mark. */
    record BrokenOff(TransportException cause) implements Fault {}

    /** What was received cannot be complete. */
    record Doubtful(String reason) implements Outcome {

        static Thrown thrown(String reason) {
            return new Thrown(new Doubtful(reason), reason);
        }
    }

    /** Nothing was received for so long that the watch may not be valid. */
    record Unproven(String reason) implements Outcome {}

    /**
     * The history that the cached objects come from is proven.
     *
     * @param entirely whether there is nothing to prove again later
     */
    record Proven(boolean entirely) implements Outcome {}

    /**
     * The server has another history than the one that the cached objects come from: it was restored or replaced.
     *
     * @param shown whether the server itself has shown that to this reflector
     */
    record OtherHistory(String reason, boolean shown) implements Outcome {

        static OtherHistory shown(String contradiction) {
            return new OtherHistory("the server was restored or replaced: " + contradiction, true);
        }

        static Thrown thrown(String contradiction) {
            return new Thrown(shown(contradiction), contradiction);
        }
    }

    /**
     * Anything else.
     *
     * @param unknown whether the reason is unknown: it may lie in the request, or in the answer
     * @param useful whether a watch had been useful until then
     * @param mistake whether the source never takes such a list
     */
    record Failed(KubernetesException cause, boolean unknown, boolean useful, boolean mistake) implements Fault {

        Failed(KubernetesException cause) {
            this(cause, false);
        }

        Failed(KubernetesException cause, boolean unknown) {
            this(cause, unknown, false, false);
        }

        /**
         * Whether the same request may fail again while another one succeeds: an object that the server cannot read, an answer that is
         * malformed. The other failures are of the connection, of the server as a whole, or of the caller's permissions.
         */
        boolean mayLieInTheRequest() {
            if (cause instanceof StatusException refusal) {
                return switch (refusal.code()) {
                    case 401, 403, 404, 408, 429, 502, 503, 504 -> false;
                    default -> true;
                };
            }
            return unknown || !(cause instanceof TransportException);
        }
    }
}
