package io.reactiveinformer.internal.codec;

import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ser.std.StdSerializer;

/** Writes a record so that {@link ProjectionDeserializer} reads it: each component at its place in the object. */
final class ProjectionSerializer extends StdSerializer<Object> {

    private final FieldPaths paths;
    private final Method[] accessors;

    ProjectionSerializer(Class<?> type) {
        super(type);
        paths = FieldPaths.of(type);
        accessors = Arrays.stream(type.getRecordComponents()).map(RecordComponent::getAccessor).toArray(Method[]::new);
        Arrays.stream(accessors).forEach(accessor -> accessor.setAccessible(true));
    }

    @Override
    public void serialize(Object value, JsonGenerator generator, SerializationContext context) {
        write(paths, value, generator, context);
    }

    private void write(FieldPaths at, Object value, JsonGenerator generator, SerializationContext context) {
        generator.writeStartObject(value);
        at.children().forEach((name, path) -> {
            Object component = path.component() < 0 ? null : component(path.component(), value);
            if (path.component() < 0) {
                generator.writeName(name);
                write(path, value, generator, context);
            } else if (component != null) {
                generator.writeName(name);
                context.writeValue(generator, component);
            }
        });
        generator.writeEndObject();
    }

    private @Nullable Object component(int index, Object value) {
        try {
            return accessors[index].invoke(value);
        } catch (ReflectiveOperationException failure) {
            throw new IllegalStateException("cannot read " + accessors[index], failure);
        }
    }
}
