package io.reactiveinformer.leader;

/**
 * What a candidate does about a lease that it has read.
 *
 * <pre>
 *               no lease     free    ours     another's
 *   following   CREATE *     TAKE    TAKE     TAKE *       * WAIT until the lease last seen of another has expired
 *   leading     LOST         LOST    RENEW    LOST
 * </pre>
 * A leader whose lease was deleted has lost it: another candidate may have created and held a new one since.
 */
enum Ballot {
    CREATE, TAKE, RENEW, WAIT, LOST;

    /**
     * The holder of a lease. US is a lease that was written, or may have been, in this candidacy: the same identity alone may be another
     * process's.
     */
    enum Holder {
        NO_LEASE, NOBODY, US, ANOTHER
    }

    /** @param expired whether the lease last seen of another has expired, or none was seen */
    static Ballot of(boolean leading, Holder holder, boolean expired) {
        return switch (holder) {
            case US -> leading ? RENEW : TAKE;
            case NOBODY -> leading ? LOST : TAKE;
            case NO_LEASE -> leading ? LOST : expired ? CREATE : WAIT;
            case ANOTHER -> leading ? LOST : expired ? TAKE : WAIT;
        };
    }
}
