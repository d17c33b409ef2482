package io.reactiveinformer.internal.codec;

import com.google.gson.annotations.SerializedName;
import io.kubernetes.client.custom.IntOrString;
import io.kubernetes.client.custom.Quantity;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.lang.reflect.Field;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Makes bodies of model classes out of their fields. */
public final class ModelBodies {

    public enum Kind {
        /** Every field at every depth, save where a class is within itself. */
        FULL,
        /** As FULL, and in each object a field that the class does not know. */
        WITH_UNKNOWN_FIELDS,
        /** Every field is null, down to one level below the top: a zero value as a bookmark carries it. */
        NULLS
    }

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private final Kind kind;
    private int count;

    private ModelBodies(Kind kind) {
        this.kind = kind;
    }

    public static ObjectNode of(Class<?> model, Kind kind) {
        ObjectNode body = new ModelBodies(kind).object(model, List.of());
        ((ObjectNode) body.get("metadata")).put("name", "name-1").put("namespace", "space")
                .put("uid", "uid-1").put("resourceVersion", "4711");
        return body;
    }

    private ObjectNode object(Class<?> model, List<Class<?>> within) {
        ObjectNode object = JSON.objectNode();
        if (kind == Kind.WITH_UNKNOWN_FIELDS) {
            object.putObject("unknownField").putArray("a").add(1).addObject().putNull("metadata");
        }
        for (Field field : model.getDeclaredFields()) {
            SerializedName name = field.getAnnotation(SerializedName.class);
            boolean managedFields = model == V1ObjectMeta.class && field.getName().equals("managedFields");
            if (name != null && !managedFields) {
                JsonNode value = value(field.getGenericType(), plus(within, model));
                if (value != null) {
                    object.set(name.value(), value);
                }
            }
        }
        return object;
    }

    /** Null where a class would be within itself. */
    private JsonNode value(Type type, List<Class<?>> within) {
        if (type instanceof ParameterizedType generic) {
            Type[] arguments = generic.getActualTypeArguments();
            return kind == Kind.NULLS ? JSON.nullNode()
                    : generic.getRawType() == List.class ? list(arguments[0], within)
                    : generic.getRawType() == Map.class ? map(arguments[1], within)
                    : fail(type);
        }
        Class<?> plain = (Class<?>) type;
        if (plain.getPackageName().endsWith(".models")) {
            return within.contains(plain) ? null : kind == Kind.NULLS && within.size() > 1 ? JSON.nullNode() : object(plain, within);
        }
        return kind == Kind.NULLS ? JSON.nullNode() : scalar(plain);
    }

    private JsonNode list(Type element, List<Class<?>> within) {
        JsonNode value = value(element, within);
        ArrayNode array = JSON.arrayNode();
        return value == null ? null : array.add(value).add(value);
    }

    private JsonNode map(Type element, List<Class<?>> within) {
        JsonNode value = value(element, within);
        return value == null ? null : JSON.objectNode().set("example.com/key", value).set("é\"\\\n", value);
    }

    private JsonNode scalar(Class<?> type) {
        count++;
        if (type == String.class) {
            return JSON.stringNode(count % 7 == 0 ? "é€😀\"\\\n\u0001 " + count : "text-" + count % 5);
        }
        if (type == Integer.class) {
            return JSON.numberNode(count * 100);
        }
        if (type == Long.class) {
            return JSON.numberNode(9007199254740993L + count);
        }
        if (type == Double.class) {
            return JSON.numberNode(count + 0.25);
        }
        if (type == Boolean.class) {
            return JSON.booleanNode(count % 2 == 0);
        }
        if (type == OffsetDateTime.class) {
            return JSON.stringNode(count % 2 == 0 ? "2026-11-21T01:52:58Z" : "2026-11-21T01:52:58.123456+02:00");
        }
        if (type == Quantity.class) {
            return JSON.stringNode(List.of("100m", "1.5Gi", "0", "12e3", "-3").get(count % 5));
        }
        if (type == IntOrString.class) {
            return count % 2 == 0 ? JSON.numberNode(8080) : JSON.stringNode("25%");
        }
        if (type == byte[].class) {
            return JSON.stringNode("AP/+aGVsbG8=");
        }
        if (type == Object.class) {
            return JSON.objectNode().put("text", "t").set("list", JSON.arrayNode().add("a").add(true).addNull());
        }
        return fail(type);
    }

    private static JsonNode fail(Type type) {
        throw new IllegalStateException("the models have no " + type + " that is known here");
    }

    private static List<Class<?>> plus(List<Class<?>> classes, Class<?> another) {
        return Stream.concat(classes.stream(), Stream.<Class<?>>of(another)).toList();
    }
}
