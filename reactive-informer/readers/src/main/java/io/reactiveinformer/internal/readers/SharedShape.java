package io.reactiveinformer.internal.readers;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The shape of an object, a list or a map, which is shared as a whole, in whatever encoding.
 *
 * @param <R> reads that encoding
 */
abstract class SharedShape<R> {

    private static final AtomicInteger MADE = new AtomicInteger();

    /** Differs between shapes: the same bytes may be trees of two classes. */
    final int salt = MADE.incrementAndGet() * 0x85EBCA6B;

    /**
     * Reads the value that {@code in} is at, to its end; its parts may be shared.
     *
     * @param before as in {@link Shape#read}
     */
    abstract Object bind(R in, @Nullable Object before);
}
