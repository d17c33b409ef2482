package io.reactiveinformer.resource;

/** There is no such object, or no such resource type (404). */
public final class NotFoundException extends StatusException {
    private static final long serialVersionUID = 1L;

    NotFoundException(Status status, String attempted) {
        super(status, attempted);
    }
}
