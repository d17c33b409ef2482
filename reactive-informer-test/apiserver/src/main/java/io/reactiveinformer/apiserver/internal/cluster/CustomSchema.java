package io.reactiveinformer.apiserver.internal.cluster;

import io.reactiveinformer.apiserver.internal.validation.Problem;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The rules of a definition's {@code openAPIV3Schema}: unknown fields are dropped ({@link SchemaPruning}), defaults are filled in, and
 * values are checked ({@link SchemaValidation}). The schema is that of the version in which the object is written; without a schema there
 * are no rules.
 *
 * @see <a href="https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#field-pruning">Field
 *     pruning</a>
 */
public final class CustomSchema {

    static final Set<String> OF_EVERY_OBJECT = Set.of("apiVersion", "kind", "metadata");
    static final String PRESERVES = "x-kubernetes-preserve-unknown-fields";
    static final String EMBEDDED = "x-kubernetes-embedded-resource";

    /** Reasons for which the rules of a schema are not checked. */
    private static final Set<String> BLOCKING = Set.of("FieldValueNotSupported", "FieldValueRequired",
            "FieldValueTooLong", "FieldValueTooMany", "FieldValueTypeInvalid");

    private CustomSchema() {}

    /** The schema of the version in which {@code tree} is written; empty if there is none. */
    static JsonNode of(ResourceDefinition type, JsonNode tree) {
        CustomType.Version version = version(type, tree);
        return version == null ? Json.object() : version.schema();
    }

    private static CustomType.@Nullable Version version(ResourceDefinition type, JsonNode tree) {
        String apiVersion = Json.text(tree, "apiVersion");
        return type.custom(apiVersion.substring(apiVersion.indexOf('/') + 1));
    }

    /** Drops the fields that the schema does not know, and returns their paths, such as {@code spec.foo}. */
    public static List<String> prune(ResourceDefinition type, ObjectNode tree) {
        JsonNode schema = of(type, tree);
        return schema.isEmpty() ? List.of() : SchemaPruning.prune(schema, tree);
    }

    /** Prepares an object that a client sent: drops unknown fields and fills in defaults. */
    static void settle(ResourceDefinition type, ObjectNode tree) {
        prune(type, tree);
        settle(of(type, tree), tree, true);
    }

    /**
     * Converts an object that a client sent to {@code version}: by the webhook of its type; without one only the {@code apiVersion}
     * changes. Fields that the version does not know are lost.
     */
    static ObjectNode convert(ResourceDefinition type, ObjectNode tree, String version) {
        String apiVersion = type.apiVersion(version);
        if (!type.isCustom() || Json.text(tree, "apiVersion").equals(apiVersion)) {
            return tree;
        }
        ObjectNode converted = changed(type, tree, apiVersion);
        settle(type, converted);
        return converted;
    }

    private static ObjectNode changed(ResourceDefinition type, ObjectNode tree, String apiVersion) {
        Conversion conversion = type.conversion();
        return conversion == null ? tree.deepCopy().put("apiVersion", apiVersion) : conversion.convert(tree, apiVersion);
    }

    /**
     * Converts a stored object to {@code version}: with the defaults of the stored version, and without fields that the shown version does
     * not know.
     */
    static ObjectNode read(ResourceDefinition type, ObjectNode tree, String version) {
        settle(type, tree);
        ObjectNode shown = changed(type, tree, type.apiVersion(version));
        prune(type, shown);
        return shown;
    }

    /** Sees to it that all of these can be read, by one call of the webhook at most. */
    public static void prepare(ResourceDefinition type, List<StoredObject> objects, String version) {
        Conversion conversion = type.conversion();
        if (conversion != null) {
            conversion.prepare(objects.stream().filter(object -> !object.isShownAsStored(version))
                    .map(StoredObject::settledTree).toList(), type.apiVersion(version));
        }
    }

    private static void settle(JsonNode schema, JsonNode value, boolean isObject) {
        if (value instanceof ObjectNode object) {
            List.copyOf(object.propertyNames()).stream()
                    .filter(name -> object.path(name).isNull() && mayNotBeNull(field(schema, name)))
                    .forEach(object::remove);
            for (Map.Entry<String, JsonNode> property : schema.path("properties").properties()) {
                JsonNode otherwise = property.getValue().get("default");
                if (otherwise != null && !object.has(property.getKey())) {
                    object.set(property.getKey(), otherwise.deepCopy());
                }
            }
            for (Map.Entry<String, JsonNode> property : object.properties()) {
                if (!isObject || !OF_EVERY_OBJECT.contains(property.getKey())) {
                    JsonNode field = field(schema, property.getKey());
                    settle(field, property.getValue(), field.path(EMBEDDED).asBoolean(false));
                }
            }
        } else {
            for (JsonNode element : value) {
                settle(schema.path("items"), element, schema.path("items").path(EMBEDDED).asBoolean(false));
            }
        }
    }

    /** Whether a null counts as a missing value. Where the schema has no rule, any value is allowed. */
    private static boolean mayNotBeNull(JsonNode schema) {
        return schema.isObject() && !schema.path("nullable").asBoolean(false);
    }

    /** The schema of a field; missing if there is none. */
    static JsonNode field(JsonNode schema, String name) {
        JsonNode property = schema.path("properties").path(name);
        return property.isMissingNode() ? schema.path("additionalProperties") : property;
    }

    /**
     * Checks the values of an object.
     *
     * @param subresource for {@code status} only the status is checked
     * @param old null for a creation
     * @param warnings gets what was wrong before
     * @throws ApiFailure 422 if a value is not allowed, and was not so before
     */
    static void check(ResourceDefinition type, String subresource, @Nullable JsonNode old, JsonNode tree, Consumer<String> warnings) {
        List<Problem> causes = subresource.equals("status")
                ? SchemaValidation.checkField(of(type, tree), subresource, old, tree)
                : SchemaValidation.check(of(type, tree), old, tree);
        CustomType.Version version = version(type, tree);
        if (version != null && causes.stream().noneMatch(cause -> BLOCKING.contains(cause.reason()))) {
            version.rules().check(old == null ? MissingNode.getInstance() : old, tree).forEach(cause -> {
                if (cause.reason().isEmpty()) {
                    warnings.accept(cause.field() + ": " + cause.message());
                } else {
                    causes.add(cause);
                }
            });
        } else if (version != null && version.rules().isPresent()) {
            causes.add(new Problem("FieldValueInvalid", "Invalid value: null: some validation rules were not checked because the"
                    + " object was invalid; correct the existing errors to complete validation", "<nil>"));
        }
        if (!causes.isEmpty()) {
            throw ApiFailure.invalid(type.group(), type.kind(), Json.text(tree, "metadata", "name"), causes);
        }
    }
}
