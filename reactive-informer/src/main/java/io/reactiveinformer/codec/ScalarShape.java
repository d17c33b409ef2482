package io.reactiveinformer.codec;

import io.kubernetes.client.custom.IntOrString;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.deser.jdk.NumberDeserializers.BooleanDeserializer;
import tools.jackson.databind.deser.jdk.NumberDeserializers.IntegerDeserializer;
import tools.jackson.databind.deser.jdk.NumberDeserializers.LongDeserializer;

/**
 * A value that is shared by itself, if at all; Jackson's where it is none of the usual.
 *
 * @param jackson which reads the same, and whatever is not as it usually is
 * @param usual gives null, and reads nothing, where the value is none of the usual
 */
record ScalarShape(ValueDeserializer<?> jackson, Function<ShapeReader, @Nullable Object> usual) implements Shape {

    /** So many fit for certain. */
    private static final int DIGITS_OF_INT = 9;

    /** What {@code jackson} reads. */
    static Shape of(ValueDeserializer<?> jackson) {
        return new ScalarShape(jackson, usual(jackson));
    }

    private static Function<ShapeReader, @Nullable Object> usual(ValueDeserializer<?> jackson) {
        if (jackson instanceof SharedStringDeserializer) {
            return in -> in.readText() ? in.sharedText() : null;
        }
        if (jackson instanceof IdentityString) {
            return in -> in.readText() ? in.identityText() : null;
        }
        SharedValues<?> values = Scalars.sharedValues(jackson);
        if (values != null) {
            return in -> in.readText() ? in.sharedText(values) : null;
        }
        if (jackson instanceof Scalars.IntOrStringReader) {
            return in -> in.readText() ? new IntOrString(in.sharedText()) : in.readWholeNumber(DIGITS_OF_INT) ? new IntOrString((int) in.number()) : null;
        }
        if (jackson instanceof BooleanDeserializer) {
            return in -> in.readWord(ShapeReader.TRUE) ? (Boolean) true : in.readWord(ShapeReader.FALSE) ? (Boolean) false : null;
        }
        if (jackson instanceof IntegerDeserializer) {
            return in -> in.readWholeNumber(DIGITS_OF_INT) ? (Integer) (int) in.number() : null;
        }
        if (jackson instanceof LongDeserializer) {
            return in -> in.readWholeNumber(ShapeReader.DIGITS_OF_LONG) ? (Long) in.number() : null;
        }
        return in -> null;
    }

    @Override
    public @Nullable Object read(ShapeReader in) {
        Object value = usual.apply(in);
        return value != null ? value : in.readWord(ShapeReader.NULL) ? ofNull(in) : in.byJackson(jackson);
    }

    @Override
    public @Nullable Object ofNull(ShapeReader in) {
        return jackson.getNullValue(in.context());
    }
}
