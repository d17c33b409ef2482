package io.reactiveinformer.apiserver.internal.server;

import io.reactiveinformer.apiserver.internal.cluster.CustomType;
import io.reactiveinformer.apiserver.internal.cluster.Json;
import io.reactiveinformer.apiserver.internal.cluster.ResourceDefinition;
import io.reactiveinformer.apiserver.internal.cluster.Types;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * OpenAPI documents, version 3: the schemas of the types, and the paths of each resource as far as clients look at them, with the parameter
 * {@code fieldValidation} on writes, which makes clients leave validation to the server.
 *
 * @see <a href="https://kubernetes.io/docs/concepts/overview/kubernetes-api/#openapi-v3">OpenAPI v3</a>
 */
final class OpenApi {

    private static final String SCHEMAS = "#/components/schemas/";
    private static final List<String> PATHS_WITHOUT_TYPES =
            List.of(".well-known/openid-configuration", "apis", "openid/v1/jwks", "version");
    private static final String META = "io.k8s.apimachinery.pkg.apis.meta.v1.";
    private static final String KINDS = "x-kubernetes-group-version-kind";
    private static final String CONVENTIONS =
            "More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md";

    /** The schemas of the built-in types by name; read when a document is asked for first. */
    private static final class BuiltIn {
        static final ObjectNode SCHEMAS = (ObjectNode) Json.read(Columns.resource("schemas.json.gz"));
    }

    private OpenApi() {}

    static ObjectNode index(Types types) {
        ObjectNode index = Json.object();
        ObjectNode paths = index.putObject("paths");
        PATHS_WITHOUT_TYPES.forEach(path -> add(paths, path, 0));
        for (String group : types.groups()) {
            String base = group.isEmpty() ? "api" : "apis/" + group;
            types.versions(group).forEach(version -> add(paths, base + "/" + version, types.in(group, version).hashCode()));
            if (types.versions(group).stream().flatMap(version -> types.in(group, version).stream()).noneMatch(ResourceDefinition::isCustom)) {
                add(paths, base, 0);
            }
        }
        return index;
    }

    private static void add(ObjectNode paths, String path, int hash) {
        paths.putObject(path).put("serverRelativeURL", "/openapi/v3/" + path + "?hash=" + Integer.toHexString(hash));
    }

    /** A document that describes no types. */
    static ObjectNode document() {
        ObjectNode document = Json.object().put("openapi", "3.0.0");
        document.putObject("info").put("title", "Kubernetes").put("version", "v1.36.2");
        document.putObject("paths");
        return document;
    }

    static ObjectNode document(Types types, String group, String version) {
        ObjectNode document = document();
        ObjectNode paths = (ObjectNode) document.path("paths");
        ObjectNode schemas = document.putObject("components").putObject("schemas");
        String base = group.isEmpty() ? "/api/" + version : "/apis/" + group + "/" + version;
        for (ResourceDefinition type : types.in(group, version)) {
            String collection = base + (type.namespaced() ? "/namespaces/{namespace}/" : "/") + type.plural();
            operation(paths.putObject(collection), "post", type, version, "application/json");
            ObjectNode one = paths.putObject(collection + "/{name}");
            operation(one, "put", type, version, "application/json");
            operation(one, "patch", type, version, "application/apply-patch+yaml", "application/json-patch+json",
                    "application/merge-patch+json", type.isCustom() ? "" : "application/strategic-merge-patch+json");
            CustomType.Version custom = type.custom(version);
            if (custom != null) {
                addCustom(schemas, type, custom);
            } else {
                add(schemas, group, version, type.kind());
                add(schemas, group, version, type.listKind());
                add(schemas, META + "APIResourceList");
            }
            type.subresources().values().forEach(part ->
                    add(schemas, part.group().isEmpty() ? group : part.group(), part.group().isEmpty() ? version : part.version(),
                            part.kind()));
            if (type.verbs().contains("delete")) {
                List.of("DeleteOptions", "Patch", "Status", type.isCustom() ? "Status" : "WatchEvent")
                        .forEach(name -> add(schemas, META + name));
            }
        }
        return document;
    }

    private static void operation(ObjectNode path, String method, ResourceDefinition type, String version, String... contentTypes) {
        ObjectNode operation = path.putObject(method);
        operation.set(KINDS, kind(type, type.kind(), version));
        operation.putArray("parameters").addObject().put("name", "fieldValidation").put("in", "query")
                .putObject("schema").put("type", "string");
        ObjectNode content = operation.putObject("requestBody").putObject("content");
        Arrays.stream(contentTypes).filter(contentType -> !contentType.isEmpty()).forEach(content::putObject);
    }

    private static ObjectNode kind(ResourceDefinition type, String kind, String version) {
        return Json.object().put("group", type.group()).put("kind", kind).put("version", version);
    }

