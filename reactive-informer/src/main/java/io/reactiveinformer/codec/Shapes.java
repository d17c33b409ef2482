package io.reactiveinformer.codec;

import io.kubernetes.client.custom.IntOrString;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.deser.bean.BeanDeserializer;
import tools.jackson.databind.deser.jdk.CollectionDeserializer;
import tools.jackson.databind.deser.jdk.MapDeserializer;
import tools.jackson.databind.deser.jdk.NumberDeserializers.BooleanDeserializer;
import tools.jackson.databind.deser.jdk.NumberDeserializers.IntegerDeserializer;
import tools.jackson.databind.deser.jdk.NumberDeserializers.LongDeserializer;

/** The shapes of one mapper's classes, made after what Jackson has found out about them. */
final class Shapes {

    /** So many fit for certain. */
    private static final int DIGITS_OF_INT = 9;

    private final Map<ValueDeserializer<?>, Shape> known = new ConcurrentHashMap<>();

    /** Null where objects of {@code type} are Jackson's as a whole. */
    @Nullable TreeShape of(JavaType type, ValueDeserializer<?> jackson) {
        if (jackson instanceof ProjectionDeserializer projection) {
            boolean plain = IntStream.range(0, projection.components()).allMatch(component -> PlainClasses.has(projection.type(component)));
            return plain ? new ProjectionShape(projection, component -> of(projection.reader(component))) : null;
        }
        return PlainClasses.has(type) && of(jackson) instanceof TreeShape tree ? tree : null;
    }

    /** @param jackson of a plain class */
    private Shape of(ValueDeserializer<?> jackson) {
        Shape made = known.get(jackson);
        if (made == null) {
            made = make(jackson);
            Shape first = known.putIfAbsent(jackson, made);
            made = first == null ? made : first;
        }
        return made;
    }

    private Shape make(ValueDeserializer<?> jackson) {
        if (jackson.getClass() == BeanDeserializer.class) {
            return ObjectShape.of((BeanDeserializer) jackson, this::of);
        }
        ValueDeserializer<?> inner = ReadOnlyCollections.within(jackson);
        if (inner instanceof CollectionDeserializer list) {
            return CollectionShapes.list(jackson, of(list.getContentDeserializer()));
        }
        if (inner instanceof MapDeserializer map) {
            return CollectionShapes.map(jackson, of(map.getContentDeserializer()));
        }
        if (jackson instanceof SharedStringDeserializer) {
            return scalar(jackson, in -> in.readText() ? in.sharedText() : null);
        }
        if (jackson instanceof IdentityString) {
            return scalar(jackson, in -> in.readText() ? in.identityText() : null);
        }
        SharedValues<?> values = Scalars.sharedValues(jackson);
        if (values != null) {
            return scalar(jackson, in -> in.readText() ? in.sharedText(values) : null);
        }
        if (jackson instanceof Scalars.IntOrStringReader) {
            return scalar(jackson, in -> in.readText() ? new IntOrString(in.sharedText()) : in.readWholeNumber(DIGITS_OF_INT) ? new IntOrString((int) in.number()) : null);
        }
        if (jackson instanceof BooleanDeserializer) {
            return scalar(jackson, in -> in.readWord(ShapeReader.TRUE) ? (Boolean) true : in.readWord(ShapeReader.FALSE) ? (Boolean) false : null);
        }
        if (jackson instanceof IntegerDeserializer) {
            return scalar(jackson, in -> in.readWholeNumber(DIGITS_OF_INT) ? (Integer) (int) in.number() : null);
        }
        if (jackson instanceof LongDeserializer) {
            return scalar(jackson, in -> in.readWholeNumber(ShapeReader.DIGITS_OF_LONG) ? (Long) in.number() : null);
        }
        return scalar(jackson, in -> null);
    }

    /** @param usual gives null, and reads nothing, where the value is none of the usual */
    private static Shape scalar(ValueDeserializer<?> jackson, Function<ShapeReader, @Nullable Object> usual) {
        return new Shape(jackson) {
            @Override
            @Nullable Object read(ShapeReader in) {
                Object value = usual.apply(in);
                return value == null ? readByJackson(in) : value;
            }
        };
    }
}
