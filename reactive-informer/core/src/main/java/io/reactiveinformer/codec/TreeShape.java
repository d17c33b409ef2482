package io.reactiveinformer.codec;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** An object, a list or a map: what is shared as a whole. */
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

    /** Of what it reads, the first character. */
    abstract char opening();

    /**
     * Reads what begins here, of which parts may be shared.
     *
     * @param before as in {@link #read}
     */
    abstract Object bind(ShapeReader in, @Nullable Object before);
}
