package io.reactiveinformer.codec;

import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.databind.ValueDeserializer;

/** An object, a list or a map: what is shared as a whole. */
abstract class TreeShape extends Shape {

    private static final AtomicInteger MADE = new AtomicInteger();

    /** Differs between shapes: the same bytes may be trees of two classes. */
    final int salt = MADE.incrementAndGet() * 0x85EBCA6B;

    TreeShape(ValueDeserializer<?> jackson) {
        super(jackson);
    }

    @Override
    final Object read(ShapeReader in) {
        return in.tree(this);
    }

    /** Of what it reads, the first character. */
    abstract char opening();

    /** Reads what begins here, of which parts may be shared. */
    abstract Object bind(ShapeReader in);
}
