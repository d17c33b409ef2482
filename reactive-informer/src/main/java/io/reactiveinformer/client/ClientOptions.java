package io.reactiveinformer.client;

import io.reactiveinformer.transport.TransportOptions;

/**
 * How a client behaves. A {@code with} method gives a copy that differs in one thing.
 *
 * @param transport connections and time limits
 * @param writesPerSecond in the long run; 0 for no limit. Reads are not counted
 * @param writeBurst how many may go out at once after a rest
 * @param listsAtOnce lists under way at the same time, among them watches that send the initial state; the others wait. 0 for no limit.
 *     Watches are not counted
 * @param observer told of each request
 */
public record ClientOptions(TransportOptions transport, int writesPerSecond, int writeBurst, int listsAtOnce, RequestObserver observer) {

    private static final ClientOptions DEFAULTS = new ClientOptions(TransportOptions.defaults(), 50, 100, 10, RequestObserver.NONE);

    public ClientOptions {
        if (writesPerSecond < 0 || writesPerSecond > 1_000_000) {
            throw new IllegalArgumentException("writesPerSecond must be 0 (no limit) to 1,000,000, was " + writesPerSecond);
        }
        if (writeBurst < 1) {
            throw new IllegalArgumentException("writeBurst must be at least 1, was " + writeBurst);
        }
        if (listsAtOnce < 0) {
            throw new IllegalArgumentException("listsAtOnce must be 0 (no limit) or more, was " + listsAtOnce);
        }
    }

    /** 50 writes a second and 100 at once, 10 lists at once. */
    public static ClientOptions defaults() {
        return DEFAULTS;
    }

    public ClientOptions withTransport(TransportOptions other) {
        return new ClientOptions(other, writesPerSecond, writeBurst, listsAtOnce, observer);
    }

    public ClientOptions withWriteLimit(int perSecond, int burst) {
        return new ClientOptions(transport, perSecond, burst, listsAtOnce, observer);
    }

    public ClientOptions withListsAtOnce(int other) {
        return new ClientOptions(transport, writesPerSecond, writeBurst, other, observer);
    }

    public ClientOptions withObserver(RequestObserver other) {
        return new ClientOptions(transport, writesPerSecond, writeBurst, listsAtOnce, other);
    }
}
