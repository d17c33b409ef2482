package io.reactiveinformer.resource;

/**
 * An answer came, but it is not what an API server says to this request: the page of a proxy, a table, JSON that is none. Check the server's
 * address and what stands before it.
 */
public final class UnexpectedAnswerException extends KubernetesException {
    private static final long serialVersionUID = 1L;

    /** @param message says what was expected and what came */
    public UnexpectedAnswerException(String message) {
        super(message, null);
    }
}
