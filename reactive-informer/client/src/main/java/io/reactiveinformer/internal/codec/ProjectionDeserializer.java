package io.reactiveinformer.internal.codec;

import java.lang.reflect.Constructor;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Type;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.deser.std.StdDeserializer;

/** Reads a record, or a data class, whose components are anywhere in the object; all else is skipped. */
public final class ProjectionDeserializer extends StdDeserializer<Object> {

    private final FieldPaths paths;
    private final Constructor<?> constructor;
    private final List<Component> components;
    private final JavaType[] types;
    private final @Nullable ValueDeserializer<Object>[] values;

    @SuppressWarnings({"unchecked", "rawtypes"}) // an array of a generic type
    ProjectionDeserializer(Class<?> type) {
        super(type);
        paths = FieldPaths.of(type);
        components = Component.of(type);
        constructor = Component.constructor(type);
        try {
            constructor.setAccessible(true);
        } catch (InaccessibleObjectException closed) {
            throw new IllegalArgumentException("no objects of " + type.getName() + " can be made: its module is closed; add \"opens "
                    + type.getPackageName() + " to " + getClass().getModule().getName() + ", "
                    + ValueDeserializer.class.getModule().getName() + ";\" to module " + type.getModule().getName(), closed);
        }
        types = new JavaType[components.size()];
        values = new ValueDeserializer[components.size()];
    }

    @Override
    public void resolve(DeserializationContext context) {
        for (int i = 0; i < types.length; i++) {
            types[i] = context.getTypeFactory().constructType(components.get(i).type());
            values[i] = context.findContextualValueDeserializer(types[i], null);
        }
    }

    @Override
    public Object deserialize(JsonParser parser, DeserializationContext context) {
        if (!parser.hasToken(JsonToken.START_OBJECT)) {
            return context.handleUnexpectedToken(handledType(), parser);
        }
        var read = new @Nullable Object[types.length];
        read(paths, read, parser, context);
        return create(read, context);
    }

    public FieldPaths paths() {
        return paths;
    }

    public int components() {
        return types.length;
    }

    public Type genericType(int component) {
        return components.get(component).type();
    }

    public JavaType type(int component) {
        return types[component];
    }

    ValueDeserializer<Object> reader(int component) {
        ValueDeserializer<Object> reader = values[component];
        if (reader == null) {
            throw new IllegalStateException("not resolved");
        }
        return reader;
    }

    /** @param components null where the object has no value; must not be used afterwards */
    public Object create(@Nullable Object[] components, DeserializationContext context) {
        for (int i = 0; i < components.length; i++) {
            if (components[i] == null) {
                components[i] = absent(i, context);
            }
        }
        try {
            return constructor.newInstance(components);
        } catch (InvocationTargetException refused) {
            return context.handleInstantiationProblem(handledType(), null, refused.getCause());
        } catch (ReflectiveOperationException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private void read(FieldPaths at, @Nullable Object[] components, JsonParser parser, DeserializationContext context) {
        for (String name = parser.nextName(); name != null; name = parser.nextName()) {
            JsonToken token = parser.nextToken();
            FieldPaths path = at.children().get(name);
            if (path == null || token == JsonToken.VALUE_NULL) {
                parser.skipChildren();
            } else {
                try {
                    property(path, token, components, parser, context);
                } catch (BeyondLimitException beyond) {
                    throw DatabindException.wrapWithPath(context, beyond, new JacksonException.Reference(handledType(), name));
                } catch (JacksonException failure) {
                    failure.prependPath(handledType(), name);
                    throw failure;
                }
            }
        }
    }

    private void property(FieldPaths path, JsonToken token, @Nullable Object[] components,
            JsonParser parser, DeserializationContext context) {
        if (path.component() >= 0) {
            components[path.component()] = reader(path.component()).deserialize(parser, context);
        } else if (token == JsonToken.START_OBJECT) {
            read(path, components, parser, context);
        } else {
            parser.skipChildren();
        }
    }

    private @Nullable Object absent(int component, DeserializationContext context) {
        Class<?> type = types[component].getRawClass();
        if (type == List.class || type == Collection.class) {
            return AbsentCollections.LIST;
        }
        if (type == Map.class) {
            return AbsentCollections.MAP;
        }
        return reader(component).getAbsentValue(context);
    }
}
