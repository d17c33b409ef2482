package io.reactiveinformer.apiserver.internal.cel;

import com.google.common.collect.ImmutableCollection;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypeProvider;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.StructType;
import dev.cel.common.values.CelByteString;
import dev.cel.common.values.NullValue;
import dev.cel.runtime.RuntimeHelpers;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Base64;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The types that expressions see for a schema, and the values of these types. */
@SuppressWarnings("Immutable") // complete before expressions are compiled with it
final class SchemaTypes implements CelTypeProvider {

    private static final Set<String> RESERVED = Set.of("true", "false", "null", "in", "as", "break", "const", "continue", "else", "for",
            "function", "if", "import", "let", "loop", "package", "namespace", "return", "var", "void", "while");
    private static final Pattern ESCAPED = Pattern.compile("__|[-./]");
    private static final Map<String, String> ESCAPES = Map.of("__", "underscores", ".", "dot", "-", "dash", "/", "slash");
    private static final ObjectNode TEXT = JsonNodeFactory.instance.objectNode().put("type", "string");

    private final IdentityHashMap<JsonNode, Optional<CelType>> types = new IdentityHashMap<>();
    private final Map<String, CelType> structs = new LinkedHashMap<>();

    @Override
    public ImmutableCollection<CelType> types() {
        return ImmutableList.copyOf(structs.values());
    }

    @Override
    public Optional<CelType> findType(String name) {
        return Optional.ofNullable(structs.get(name));
    }

    void add(StructType struct) {
        structs.put(struct.name(), struct);
    }

    /** The type of a schema; none if expressions cannot see its values. */
    Optional<CelType> of(JsonNode schema, String name) {
        Optional<CelType> known = types.get(schema);
        if (known == null) {
            known = type(schema, name);
            types.put(schema, known);
        }
        return known;
    }

    private Optional<CelType> type(JsonNode schema, String name) {
        if (schema.path("x-kubernetes-int-or-string").asBoolean(false)) {
            return Optional.of(SimpleType.DYN);
        }
        return switch (schema.path("type").asString("")) {
            case "array" -> of(schema.path("items"), name + ".@idx").map(ListType::create);
            case "object" -> schema.path("additionalProperties").isObject()
                    ? of(schema.path("additionalProperties"), name + ".@elem").map(values -> MapType.create(SimpleType.STRING, values))
                    : Optional.of(struct(schema, name));
            case "string" -> Optional.of(switch (schema.path("format").asString("")) {
                case "byte" -> SimpleType.BYTES;
                case "duration" -> SimpleType.DURATION;
                case "date", "date-time" -> SimpleType.TIMESTAMP;
                default -> SimpleType.STRING;
            });
            case "boolean" -> Optional.of(SimpleType.BOOL);
            case "number" -> Optional.of(SimpleType.DOUBLE);
            case "integer" -> Optional.of(SimpleType.INT);
            default -> Optional.empty();
        };
    }

    private CelType struct(JsonNode schema, String name) {
        Map<String, CelType> fields = new LinkedHashMap<>();
        schema.path("properties").properties().forEach(property -> of(property.getValue(), name + "." + property.getKey())
                .ifPresent(type -> name(schema, property.getKey()).ifPresent(field -> fields.put(field, type))));
        CelType struct = StructType.create(name, ImmutableSet.copyOf(fields.keySet()), field -> Optional.ofNullable(fields.get(field)));
        structs.put(name, struct);
        return struct;
    }

    /** A copy of a schema in which whole objects, as its root is one, have their type and their name. */
    static ObjectNode prepared(JsonNode schema) {
        ObjectNode copy = schema.deepCopy().asObject();
        List<JsonNode> objects = new ArrayList<>(copy.findParents("x-kubernetes-embedded-resource"));
        objects.add(copy);
        for (JsonNode each : objects) {
            ObjectNode fields = each.asObject().withObjectProperty("properties");
            fields.set("kind", TEXT);
            fields.set("apiVersion", TEXT);
            ObjectNode named = fields.putObject("metadata").put("type", "object").putObject("properties");
            named.set("name", TEXT);
            named.set("generateName", TEXT);
        }
        return copy;
    }

    /** The name of a field in expressions; none if they cannot name it. Only those of definitions are escaped. */
    private static Optional<String> name(JsonNode schema, String name) {
        return schema.has("x-own-names") ? Optional.of(name) : RESERVED.contains(name) ? Optional.of("__" + name + "__")
                : name.matches("[a-zA-Z_./-][a-zA-Z0-9_./-]*") ? Optional.of(ESCAPED.matcher(name)
                        .replaceAll(part -> "__" + ESCAPES.get(part.group()) + "__"))
                : Optional.empty();
    }

    /** What expressions see of a value; all of it where the schema says nothing. */
    static Object value(JsonNode schema, JsonNode value) {
        return switch (value.getNodeType()) {
            case OBJECT -> object(schema, value);
            case ARRAY -> value.valueStream().map(item -> value(schema.path("items"), item)).toList();
            case STRING -> text(schema.path("format").asString(""), value.asString());
            case BOOLEAN -> value.asBoolean();
            case NUMBER -> value.isIntegralNumber() && !schema.path("type").asString("").equals("number")
                    ? (Object) value.asLong() : (Object) value.asDouble();
            default -> NullValue.NULL_VALUE;
        };
    }

    private static Map<String, Object> object(JsonNode schema, JsonNode value) {
        Map<String, Object> fields = new LinkedHashMap<>();
        boolean named = schema.has("properties") && !schema.path("additionalProperties").isObject();
        value.properties().forEach(field -> {
            JsonNode known = named ? schema.path("properties").path(field.getKey()) : schema.path("additionalProperties");
            if (!named || !known.isMissingNode() && !field.getValue().isNull()) {
                (named ? name(schema, field.getKey()) : Optional.of(field.getKey())).ifPresent(name ->
                        fields.put(name, value(known, field.getValue())));
            }
        });
        return fields;
    }

    private static Object text(String format, String text) {
        try {
            return switch (format) {
                case "byte" -> CelByteString.of(Base64.getDecoder().decode(text));
                case "duration" -> RuntimeHelpers.createJavaDurationFromString(text);
                case "date" -> LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant();
                case "date-time" -> OffsetDateTime.parse(text).toInstant();
                default -> text;
            };
        } catch (IllegalArgumentException | DateTimeException notOfThisFormat) {
            return text;
        }
    }
}
