package io.reactiveinformer.internal.readers;

import io.kubernetes.client.custom.IntOrString;
import io.kubernetes.client.custom.Quantity;
import io.reactiveinformer.internal.codec.IdentityString;
import io.reactiveinformer.internal.codec.Lazy;
import io.reactiveinformer.internal.codec.SharedScalars;
import java.lang.reflect.Type;
import java.time.OffsetDateTime;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.json.JsonMapper;

/** Makes the shapes of scalars. Jackson, which takes half a second to initialize, is used only for unusual values. */
final class ScalarShapes {

    /** So many digits always fit into an int. */
    private static final int DIGITS_OF_INT = 9;

    private static final Map<Type, Object> ZEROS = Map.of(int.class, 0, long.class, 0L, boolean.class, false);

    /** Only Jackson reads these, but the value that replaces null is known without it. */
    private static final Set<Type> NULLABLE = Set.of(Object.class, Double.class, Float.class);

    private final Supplier<JsonMapper> mapper;
    private final Map<Type, ScalarShape.Usual> usual = new HashMap<>(); // not written to after it was made

    ScalarShapes(Supplier<JsonMapper> mapper, SharedScalars shared) {
        this.mapper = mapper;
        usual.put(String.class, (in, before) -> in.readText() ? in.sharedTextOr(before) : heldIfEqual(before, in.readOddText()));
        usual.put(OffsetDateTime.class, (in, before) -> in.readText() ? heldIfEqual(before, in.sharedText(shared.times())) : null);
        usual.put(Quantity.class, (in, before) -> in.readText() ? heldIfSame(before, in.sharedText(shared.quantities())) : null);
        usual.put(IntOrString.class, (in, before) -> in.readText() ? heldIfEqual(before, new IntOrString(in.sharedText()))
                : in.readWholeNumber(DIGITS_OF_INT) ? heldIfEqual(before, new IntOrString((int) in.number())) : null);
        usual.put(byte[].class, (in, before) -> in.readText() ? in.decodedText() : null);
        for (Type type : new Type[] {Boolean.class, boolean.class}) {
            usual.put(type, (in, before) -> in.readWord(ShapeReader.TRUE) ? (Boolean) true : in.readWord(ShapeReader.FALSE)
                    ? (Boolean) false : null);
        }
        for (Type type : new Type[] {Integer.class, int.class}) {
            usual.put(type, (in, before) -> in.readWholeNumber(DIGITS_OF_INT) ? heldIfEqual(before, (int) in.number()) : null);
        }
        for (Type type : new Type[] {Long.class, long.class}) {
            usual.put(type, (in, before) -> in.readWholeNumber(ShapeReader.DIGITS_OF_LONG) ? heldIfEqual(before, in.number()) : null);
        }
    }

    static @Nullable Object heldIfEqual(@Nullable Object before, @Nullable Object value) {
        return before != null && before.equals(value) ? before : value;
    }

    /** Equal quantities may have different numbers: 1000m has digits that 1 does not have. */
    @SuppressWarnings("BigDecimalEquals") // which distinguishes those
    static Quantity heldIfSame(@Nullable Object before, Quantity value) {
        return before instanceof Quantity held && held.getFormat() == value.getFormat()
                && Objects.equals(held.getNumber(), value.getNumber()) ? held : value;
    }

    /** The shape of {@code type}; Jackson reads all values if there is no other reader. */
    ScalarShape of(Type type) {
        var jackson = new Lazy<ValueDeserializer<?>>(() -> reader(type));
        ScalarShape.Usual read = usual.getOrDefault(type, (in, before) -> null);
        if (!usual.containsKey(type) && !NULLABLE.contains(type)) {
            return new ScalarShape(jackson, read, in -> jackson.get().getNullValue(in.context()));
        }
        Object zero = ZEROS.get(type);
        return new ScalarShape(jackson, read, in -> zero);
    }

    /** The shape of values that {@link IdentityString} reads. */
    ScalarShape ofIdentity() {
        return new ScalarShape(new Lazy<>(IdentityString::new), (in, before) -> in.readText() ? in.identityTextOr(before) : null,
                in -> null);
    }

    ValueDeserializer<?> reader(Type type) {
        return mapper.get()._deserializationContext().findRootValueDeserializer(mapper.get().constructType(type));
    }

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
}
