package io.reactiveinformer.leader;

/**
 * What a candidate does about a lease that he has looked at.
 *
 * <pre>
 *               no lease     free    ours     another's
 *   following   CREATE *     TAKE    TAKE     TAKE *       * WAIT until what was last seen of another has expired
 *   leading     LOST         LOST    RENEW    LOST
 * </pre>
 * A lease that somebody deleted under its leader is lost: anybody may have made and held another one since.
 */
enum Ballot {
    CREATE, TAKE, RENEW, WAIT, LOST;

    /** Whose a lease is. Ours is what we wrote, or tried to write, in this candidacy: the same name alone may be another process's. */
    enum Holder {
        NO_LEASE, NOBODY, US, ANOTHER
    }

    /** @param expired whether what was last seen of another is not to be waited for any more, or nothing was */
    static Ballot of(boolean leading, Holder holder, boolean expired) {
        return switch (holder) {
            case US -> leading ? RENEW : TAKE;
            case NOBODY -> leading ? LOST : TAKE;
            case NO_LEASE -> leading ? LOST : expired ? CREATE : WAIT;
            case ANOTHER -> leading ? LOST : expired ? TAKE : WAIT;
        };
    }
}
