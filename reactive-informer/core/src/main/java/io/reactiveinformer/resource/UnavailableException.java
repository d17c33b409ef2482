package io.reactiveinformer.resource;

/** The server cannot serve this now (429, 5xx). Later it may; {@link #retryAfter} is the least to wait. */
public final class UnavailableException extends StatusException {
    private static final long serialVersionUID = 1L;

    UnavailableException(Status status, String attempted) {
        super(status, attempted);
    }
}
