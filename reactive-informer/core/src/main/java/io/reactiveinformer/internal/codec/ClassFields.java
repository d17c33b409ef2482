package io.reactiveinformer.internal.codec;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.BeanProperty;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.jsonFormatVisitors.JsonArrayFormatVisitor;
import tools.jackson.databind.jsonFormatVisitors.JsonBooleanFormatVisitor;
import tools.jackson.databind.jsonFormatVisitors.JsonFormatTypes;
import tools.jackson.databind.jsonFormatVisitors.JsonFormatVisitable;
import tools.jackson.databind.jsonFormatVisitors.JsonFormatVisitorWrapper;
import tools.jackson.databind.jsonFormatVisitors.JsonIntegerFormatVisitor;
import tools.jackson.databind.jsonFormatVisitors.JsonNumberFormatVisitor;
import tools.jackson.databind.jsonFormatVisitors.JsonObjectFormatVisitor;
import tools.jackson.databind.jsonFormatVisitors.JsonStringFormatVisitor;

/**
 * The JSON that a class is written as.
 *
 * @param form in the words of a schema: {@code object}, {@code array}, {@code string}, {@code integer}, {@code number}, {@code boolean};
 *     empty if it may be anything
 * @param properties of an object with fixed properties
 * @param items of an array, if they are known
 */
public record ClassFields(String form, Map<String, ClassFields> properties, @Nullable ClassFields items) {

    private static final ClassFields ANY = new ClassFields("", Map.of(), null);

    static ClassFields of(JsonMapper mapper, Class<?> type) {
        var visitor = new Visitor(List.of());
        mapper.acceptJsonFormatVisitor(type, visitor);
        return visitor.found;
    }

    private static ClassFields scalar(String form) {
        return new ClassFields(form, Map.of(), null);
    }

    /** Sees one value. */
    private static final class Visitor extends JsonFormatVisitorWrapper.Base {

        private final List<JavaType> outer;
        private ClassFields found = ANY;

        /** @param outer the classes around the value: one that contains itself may be anything there */
        Visitor(List<JavaType> outer) {
            this.outer = outer;
        }

        private ClassFields inner(JavaType around, JsonFormatVisitable value, JavaType type) {
            if (outer.contains(type)) {
                return ANY;
            }
            List<JavaType> more = new ArrayList<>(outer);
            more.add(around);
            var visitor = new Visitor(more);
            visitor.setContext(getContext());
            value.acceptJsonFormatVisitor(visitor, type);
            return visitor.found;
        }

        @Override
        public JsonObjectFormatVisitor expectObjectFormat(JavaType type) {
            Map<String, ClassFields> properties = new LinkedHashMap<>();
            found = new ClassFields("object", properties, null);
            return new JsonObjectFormatVisitor.Base(getContext()) {
                @Override
                public void property(BeanProperty property) {
                    optionalProperty(property);
                }

                @Override
                public void optionalProperty(BeanProperty property) {
                    JavaType inner = property.getType();
                    properties.put(property.getName(), inner(type, getContext().findPrimaryPropertySerializer(inner, property), inner));
                }
            };
        }

        @Override
        public JsonArrayFormatVisitor expectArrayFormat(JavaType type) {
            if (type.hasRawClass(byte[].class)) { // written in base64
                found = scalar("string");
                return new JsonArrayFormatVisitor.Base(getContext());
            }
            found = scalar("array");
            return new JsonArrayFormatVisitor.Base(getContext()) {
                @Override
                public void itemsFormat(JsonFormatVisitable handler, JavaType elementType) {
                    found = new ClassFields("array", Map.of(), inner(type, handler, elementType));
                }

                @Override
                public void itemsFormat(JsonFormatTypes format) {
                    found = new ClassFields("array", Map.of(), format == JsonFormatTypes.ANY ? ANY : scalar(format.value()));
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
