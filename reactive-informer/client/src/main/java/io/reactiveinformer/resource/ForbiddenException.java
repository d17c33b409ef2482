package io.reactiveinformer.resource;

/** The client is not allowed to do this (403). The permission must be granted; the message names verb and resource. */
public final class ForbiddenException extends StatusException {
    private static final long serialVersionUID = 1L;

    ForbiddenException(Status status, String attempted) {
        super(status, attempted);
    }
}
