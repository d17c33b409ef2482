package io.reactiveinformer.resource;

/**
 * The server cannot serve this request now (429, 5xx except {@link InvalidRequestException}). A later retry may succeed; wait at least
 * {@link #retryAfter}.
 */
public final class UnavailableException extends StatusException {
    private static final long serialVersionUID = 1L;

    UnavailableException(Status status, String attempted) {
        super(status, attempted);
    }
}
