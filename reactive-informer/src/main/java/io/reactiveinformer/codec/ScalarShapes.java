package io.reactiveinformer.codec;

import io.kubernetes.client.custom.IntOrString;
import io.kubernetes.client.custom.Quantity;
import java.lang.reflect.Type;
import java.time.OffsetDateTime;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.json.JsonMapper;

/** Makes the shapes of scalars. Jackson, which needs half a second to be there at all, is asked for when there is something unusual to read. */
final class ScalarShapes {

    /** So many fit for certain. */
    private static final int DIGITS_OF_INT = 9;

    private static final Map<Type, Object> ZEROS = Map.of(int.class, 0, long.class, 0L, boolean.class, false);

    /** Only Jackson reads these, but what they are instead of null it need not be asked. */
    private static final Set<Type> NULLABLE = Set.of(Object.class, Double.class, Float.class);

    private final Supplier<JsonMapper> mapper;
    private final Map<Type, Function<ShapeReader, @Nullable Object>> usual = new HashMap<>(); // not written to after it was made

    ScalarShapes(Supplier<JsonMapper> mapper, SharedScalars shared) {
        this.mapper = mapper;
        usual.put(String.class, in -> in.readText() ? in.sharedText() : in.readOddText());
        usual.put(OffsetDateTime.class, in -> in.readText() ? in.sharedText(shared.times()) : null);
        usual.put(Quantity.class, in -> in.readText() ? in.sharedText(shared.quantities()) : null);
        usual.put(IntOrString.class, in -> in.readText() ? new IntOrString(in.sharedText()) : in.readWholeNumber(DIGITS_OF_INT) ? new IntOrString((int) in.number()) : null);
        usual.put(byte[].class, in -> in.readText() ? in.decodedText() : null);
        for (Type type : new Type[] {Boolean.class, boolean.class}) {
            usual.put(type, in -> in.readWord(ShapeReader.TRUE) ? (Boolean) true : in.readWord(ShapeReader.FALSE) ? (Boolean) false : null);
        }
        for (Type type : new Type[] {Integer.class, int.class}) {
            usual.put(type, in -> in.readWholeNumber(DIGITS_OF_INT) ? (Integer) (int) in.number() : null);
        }
        for (Type type : new Type[] {Long.class, long.class}) {
            usual.put(type, in -> in.readWholeNumber(ShapeReader.DIGITS_OF_LONG) ? (Long) in.number() : null);
        }
    }

    /** Of whatever is read by Jackson, if by nobody else. */
    ScalarShape of(Type type) {
        var jackson = new Once<ValueDeserializer<?>>(() -> reader(type));
        Function<ShapeReader, @Nullable Object> read = usual.getOrDefault(type, in -> null);
        if (!usual.containsKey(type) && !NULLABLE.contains(type)) {
            return new ScalarShape(jackson, read, in -> jackson.get().getNullValue(in.context()));
        }
        Object zero = ZEROS.get(type);
        return new ScalarShape(jackson, read, in -> zero);
    }

    /** Of what {@link IdentityString} reads. */
    ScalarShape ofIdentity() {
        return new ScalarShape(new Once<>(IdentityString::new), in -> in.readText() ? in.identityText() : null, in -> null);
    }

    /** Of what {@link StringOrNothing} reads. */
    ScalarShape ofStringOrNothing() {
        return new ScalarShape(new Once<>(StringOrNothing::new), in -> null, in -> null);
    }

    ValueDeserializer<?> reader(Type type) {
        return mapper.get()._deserializationContext().findRootValueDeserializer(mapper.get().constructType(type));
    }
}
