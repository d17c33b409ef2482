package io.reactiveinformer.resource;

/** The client was closed by this process. Retrying does not help: further requests need another client. */
public final class ClientClosedException extends KubernetesException {
    private static final long serialVersionUID = 1L;

    /** Creates the exception, with a fixed message. */
    public ClientClosedException() {
        super("the client was closed", null);
    }
}
