package io.reactiveinformer.internal.readers;

import java.util.concurrent.atomic.AtomicInteger;

/** The shape of an object, a list or a map, which is shared as a whole, in whatever encoding. */
abstract class SharedShape {

    private static final AtomicInteger MADE = new AtomicInteger();

    /** Differs between shapes: the same bytes may be trees of two classes. */
    final int salt = MADE.incrementAndGet() * 0x85EBCA6B;
}
