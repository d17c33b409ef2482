package io.reactiveinformer.resource;

/** We may not do this (403). Rights must be granted; the message names verb and resource. */
public final class ForbiddenException extends StatusException {
    private static final long serialVersionUID = 1L;

    ForbiddenException(Status status, String attempted) {
        super(status, attempted);
    }
}
