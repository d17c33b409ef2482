package io.reactiveinformer.resource;

/**
 * An answer arrived that no API server gives to this request, such as an HTML page of a proxy, a table, or malformed JSON. Check the
 * server's address and the proxies in front of it.
 */
public final class UnexpectedAnswerException extends KubernetesException {
    private static final long serialVersionUID = 1L;

    /** @param message what was expected and what arrived */
    public UnexpectedAnswerException(String message) {
        super(message, null);
    }
}
