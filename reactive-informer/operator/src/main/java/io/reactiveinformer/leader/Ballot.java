package io.reactiveinformer.leader;

/**
 * What a candidate does after it has read the lease.
 *
 * <pre>
 *               no lease     free    ours     another's
 *   following   CREATE *     TAKE    TAKE     TAKE *       * WAIT until the lease last seen of another has expired
 *   leading     LOST         LOST    RENEW    LOST
 * </pre>
 * A leader whose lease was deleted has lost it: another candidate may have created a new one, and led, since.
 */
enum Ballot {
    CREATE, TAKE, RENEW, WAIT, LOST;

    /**
     * The holder of a lease. US if this candidacy wrote the lease, or may have written it: the identity alone does not tell, as another
     * process may have the same.
     */
    enum Holder {
        NO_LEASE, NOBODY, US, ANOTHER
    }

    /** @param expired whether the lease of another candidate, as last seen, has expired, or none was seen */
    static Ballot of(boolean leading, Holder holder, boolean expired) {
        return switch (holder) {
            case US -> leading ? RENEW : TAKE;
            case NOBODY -> leading ? LOST : TAKE;
            case NO_LEASE -> leading ? LOST : expired ? CREATE : WAIT;
            case ANOTHER -> leading ? LOST : expired ? TAKE : WAIT;
        };
    }
}
