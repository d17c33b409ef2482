package io.reactiveinformer.resource;

/** The server does not know who we are (401). A new credential may help. */
public final class UnauthorizedException extends StatusException {
    private static final long serialVersionUID = 1L;

    UnauthorizedException(Status status, String attempted) {
        super(status, attempted);
    }
}
