package io.reactiveinformer.codec;

import org.jspecify.annotations.Nullable;

/** How values of one class are read straight from their bytes, without a parser between. */
interface Shape {

    /**
     * The value that begins there; {@code in} stands after it then.
     *
     * @param before what was there in the state that is held: may be given back where a value read now would be the same, in all that can be seen of it.
     *     Null where nothing was, or it is not known
     */
    @Nullable Object read(ShapeReader in, @Nullable Object before);

    /** What a property gets that is null. */
    @Nullable Object ofNull(ShapeReader in);
}
