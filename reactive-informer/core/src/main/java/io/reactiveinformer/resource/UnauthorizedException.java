package io.reactiveinformer.resource;

/** The server does not know who we are (401). A new credential may help. */
public final class UnauthorizedException extends StatusException {
    private static final long serialVersionUID = 1L;

    UnauthorizedException(Status status, String attempted) {
        super(status, attempted);
    }

    private UnauthorizedException(UnauthorizedException refusal, String why) {
        super(refusal.status(), refusal, refusal.getMessage() + "; " + why);
    }

    /** The same refusal, whose message also says {@code why}, as far as that is known here. */
    public UnauthorizedException because(String why) {
        return new UnauthorizedException(this, why);
    }
}
