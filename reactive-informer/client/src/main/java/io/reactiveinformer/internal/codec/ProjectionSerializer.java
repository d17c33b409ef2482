package io.reactiveinformer.internal.codec;

import java.util.List;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ser.std.StdSerializer;

/** Writes a projection so that {@link ProjectionDeserializer} reads it: each component at its place in the object. */
final class ProjectionSerializer extends StdSerializer<Object> {

    private final FieldPaths paths;
    private final List<Component> components;

    ProjectionSerializer(Class<?> type) {
        super(type);
        paths = FieldPaths.of(type);
        components = Component.of(type);
        components.forEach(Component::open);
    }

    @Override
    public void serialize(Object value, JsonGenerator generator, SerializationContext context) {
        write(paths, value, generator, context);
    }

    private void write(FieldPaths at, Object value, JsonGenerator generator, SerializationContext context) {
        generator.writeStartObject(value);
        at.children().forEach((name, path) -> {
            Object component = path.component() < 0 ? null : components.get(path.component()).of(value);
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
}
