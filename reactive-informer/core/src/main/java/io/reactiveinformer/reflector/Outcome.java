package io.reactiveinformer.reflector;

import io.reactiveinformer.resource.KubernetesException;
import io.reactiveinformer.resource.StatusException;
import io.reactiveinformer.resource.TransportException;

/** How a request of a reflector came out. */
sealed interface Outcome {

    /** A failure of any kind, as one that names {@code what} was asked. */
    static Failed failed(Throwable failure, String what) {
        if (failure instanceof KubernetesException known) {
            return new Failed(known);
        }
        return failure instanceof Silence.SilentException silent
                ? new Failed(silent.explained())
                : new Failed(new TransportException("cannot keep up with " + what + ": " + failure, failure), true);
    }

    /** Something went wrong that a failure tells. */
    sealed interface Fault extends Outcome {
        KubernetesException cause();
    }

    /** The listing is complete. Where it was a streaming list, the request goes on as a watch. */
    record Complete() implements Outcome {}

    /** A watch has brought us further; it goes on. */
    record Progress() implements Outcome {}

    /**
     * The watch ended as watches should.
     *
     * @param asAsked whether it went on for as long as was asked for, and did not end because its server did
     */
    record Ended(boolean asAsked) implements Outcome {}

    /** The watch ended in order, but too soon and without a word: asking again at once would hammer. */
    record Cut(TransportException cause) implements Fault {}

    /** The next page cannot be had, and with it the listing that it belonged to. */
    record PageLost(KubernetesException cause) implements Fault {}

    /**
     * A streaming list stalled before its end mark, or went on and on.
     *
     * @param begun whether the server has answered; else it may be anything between here and there that stalls
     */
    record Overdue(boolean begun) implements Outcome {}

    /** A streaming list began, and was cut before its end mark. */
    record BrokenOff(TransportException cause) implements Fault {}

    /** What was heard cannot be all of it. */
    record Doubtful(String reason) implements Outcome {}

    /** Nothing was heard for so long that it may not be true. */
    record Unproven(String reason) implements Outcome {}

    /** The server's history is another one than that of the cached objects: it was restored or replaced. */
    record OtherHistory(String reason) implements Outcome {}

    /** A watch has failed from the same version for so long that another try from there is not to be expected to do better. */
    record Persistent(KubernetesException cause) implements Fault {}

    /** @param unknown whether nobody knows why: it may lie in what was asked for, or in what came */
    record Failed(KubernetesException cause, boolean unknown) implements Fault {

        Failed(KubernetesException cause) {
            this(cause, false);
        }

        /**
         * Whether the same request may fail again and another one may not: an object that the server cannot read, an answer that is none. The
         * other failures are of the connection, of the server as a whole, or of what the caller may do.
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
