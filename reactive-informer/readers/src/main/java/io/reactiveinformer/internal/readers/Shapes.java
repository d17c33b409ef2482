package io.reactiveinformer.internal.readers;

import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.reactiveinformer.internal.codec.FieldPaths;
import io.reactiveinformer.internal.codec.PlainClasses;
import io.reactiveinformer.internal.codec.ProjectionDeserializer;
import io.reactiveinformer.internal.codec.SerializedNames;
import io.reactiveinformer.internal.codec.SharedScalars;
import io.reactiveinformer.resource.PartialObjectMetadata;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Field;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * The shapes of the plain classes among those that a mapper reads. Made from their fields, each on first use: of the hundreds of classes in
 * a pod's model, most pods use a few. Jackson's own analysis of these classes is left until one of their objects is unusual.
 */
final class Shapes {

    private final ScalarShapes scalars;
    private final AnyShape any;
    private final Map<Type, Shape> known = new ConcurrentHashMap<>();

    Shapes(Supplier<JsonMapper> mapper, SharedScalars shared) {
        this.scalars = new ScalarShapes(mapper, shared);
        this.any = new AnyShape(scalars.of(String.class), scalars.of(Object.class));
    }

    AnyShape any() {
        return any;
    }

    /** The shape of {@code type}; null if Jackson reads its objects as a whole. */
    @Nullable TreeShape root(Class<?> type) {
        return FieldPaths.areOn(type) ? projection(type)
                : PlainClasses.has(type) && shape(type) instanceof TreeShape tree ? tree : null;
    }

    private @Nullable TreeShape projection(Class<?> type) {
        return scalars.reader(type) instanceof ProjectionDeserializer projection
                && IntStream.range(0, projection.components()).allMatch(component -> PlainClasses.has(projection.type(component)))
                ? new ProjectionShape(projection, component -> shape(projection.genericType(component))) : null;
    }

    /**
     * One shape for each type, since a tree is found again by its shape. Made without a lock: a concurrent caller makes it, too.
     *
     * @param type a plain type, or a type in a plain class that only Jackson reads
     */
    private Shape shape(Type type) {
        Shape shape = known.get(type);
        if (shape != null) {
            return shape;
        }
        Shape made = make(type);
        Shape first = known.putIfAbsent(type, made);
        return first == null ? made : first;
    }

    private Shape make(Type type) {
        if (type instanceof Class<?> raw && PlainClasses.isObject(raw)) {
            return raw == PartialObjectMetadata.class ? new MetadataShape(shape(String.class), shape(V1ObjectMeta.class)) : ofFields(raw);
        }
        if (type instanceof ParameterizedType collection) {
            Type[] of = collection.getActualTypeArguments();
            if (collection.getRawType() == List.class) {
                return new ListShape(shape(of[0]));
            } else if (collection.getRawType() == Map.class && of[0] == String.class) {
                return new MapShape(shape(of[1]));
            }
        }
        if (type instanceof WildcardType any) {
            return shape(any.getUpperBounds()[0]);
        }
        return type == Object.class ? any : scalars.of(type);
    }

    private Shape ofFields(Class<?> type) {
        Map<Field, VarHandle> fields = SerializedNames.fields(type);
        List<Property> properties = new ArrayList<>();
        for (Field field : fields.keySet()) {
            String ofField = field.getName(); // not the field itself, which keeps its annotations
            properties.add(new Property(SerializedNames.of(field), properties.size(), () -> shape(type, ofField)));
        }
        return new ObjectShape(new ModelFields(type, fields.values()), properties);
    }

    private Shape shape(Class<?> type, String ofField) {
        Field field;
        try {
            field = type.getDeclaredField(ofField);
        } catch (NoSuchFieldException impossible) {
            throw new IllegalStateException(impossible);
        }
        return SerializedNames.isIdentity(field) ? scalars.ofIdentity() : shape(field.getGenericType());
    }

    /** Any value, of a property that is an {@link Object}, such as managed fields. Its objects are maps. */
    static final class AnyShape implements Shape {

        private final Shape ofStrings;
        private final Shape ofOthers;
        private final MapShape maps = new MapShape(this);
        private final ListShape lists = new ListShape(this);

        AnyShape(Shape ofStrings, Shape ofOthers) {
            this.ofStrings = ofStrings;
            this.ofOthers = ofOthers;
        }

        MapShape maps() {
            return maps;
        }

        @Override
        public @Nullable Object read(ShapeReader in, @Nullable Object before) {
            Shape shape = in.isAt('{') ? maps : in.isAt('[') ? lists : in.isAt('"') ? ofStrings : ofOthers;
            return shape.read(in, before);
        }

        @Override
        public @Nullable Object ofNull(ShapeReader in) {
            in.meetUnknown(); // a null that is a value, such as a default: it is not written again
            return null;
        }
    }
}
