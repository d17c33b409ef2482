package io.reactiveinformer.resource;

/** The server does not accept the credential, or there was none (401). A new credential may help. */
public final class UnauthorizedException extends StatusException {
    private static final long serialVersionUID = 1L;

    UnauthorizedException(Status status, String attempted) {
        super(status, attempted);
    }

    private UnauthorizedException(UnauthorizedException refusal, String why) {
        super(refusal.status(), refusal, refusal.getMessage() + "; " + why);
    }

    /** A copy whose message ends with {@code why}, a possible reason that the client knows of. This exception is its cause. */
    public UnauthorizedException because(String why) {
        return new UnauthorizedException(this, why);
    }
}
