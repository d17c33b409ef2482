package io.reactiveinformer.resource;

/** The object exists already, or has changed since it was read (409). Read it again, then decide whether to repeat the write. */
public final class ConflictException extends StatusException {
    private static final long serialVersionUID = 1L;

    ConflictException(Status status, String attempted) {
        super(status, attempted);
    }
}
