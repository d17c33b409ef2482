package io.reactiveinformer.client;

import io.reactiveinformer.internal.codec.ObjectCodec;
import io.reactiveinformer.transport.TransportOptions;

/**
 * How a client behaves. A {@code with} method gives a copy that differs in one thing.
 *
 * @param transport connections and time limits
 * @param writesPerSecond most writes a second in the long run; 0 for no limit. Reads are not limited. Writes of Leases have the same limit,
 *     but are counted separately, so that they do not wait behind other writes
 * @param writeBurst most writes at once after a pause
 * @param listsAtOnce most lists in progress at the same time, including watches that send the initial state; the others wait. 0 for no
 *     limit. Other watches are not counted
 * @param largestObject most bytes of one object, and of an answer that is read as a whole, as by discovery and {@link RawClient#text}. A
 *     larger object in a list or a watch is emitted as unreadable, and the list or watch goes on; elsewhere it is a failure
 * @param managedFields whether objects keep their {@code metadata.managedFields}, which name the manager of each field, and often are half
 *     of an object. An object that was read without them can be written back: the server keeps its own record of them
 * @param protobuf whether built-in types, and metadata alone of any type, are listed and watched in protocol buffers if the server has
 *     them, which are read in half the processor time. A server that answers in JSON is understood as well; custom types, trees, single
 *     objects and writes are always JSON. After an answer that is not understood, it requests JSON for a minute, after
 *     further ones for longer, at most a day
 * @param observer notified of each request
 */
public record ClientOptions(
        TransportOptions transport, int writesPerSecond, int writeBurst, int listsAtOnce, int largestObject,
        boolean managedFields, boolean protobuf, RequestObserver observer) {

    private static final ClientOptions DEFAULTS =
            new ClientOptions(TransportOptions.defaults(), 50, 100, 10, ObjectCodec.LARGEST_OBJECT, false, true, RequestObserver.NONE);

    private static final int SMALLEST_LIMIT = 1 << 10;
    /** An array that grows by half its size must not exceed the largest array. */
    private static final int LARGEST_LIMIT = 1 << 30;

    /** @throws IllegalArgumentException if a number is out of its range */
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

    /**
     * 50 writes a second and 100 at once, 10 lists at once, objects of at most 1/32 of the maximum heap (but 3 MiB at least, and 32 MiB at
     * most), without managed fields, in protocol buffers where that is possible, and without an observer.
     */
    public static ClientOptions defaults() {
        return DEFAULTS;
    }

    /** A copy with these connections and time limits. */
    public ClientOptions withTransport(TransportOptions other) {
        return new ClientOptions(
                other, writesPerSecond, writeBurst, listsAtOnce, largestObject, managedFields, protobuf, observer);
    }

    /**
     * A copy with another limit of writes.
     *
     * @param perSecond 0 (no limit) to 1,000,000
     * @param burst at least 1
     * @throws IllegalArgumentException if one of them is out of range
     */
    public ClientOptions withWriteLimit(int perSecond, int burst) {
        return new ClientOptions(
                transport, perSecond, burst, listsAtOnce, largestObject, managedFields, protobuf, observer);
    }

    /**
     * A copy with at most {@code other} lists at the same time; 0 for no limit.
     *
     * @throws IllegalArgumentException if {@code other} is negative
     */
    public ClientOptions withListsAtOnce(int other) {
        return new ClientOptions(
                transport, writesPerSecond, writeBurst, other, largestObject, managedFields, protobuf, observer);
    }

    /**
     * A copy with another limit of the size of objects.
     *
     * @param bytes from 1 KiB to 1 GiB
     * @throws IllegalArgumentException if {@code bytes} is out of range
     */
    public ClientOptions withLargestObject(int bytes) {
        return new ClientOptions(
                transport, writesPerSecond, writeBurst, listsAtOnce, bytes, managedFields, protobuf, observer);
    }

    /**
     * A copy whose objects keep their {@code metadata.managedFields}, or not.
     *
     * @param kept false by default
     */
    public ClientOptions withManagedFields(boolean kept) {
        return new ClientOptions(
                transport, writesPerSecond, writeBurst, listsAtOnce, largestObject, kept, protobuf, observer);
    }

    /**
     * A copy that accepts protocol buffers in lists and watches of built-in types, or only JSON, as for a proxy that logs what passes.
     *
     * @param accepted true by default
     */
    public ClientOptions withProtobuf(boolean accepted) {
        return new ClientOptions(
                transport, writesPerSecond, writeBurst, listsAtOnce, largestObject, managedFields, accepted, observer);
    }

    /** A copy that notifies {@code other}, instead of the observer so far; see {@link RequestObserver#and}. */
    public ClientOptions withObserver(RequestObserver other) {
        return new ClientOptions(
                transport, writesPerSecond, writeBurst, listsAtOnce, largestObject, managedFields, protobuf, other);
    }
}
