package io.reactiveinformer.resource;

/**
 * An answer arrived, but it is not what an API server answers to this request: the page of a proxy, a table, malformed JSON. Check the
 * server's address and the proxies in front of it.
 */
public final class UnexpectedAnswerException extends KubernetesException {
    private static final long serialVersionUID = 1L;

    /** @param message what was expected and what arrived */
    public UnexpectedAnswerException(String message) {
        super(message, null);
    }
}
