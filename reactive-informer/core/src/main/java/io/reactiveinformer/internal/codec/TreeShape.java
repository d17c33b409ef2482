package io.reactiveinformer.internal.codec;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The shape of an object, a list or a map, which is shared as a whole. */
abstract class TreeShape implements Shape {

    private static final AtomicInteger MADE = new AtomicInteger();

    /** Differs between shapes: the same bytes may be trees of two classes. */
    final int salt = MADE.incrementAndGet() * 0x85EBCA6B;

    @Override
    public final Object read(ShapeReader in, @Nullable Object before) {
        return in.tree(this, before);
    }

    @Override
    public @Nullable Object ofNull(ShapeReader in) {
        return null;
    }

    /** The first character of the values that it reads. */
    abstract char opening();

    /**
     * Reads the value that begins here; its parts may be shared.
     *
     * @param before as in {@link #read}
     */
    abstract Object bind(ShapeReader in, @Nullable Object before);
}
