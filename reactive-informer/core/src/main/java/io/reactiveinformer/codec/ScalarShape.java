package io.reactiveinformer.codec;

import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.ValueDeserializer;

/**
 * A value that is shared by itself, if at all; Jackson's where it is none of the usual.
 *
 * @param jackson which reads the same, and whatever is not as it usually is
 * @param usual gives null, and reads nothing, where the value is none of the usual
 * @param absent what there is instead of null
 */
record ScalarShape(Supplier<? extends ValueDeserializer<?>> jackson, Usual usual, Function<ShapeReader, @Nullable Object> absent) implements Shape {

    /** Reads what a scalar usually is, as {@link Shape#read} does. */
    @FunctionalInterface
    interface Usual {

        @Nullable Object read(ShapeReader in, @Nullable Object before);
    }

    @Override
    public @Nullable Object read(ShapeReader in, @Nullable Object before) {
        Object value = usual.read(in, before);
        return value != null ? value : in.readWord(ShapeReader.NULL) ? ofNull(in) : in.byJackson(jackson.get());
    }

    @Override
    public @Nullable Object ofNull(ShapeReader in) {
        return absent.apply(in);
    }
}
