package io.reactiveinformer.internal.readers;

import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.ValueDeserializer;

/**
 * The shape of a scalar, which is no tree: a value is shared alone, if at all. Jackson reads unusual values.
 *
 * @param jackson reads the same values, and unusual ones
 * @param usual returns null, and reads nothing, if the value is unusual
 * @param absent gives the value that replaces null
 */
record ScalarShape(Supplier<? extends ValueDeserializer<?>> jackson, Usual usual, Function<ShapeReader, @Nullable Object> absent)
        implements Shape {

    /** Reads the usual forms of a scalar, as {@link Shape#read} does. */
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
