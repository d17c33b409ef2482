package io.reactiveinformer.internal.codec;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.BeanProperty;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.jsonFormatVisitors.JsonArrayFormatVisitor;
import tools.jackson.databind.jsonFormatVisitors.JsonBooleanFormatVisitor;
import tools.jackson.databind.jsonFormatVisitors.JsonFormatTypes;
import tools.jackson.databind.jsonFormatVisitors.JsonFormatVisitable;
import tools.jackson.databind.jsonFormatVisitors.JsonFormatVisitorWrapper;
import tools.jackson.databind.jsonFormatVisitors.JsonIntegerFormatVisitor;
import tools.jackson.databind.jsonFormatVisitors.JsonMapFormatVisitor;
import tools.jackson.databind.jsonFormatVisitors.JsonNumberFormatVisitor;
import tools.jackson.databind.jsonFormatVisitors.JsonObjectFormatVisitor;
import tools.jackson.databind.jsonFormatVisitors.JsonStringFormatVisitor;
import tools.jackson.databind.ser.BeanPropertyWriter;

/**
 * The JSON that a class is written as. A class that contains itself has itself among its properties.
 *
 * @param form in the words of a schema: {@code object}, {@code array}, {@code string}, {@code integer}, {@code number}, {@code boolean};
 *     empty if it may be anything
 * @param properties of an object with fixed properties
 * @param items of an array, if they are known
 * @param values of a map, if they are known
 * @param model whether the class is one of the client library's models
 */
public record ClassFields(String form, Map<String, ClassFields> properties, @Nullable ClassFields items, @Nullable ClassFields values,
        boolean model) {

    private static final ClassFields ANY = scalar("");
    private static final String MODELS = "io.kubernetes.client.";

    static ClassFields of(JsonMapper mapper, Class<?> type) {
        var visitor = new Visitor(new HashMap<>());
        mapper.acceptJsonFormatVisitor(type, visitor);
        return visitor.found;
    }

    private static ClassFields scalar(String form) {
        return new ClassFields(form, Map.of(), null, null, false);
    }

    private static ClassFields scalar(JsonFormatTypes form) {
        return form == JsonFormatTypes.ANY ? ANY : scalar(form.value());
    }

    /** Sees one value. */
    private static final class Visitor extends JsonFormatVisitorWrapper.Base {

        /** Each class is looked at once, since classes may contain each other, or themselves. */
        private final Map<JavaType, ClassFields> seen;
        private ClassFields found = ANY;

        Visitor(Map<JavaType, ClassFields> seen) {
            this.seen = seen;
        }

        private ClassFields inner(JsonFormatVisitable value, JavaType type) {
            var visitor = new Visitor(seen);
            visitor.setContext(getContext());
            value.acceptJsonFormatVisitor(visitor, type);
            return visitor.found;
        }

        /** Whether objects of other classes may be there, with other properties. */
        private static boolean isOpen(JavaType type) {
            Class<?> raw = type.getRawClass();
            return raw == Object.class || type.isAbstract() || raw.isAnnotationPresent(JsonTypeInfo.class);
        }

        @Override
        public @Nullable JsonObjectFormatVisitor expectObjectFormat(JavaType type) {
            ClassFields known = seen.get(type);
            if (known != null || isOpen(type)) {
                found = known == null ? ANY : known;
                return null;
            }
            Map<String, ClassFields> properties = new LinkedHashMap<>();
            found = new ClassFields("object", properties, null, null, type.getRawClass().getName().startsWith(MODELS));
            seen.put(type, found);
            return new JsonObjectFormatVisitor.Base(getContext()) {
                @Override
                public void property(BeanProperty property) {
                    optionalProperty(property);
                }

                @Override
                public void optionalProperty(BeanProperty property) {
                    ValueSerializer<?> own = property instanceof BeanPropertyWriter writer ? writer.getSerializer() : null;
                    ValueSerializer<?> serializer =
                            own == null ? getContext().findPrimaryPropertySerializer(property.getType(), property) : own;
                    properties.put(property.getName(), inner(serializer, property.getType()));
                }
            };
        }

        @Override
        public JsonMapFormatVisitor expectMapFormat(JavaType type) {
            found = scalar("object");
            return new JsonMapFormatVisitor.Base(getContext()) {
                @Override
                public void valueFormat(JsonFormatVisitable handler, JavaType valueType) {
                    found = new ClassFields("object", Map.of(), null, inner(handler, valueType), false);
                }
            };
        }

        @Override
        public JsonArrayFormatVisitor expectArrayFormat(JavaType type) {
            found = scalar(type.hasRawClass(byte[].class) ? "string" : "array"); // bytes are written in base64
            return new JsonArrayFormatVisitor.Base(getContext()) {
                @Override
                public void itemsFormat(JsonFormatVisitable handler, JavaType elementType) {
                    found = new ClassFields("array", Map.of(), inner(handler, elementType), null, false);
                }

                @Override
                public void itemsFormat(JsonFormatTypes format) {
                    if (!type.hasRawClass(byte[].class)) {
                        found = new ClassFields("array", Map.of(), scalar(format), null, false);
                    }
                }
            };
        }

        @Override
        public JsonStringFormatVisitor expectStringFormat(JavaType type) {
            found = scalar("string");
            return new JsonStringFormatVisitor.Base();
        }

        @Override
        public JsonIntegerFormatVisitor expectIntegerFormat(JavaType type) {
            found = scalar("integer");
            return new JsonIntegerFormatVisitor.Base();
        }

        @Override
        public JsonNumberFormatVisitor expectNumberFormat(JavaType type) {
            found = scalar("number");
            return new JsonNumberFormatVisitor.Base();
        }

        @Override
        public JsonBooleanFormatVisitor expectBooleanFormat(JavaType type) {
            found = scalar("boolean");
            return new JsonBooleanFormatVisitor.Base();
        }
    }
}
