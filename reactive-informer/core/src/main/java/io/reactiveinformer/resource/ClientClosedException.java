package io.reactiveinformer.resource;

/** The client was closed by this process. Trying again does not help: what needs the server needs another client. */
public final class ClientClosedException extends KubernetesException {
    private static final long serialVersionUID = 1L;

    public ClientClosedException() {
        super("the client was closed", null);
    }
}
