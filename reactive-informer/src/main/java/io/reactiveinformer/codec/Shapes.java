package io.reactiveinformer.codec;

import java.lang.invoke.VarHandle;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.json.JsonMapper;

/**
 * The shapes of the plain classes among those that a mapper reads. Made from their fields and from the mapper's readers of scalars: what Jackson itself
 * would have to find out about hundreds of classes is left to when one of their objects is unusual.
 */
final class Shapes {

    private final JsonMapper mapper;
    private final Map<JavaType, Shape> known = new HashMap<>(); // guarded by this

    Shapes(JsonMapper mapper) {
        this.mapper = mapper;
    }

    /** Null where objects of {@code type} are Jackson's as a whole. */
    synchronized @Nullable TreeShape root(Class<?> type) {
        try {
            return FieldPaths.areOn(type) ? projection(type)
                    : PlainClasses.has(type) && shape(mapper.constructType(type)) instanceof TreeShape tree ? tree : null;
        } catch (RuntimeException | Error broken) {
            known.clear(); // some do not know their properties
            throw broken;
        }
    }

    private @Nullable TreeShape projection(Class<?> type) {
        return reader(mapper.constructType(type)) instanceof ProjectionDeserializer projection
                && IntStream.range(0, projection.components()).allMatch(component -> PlainClasses.has(projection.type(component)))
                ? new ProjectionShape(projection, component -> shape(projection.type(component))) : null;
    }

    private ValueDeserializer<?> reader(JavaType type) {
        return mapper._deserializationContext().findRootValueDeserializer(type);
    }

    /** @param type which is plain, or something in a plain class that only Jackson knows */
    private Shape shape(JavaType type) {
        Shape shape = known.get(type);
        return shape == null ? make(type) : shape;
    }

    private Shape make(JavaType type) {
        Class<?> raw = type.getRawClass();
        if (PlainClasses.isObject(raw)) {
            return raw.isRecord() ? ofComponents(type) : ofFields(type);
        }
        Shape shape = raw == List.class ? new ListShape(shape(type.getContentType()))
                : raw == Map.class && type.getKeyType().hasRawClass(String.class) ? new MapShape(shape(type.getContentType()))
                : ScalarShape.of(reader(type));
        known.put(type, shape);
        return shape;
    }

    private Shape ofFields(JavaType type) {
        Map<Field, VarHandle> handles = SerializedNames.fields(type.getRawClass());
        List<Field> fields = List.copyOf(handles.keySet());
        return complete(type, new ObjectShape.OfFields(PlainClasses.constructor(type.getRawClass()), handles.values()),
                fields.size(), place -> SerializedNames.of(fields.get(place)), place -> shape(fields.get(place)));
    }

    private Shape shape(Field field) {
        ValueDeserializer<?> special = SerializedNames.reader(field);
        return special == null ? shape(mapper.constructType(field.getGenericType())) : ScalarShape.of(special);
    }

    private Shape ofComponents(JavaType type) {
        RecordComponent[] components = type.getRawClass().getRecordComponents();
        Constructor<?> constructor = PlainClasses.constructor(type.getRawClass(), Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
        return complete(type, new ObjectShape.OfComponents(constructor),
                components.length, place -> components[place].getName(), place -> shape(mapper.constructType(components[place].getGenericType())));
    }

    /** Its properties are looked at when it is known itself: they may hold objects of its own class. */
    private Shape complete(JavaType type, ObjectShape<?> shape, int properties, IntFunction<String> names, IntFunction<Shape> shapes) {
        known.put(type, shape);
        shape.complete(IntStream.range(0, properties).mapToObj(place -> PropertyTable.Property.of(names.apply(place), place, shapes.apply(place))).toList());
        return shape;
    }
}
