package io.reactiveinformer.apiserver.internal.validation;

import java.util.List;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** The rules of schemas in definitions: the types of fields and of items must be known, and of which kind their lists are. */
final class StructuralRules {

    private static final List<String> TYPES = List.of("array", "boolean", "integer", "number", "object", "string");

    private StructuralRules() {}

    /** The problems with their fields as the server calls them: what all versions have alike is a field of the specification. */
    static List<Problem> internal(JsonNode versions, List<Problem> problems) {
        List<String> alike = Stream.of("additionalPrinterColumns", "subresources", "selectableFields")
                .filter(field -> versions.valueStream().map(version -> version.path(field)).distinct().count() == 1).toList();
        return problems.stream().map(problem -> alike.stream()
                .filter(field -> problem.field().matches("spec\\.versions\\[\\d+]\\." + field + ".*")).findFirst()
                .map(field -> new Problem(problem.reason(), problem.message(), problem.field().replaceFirst("versions\\[\\d+]\\.", "")
                        .replace("jsonPath", "JSONPath"))).orElse(problem)).distinct().toList();
    }

    static void definition(Value object, boolean created) {
        Value spec = object.at("spec");
        List<Value> versions = spec.at("versions").items();
        Value name = object.at("metadata", "name");
        name.invalidIf(created && !name.has(spec.at("names", "plural").text() + "." + spec.at("group").text()),
                "must be spec.names.plural+\".\"+spec.group");
        spec.at("versions").invalidIf(versions.stream().filter(version -> version.at("storage").node().asBoolean(false)).count() != 1,
                "must have exactly one version marked as storage version");
        List<JsonNode> schemas = versions.stream().map(version -> version.at("schema", "openAPIV3Schema").node()).distinct().toList();
        if (schemas.size() == 1 && !schemas.get(0).isMissingNode()) { // the server itself has one schema then
            check(spec.at("validation", "openAPIV3Schema").with(schemas.get(0)), "at the root");
        } else {
            versions.forEach(version -> check(version.at("schema", "openAPIV3Schema"), "at the root"));
        }
    }

    private static void check(Value schema, String where) {
        if (!schema.isSet()) {
            schema.required("schemas are required");
            return;
        }
        Value type = schema.at("type");
        boolean free = Stream.of("x-kubernetes-int-or-string", "x-kubernetes-preserve-unknown-fields")
                .anyMatch(each -> schema.at(each).node().asBoolean(false));
        if (type.isEmpty() && !free) {
            type.required("must not be empty " + where);
        } else if (where.endsWith("root") && !type.isEmpty() && !type.has("object")) {
            type.invalid("must be object at the root");
        }
        type.oneOf(TYPES.toArray(String[]::new));
        Value list = schema.at("x-kubernetes-list-type");
        list.oneOf("atomic", "set", "map");
        if (list.isSet() && !type.has("array")) {
            if (type.isEmpty()) {
                type.required("must be array if x-kubernetes-list-type is specified");
            } else {
                type.invalid("must be array if x-kubernetes-list-type is specified");
            }
        }
        if (type.has("array") && !schema.at("items").isSet()) {
            schema.at("items").required("must be specified");
        } else if (schema.at("items").isSet()) {
            check(schema.at("items"), "for specified array items");
        }
        schema.at("properties").entries().forEach(property -> check(property, "for specified object fields"));
        if (schema.at("additionalProperties").node().isObject()) {
            check(schema.at("additionalProperties"), "for specified object fields");
        }
    }
}
