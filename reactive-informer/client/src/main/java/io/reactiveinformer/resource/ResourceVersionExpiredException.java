package io.reactiveinformer.resource;

/** The server's history no longer reaches back to the requested version (410). List again to get a current one. */
public final class ResourceVersionExpiredException extends StatusException {
    private static final long serialVersionUID = 1L;

    ResourceVersionExpiredException(Status status, String attempted) {
        super(status, attempted);
    }
}
