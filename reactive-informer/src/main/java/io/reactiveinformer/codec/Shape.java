package io.reactiveinformer.codec;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.ValueDeserializer;

/** How values of one class are read straight from their bytes, without a parser between. */
abstract class Shape {

    private final ValueDeserializer<?> jackson;

    /** @param jackson which reads the same, and whatever is not as it usually is */
    Shape(ValueDeserializer<?> jackson) {
        this.jackson = jackson;
    }

    /** The value that begins there; {@code in} stands after it then. */
    abstract @Nullable Object read(ShapeReader in);

    final @Nullable Object readByJackson(ShapeReader in) {
        return in.byJackson(jackson);
    }
}
