package io.reactiveinformer.client;

import io.reactiveinformer.codec.ObjectCodec;
import io.reactiveinformer.transport.TransportOptions;

/**
 * How a client behaves. A {@code with} method gives a copy that differs in one thing.
 *
 * @param transport connections and time limits
 * @param writesPerSecond in the long run; 0 for no limit. Reads are not counted; Leases are, by themselves: they do not wait behind other writes
 * @param writeBurst how many may go out at once after a rest
 * @param listsAtOnce lists under way at the same time, among them watches that send the initial state; the others wait. 0 for no limit.
 *     Watches are not counted
 * @param largestObject most bytes of one object, and of an answer that is read whole, as discovery and {@link RawClient#text} do. A larger
 *     one in a list or a watch is told as one that cannot be read, and the others go on; elsewhere it is a failure
 * @param managedFields whether objects keep their {@code metadata.managedFields}, which say who set which field, and often are half of an object.
 *     What was read without them can be written back: servers keep what they have of them
 * @param observer told of each request
 */
public record ClientOptions(
        TransportOptions transport, int writesPerSecond, int writeBurst, int listsAtOnce, int largestObject, boolean managedFields, RequestObserver observer) {

    private static final ClientOptions DEFAULTS =
            new ClientOptions(TransportOptions.defaults(), 50, 100, 10, ObjectCodec.LARGEST_OBJECT, false, RequestObserver.NONE);

    private static final int SMALLEST_LIMIT = 1 << 10;
    /** An array that grows by halves must not grow beyond what arrays can be. */
    private static final int LARGEST_LIMIT = 1 << 30;

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
        if (largestObject < SMALLEST_LIMIT || largestObject > LARGEST_LIMIT) {
            throw new IllegalArgumentException("largestObject must be 1 KiB to 1 GiB, was " + largestObject);
        }
    }

    /** 50 writes a second and 100 at once, 10 lists at once, objects of a thirty-second of the largest heap: 3 MiB at least, 32 MiB at most. */
    public static ClientOptions defaults() {
        return DEFAULTS;
    }

    public ClientOptions withTransport(TransportOptions other) {
        return new ClientOptions(other, writesPerSecond, writeBurst, listsAtOnce, largestObject, managedFields, observer);
    }

    public ClientOptions withWriteLimit(int perSecond, int burst) {
        return new ClientOptions(transport, perSecond, burst, listsAtOnce, largestObject, managedFields, observer);
    }

    public ClientOptions withListsAtOnce(int other) {
        return new ClientOptions(transport, writesPerSecond, writeBurst, other, largestObject, managedFields, observer);
    }

    /** @param bytes from 1 KiB to 1 GiB */
    public ClientOptions withLargestObject(int bytes) {
        return new ClientOptions(transport, writesPerSecond, writeBurst, listsAtOnce, bytes, managedFields, observer);
    }

    /** @param kept false by default */
    public ClientOptions withManagedFields(boolean kept) {
        return new ClientOptions(transport, writesPerSecond, writeBurst, listsAtOnce, largestObject, kept, observer);
    }

    public ClientOptions withObserver(RequestObserver other) {
        return new ClientOptions(transport, writesPerSecond, writeBurst, listsAtOnce, largestObject, managedFields, other);
    }
}
