package io.reactiveinformer.internal.codec;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.DeserializationConfig;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.KeyDeserializer;
import tools.jackson.databind.SerializationConfig;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.deser.DeserializationProblemHandler;
import tools.jackson.databind.deser.ValueDeserializerModifier;
import tools.jackson.databind.deser.jdk.StringDeserializer;
import tools.jackson.databind.deser.std.DelegatingDeserializer;
import tools.jackson.databind.deser.std.StdScalarDeserializer;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.StringNode;
import tools.jackson.databind.ser.ValueSerializerModifier;
import tools.jackson.databind.ser.std.StdSerializer;

/** Jackson's mappers for the server's JSON. */
public final class Mappers {

    static final Set<Class<?>> COLLECTIONS = Set.of(List.class, Collection.class, Set.class, Map.class);

    private Mappers() {}

    /** A mapper that reads objects for the caller to own: collections can be changed. It writes, too. */
    static JsonMapper own() {
        return builder().addModule(Scalars.module(null)).build();
    }

    /** A mapper that reads objects that are never changed: equal parts are shared. */
    public static JsonMapper shared(SharedStrings strings, SharedScalars scalars) {
        return builder()
                .addModule(Scalars.module(scalars))
                .addModule(ReadOnlyCollections.module())
                .addModule(new SimpleModule("shared strings")
                        .addDeserializer(String.class, new SharedStringDeserializer(strings))
                        .addKeyDeserializer(String.class, new SharedStringDeserializer.Keys(strings)))
                .nodeFactory(new SharedNodes(strings))
                .build();
    }

    /** Ignores what does not fit the class, such as unknown properties, where possible: clusters may be newer than the model classes. */
    private static JsonMapper.Builder builder() {
        JsonMapper.Builder builder = JsonMapper.builder(Tokens.JSON)
                .annotationIntrospector(new SerializedNameIntrospector())
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
                .disable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
                .changeDefaultPropertyInclusion(inclusion -> inclusion.withValueInclusion(JsonInclude.Include.NON_NULL))
                .addHandler(new UnknownProperties())
                .addModule(new SimpleModule("absent collections").setDeserializerModifier(new AbsentCollections()))
                .addModule(new SimpleModule("projections")
                        .setDeserializerModifier(new Projections())
                        .setSerializerModifier(new WrittenProjections()));
        for (Class<?> collection : COLLECTIONS) {
            builder.withConfigOverride(collection, override -> override.setNullHandling(JsonSetter.Value.forValueNulls(Nulls.AS_EMPTY)));
        }
        return builder;
    }

    private static final class UnknownProperties extends DeserializationProblemHandler {

        @Override
        public boolean handleUnknownProperty(DeserializationContext context, JsonParser parser, ValueDeserializer<?> deserializer,
                Object made, String name) {
            meetUnknown(context);
            parser.skipChildren();
            return true;
        }
    }

    private static void meetUnknown(DeserializationContext context) {
        if (context.getAttribute(Skim.class) instanceof Skim skim) {
            skim.hasMetUnknown = true;
        }
    }

    /** Any value: a null of it, such as that of a default, is a value, too, and is not written again. */
    private static final class Anything extends DelegatingDeserializer {

        Anything(ValueDeserializer<?> delegate) {
            super(delegate);
        }

        @Override
        protected ValueDeserializer<?> newDelegatingInstance(ValueDeserializer<?> delegate) {
            return new Anything(delegate);
        }

        @Override
        public @Nullable Object getNullValue(DeserializationContext context) {
            meetUnknown(context);
            return null;
        }
    }

    private static final class Projections extends ValueDeserializerModifier {

        private static final long serialVersionUID = 1L;

        @Override
        public ValueDeserializer<?> modifyDeserializer(
                DeserializationConfig config, BeanDescription.Supplier bean, ValueDeserializer<?> deserializer) {
            return FieldPaths.areOn(bean.getBeanClass()) ? new ProjectionDeserializer(bean.getBeanClass())
                    : bean.getBeanClass() == Object.class ? new Anything(deserializer) : deserializer;
        }
    }

    private static final class WrittenProjections extends ValueSerializerModifier {

        private static final long serialVersionUID = 1L;

        @Override
        public ValueSerializer<?> modifySerializer(SerializationConfig config, BeanDescription.Supplier bean,
                ValueSerializer<?> serializer) {
            return FieldPaths.areOn(bean.getBeanClass()) ? new ProjectionSerializer(bean.getBeanClass()) : serializer;
        }
    }

    /** Makes trees whose equal strings are one instance. */
    private static final class SharedNodes extends JsonNodeFactory {

        private static final long serialVersionUID = 1L;

        private final transient SharedStrings strings;

        SharedNodes(SharedStrings strings) {
            this.strings = strings;
        }

        @Override
        public StringNode stringNode(String text) {
            return super.stringNode(strings.share(text));
        }
    }

    /** Reads strings, equal ones as one instance. */
    private static final class SharedStringDeserializer extends StdScalarDeserializer<String> {

        private final SharedStrings strings;

        SharedStringDeserializer(SharedStrings strings) {
            super(String.class);
            this.strings = strings;
        }

        @Override
        public @Nullable String deserialize(JsonParser parser, DeserializationContext context) {
            return parser.hasToken(JsonToken.VALUE_STRING)
                    ? strings.share(parser.getString())
                    : StringDeserializer.instance.deserialize(parser, context);
        }

        @Override
        public Object getEmptyValue(DeserializationContext context) {
            return "";
        }

        /** The same for the keys of maps. */
        static final class Keys extends KeyDeserializer {

            private final SharedStrings strings;

            Keys(SharedStrings strings) {
                this.strings = strings;
            }

            @Override
            public Object deserializeKey(String key, DeserializationContext context) {
                return strings.share(key);
            }
        }
    }

    /** Writes a projection so that {@link ProjectionDeserializer} reads it: each component at its place in the object. */
    private static final class ProjectionSerializer extends StdSerializer<Object> {

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
}
