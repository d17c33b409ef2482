package io.reactiveinformer.reflector;

import io.reactiveinformer.resource.KubernetesException;
import io.reactiveinformer.resource.StatusException;
import io.reactiveinformer.resource.TransportException;

/** The outcome of a request of a reflector. */
sealed interface Outcome {

    /** Wraps a failure of any kind; if it is not a {@link KubernetesException}, in one that names {@code what} was requested. */
    static Failed failed(Throwable failure, String what) {
        if (failure instanceof KubernetesException known) {
            return new Failed(known);
        }
        return failure instanceof Silence.SilentException silent
                ? new Failed(silent.explained())
                : new Failed(new TransportException("cannot keep up with " + what + ": " + failure, failure), true);
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
     */
    record Ended(boolean asAsked) implements Outcome {}

    /** The watch ended in order, but too soon and without an event: asking again at once would overload the server. */
    record Cut(TransportException cause) implements Fault {}

    /** The next page cannot be fetched, so the whole listing is lost. */
    record PageLost(KubernetesException cause) implements Fault {}

    /**
     * A streaming list stalled before its end mark, or did not end.
     *
     * @param begun whether the server has answered; if not, anything between client and server may have stalled
     */
    record Overdue(boolean begun) implements Outcome {}

    /** A streaming list began, and was cut before its end mark. */
    record BrokenOff(TransportException cause) implements Fault {}

    /** What was received cannot be complete. */
    record Doubtful(String reason) implements Outcome {}

    /** Nothing was received for so long that the watch may not be valid. */
    record Unproven(String reason) implements Outcome {}

    /** The server has another history than the one that the cached objects come from: it was restored or replaced. */
    record OtherHistory(String reason) implements Outcome {}

    /** @param unknown whether the reason is unknown: it may lie in the request, or in the answer */
    record Failed(KubernetesException cause, boolean unknown) implements Fault {

        Failed(KubernetesException cause) {
            this(cause, false);
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
