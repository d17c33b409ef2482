package io.reactiveinformer.resource;

/** The server has not reached the requested version (504): it lags behind, or its history was restored from an older one. */
public final class ResourceVersionTooLargeException extends StatusException {
    private static final long serialVersionUID = 1L;

    ResourceVersionTooLargeException(Status status, String attempted) {
        super(status, attempted);
    }
}
