package io.reactiveinformer.resource;

/**
 * The request itself is invalid (400, 405, 406, 413, 415, 422), or its object is too large for the server's store (500 with the store's
 * message); the server will refuse the same request again.
 */
public final class InvalidRequestException extends StatusException {
    private static final long serialVersionUID = 1L;

    InvalidRequestException(Status status, String attempted) {
        super(status, attempted);
    }
}
