package io.reactiveinformer.internal.readers;

import org.jspecify.annotations.Nullable;

/** Reads values of one class directly from their bytes, without a parser in between. */
interface Shape {

    /**
     * Reads the value at the position of {@code in}, and moves the position to the end of the value.
     *
     * @param before the value of the cached state at this place: may be returned if a value read now would be the same in every visible
     *     respect. Null if there was none, or it is not known
     */
    @Nullable Object read(ShapeReader in, @Nullable Object before);

    /** The value of a property that is null. */
    @Nullable Object ofNull(ShapeReader in);
}
