package io.reactiveinformer.codec;

import org.jspecify.annotations.Nullable;

/** How values of one class are read straight from their bytes, without a parser between. */
interface Shape {

    /** The value that begins there; {@code in} stands after it then. */
    @Nullable Object read(ShapeReader in);

    /** What a property gets that is null. */
    @Nullable Object ofNull(ShapeReader in);
}