    private static void add(ObjectNode schemas, String group, String version, String kind) {
        ObjectNode wanted = Json.object().put("group", group).put("kind", kind).put("version", version);
        BuiltIn.SCHEMAS.properties().stream()
                .filter(schema -> schema.getValue().path(KINDS).valueStream().anyMatch(wanted::equals))
                .forEach(schema -> add(schemas, schema.getKey()));
    }

    /** Adds a built-in schema, and all that it refers to. */
    private static void add(ObjectNode schemas, String name) {
        JsonNode schema = BuiltIn.SCHEMAS.path(name);
        if (!schemas.has(name) && schema.isObject()) {
            schemas.set(name, schema);
            schema.findValues("$ref").stream().filter(JsonNode::isString)
                    .forEach(ref -> add(schemas, ref.asString().substring(SCHEMAS.length())));
        }
    }

    /** Adds the schemas of a custom type and of its lists, as the real server derives them from the definition. */
    private static void addCustom(ObjectNode schemas, ResourceDefinition type, CustomType.Version version) {
        List<String> domain = Arrays.asList(type.group().split("\\.", -1));
        Collections.reverse(domain);
        String name = String.join(".", domain) + "." + version.name() + "." + type.kind();
        ObjectNode schema = version.schema().isObject() ? (ObjectNode) version.schema().deepCopy() : Json.object().put("type", "object");
        if (version.schema().isObject()) {
            unfold(schema);
            ObjectNode own = Json.child(schema, "properties");
            own.set("apiVersion", typeMeta("apiVersion"));
            own.set("kind", typeMeta("kind"));
            own.set("metadata", metadata("Standard object's metadata. " + CONVENTIONS + "#metadata", "ObjectMeta"));
        }
        schemas.set(name, mark(schema, type, type.kind(), version));
        ObjectNode list = schemas.putObject(name.substring(0, name.length() - type.kind().length()) + type.listKind());
        list.put("description", type.listKind() + " is a list of " + type.kind()).put("type", "object").putArray("required").add("items");
        ObjectNode properties = list.putObject("properties");
        properties.set("apiVersion", typeMeta("apiVersion"));
        properties.putObject("items").put("description", "List of " + type.plural() + ". " + CONVENTIONS)
                .put("type", "array").putObject("items").put("$ref", SCHEMAS + name);
        properties.set("kind", typeMeta("kind"));
        properties.set("metadata", metadata("Standard list metadata. " + CONVENTIONS + "#types-kinds", "ListMeta"));
        mark(list, type, type.listKind(), version);
        add(schemas, META + "ObjectMeta");
        add(schemas, META + "ListMeta");
    }

    private static ObjectNode mark(ObjectNode schema, ResourceDefinition type, String kind, CustomType.Version version) {
        schema.putArray(KINDS).add(kind(type, kind, version.name()));
        if (!type.selectableFields().isEmpty()) {
            var fields = schema.putArray("x-kubernetes-selectable-fields");
            type.selectableFields().forEach(field -> fields.addObject().put("fieldPath", field));
        }
        return schema;
    }

    private static JsonNode typeMeta(String field) {
        return BuiltIn.SCHEMAS.path("io.k8s.api.core.v1.Pod").path("properties").path(field);
    }

    private static ObjectNode metadata(String description, String schema) {
        ObjectNode metadata = Json.object().put("description", description);
        metadata.putArray("allOf").addObject().put("$ref", SCHEMAS + META + schema);
        return metadata;
    }

    /** Adds what the markers of a schema stand for: the fields of an embedded object, the types of a number or text. */
    private static void unfold(ObjectNode schema) {
        for (JsonNode property : schema.path("properties")) {
            unfold((ObjectNode) property);
        }
        for (String inner : List.of("items", "additionalProperties")) {
            if (schema.get(inner) instanceof ObjectNode nested) {
                unfold(nested);
            }
        }
        if (schema.path("x-kubernetes-int-or-string").asBoolean(false) && !schema.has("anyOf") && !schema.has("allOf")) {
            schema.putArray("anyOf").add(Json.object().put("type", "integer")).add(Json.object().put("type", "string"));
        }
        if (schema.path("x-kubernetes-embedded-resource").asBoolean(false)) {
            ObjectNode own = Json.child(schema, "properties");
            own.set("apiVersion", ((ObjectNode) typeMeta("apiVersion").deepCopy()).put("description", "apiVersion defines the versioned "
                    + "schema of this representation of an object. " + CONVENTIONS + "#resources"));
            own.set("kind", ((ObjectNode) typeMeta("kind").deepCopy()).put("description", "kind is a string value representing the type "
                    + "of this object. In CamelCase. " + CONVENTIONS + "#types-kinds"));
            own.set("metadata", metadata("Standard object's metadata. " + CONVENTIONS + "#metadata", "ObjectMeta"));
            var required = schema.withArray("required");
            List.of("kind", "apiVersion").stream().filter(field -> required.valueStream().noneMatch(each -> each.asString().equals(field)))
                    .forEach(required::add);
        }
    }
}
