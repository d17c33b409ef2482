package io.reactiveinformer.reflector;

import io.reactiveinformer.resource.KubernetesException;

/** How a request of a reflector came out. */
sealed interface Outcome {

    /** The listing is complete. */
    record Complete() implements Outcome {}

    /**
     * The stream ended as a stream should, before it had listed everything where it was to list.
     *
     * @param worthwhile whether something was heard, or at least it lasted; if not, asking again at once would hammer
     */
    record Ended(boolean worthwhile) implements Outcome {}

    /** The next page is gone, and with it the listing that it belonged to. */
    record PageExpired() implements Outcome {}

    /** A streaming list did not come to its end. */
    record Overdue() implements Outcome {}

    /** What was heard cannot be all of it. */
    record Doubtful(String reason) implements Outcome {}

    /** Nothing was heard for so long that it may not be true. */
    record Unproven(String reason) implements Outcome {}

    /** @param attempt how many tries in a row have failed, this one included */
    record Failed(KubernetesException cause, int attempt) implements Outcome {}
}
