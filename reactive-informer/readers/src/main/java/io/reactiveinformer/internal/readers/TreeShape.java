package io.reactiveinformer.internal.readers;

import org.jspecify.annotations.Nullable;

/** The shape of an object, a list or a map in JSON. */
abstract class TreeShape extends SharedShape<ShapeReader> implements Shape {

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
}
