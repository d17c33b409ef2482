package io.reactiveinformer.apiserver.internal.server;

import io.reactiveinformer.apiserver.internal.cluster.Json;
import io.reactiveinformer.apiserver.internal.cluster.ResourceDefinition;
import io.reactiveinformer.apiserver.internal.cluster.Types;
import tools.jackson.databind.node.ObjectNode;

/**
 * The part of OpenAPI that makes clients leave validation to the server: the paths of each resource, with the parameter
 * {@code fieldValidation} on writes. No schemas.
 */
final class OpenApi {

    private OpenApi() {}

    static ObjectNode index(Types types) {
        ObjectNode index = Json.object();
        ObjectNode paths = index.putObject("paths");
        for (String group : types.groups()) {
            for (String version : types.versions(group)) {
                String path = group.isEmpty() ? "api/" + version : "apis/" + group + "/" + version;
                int hash = types.in(group, version).hashCode();
                paths.putObject(path).put("serverRelativeURL", "/openapi/v3/" + path + "?hash=" + Integer.toHexString(hash));
            }
        }
        return index;
    }

    static ObjectNode document(Types types, String group, String version) {
        ObjectNode document = Json.object().put("openapi", "3.0.0");
        document.putObject("info").put("title", "Kubernetes").put("version", "v1.36.2");
        ObjectNode paths = document.putObject("paths");
        String base = group.isEmpty() ? "/api/" + version : "/apis/" + group + "/" + version;
        for (ResourceDefinition type : types.in(group, version)) {
            String collection = base + (type.namespaced() ? "/namespaces/{namespace}/" : "/") + type.plural();
            operation(paths.putObject(collection), "post", type, version, "application/json");
            ObjectNode one = paths.putObject(collection + "/{name}");
            operation(one, "put", type, version, "application/json");
            operation(
                    one, "patch", type, version, "application/apply-patch+yaml", "application/json-patch+json",
                    "application/merge-patch+json");
        }
        document.putObject("components").putObject("schemas");
        return document;
    }

    private static void operation(ObjectNode path, String method, ResourceDefinition type, String version, String... contentTypes) {
        ObjectNode operation = path.putObject(method);
        operation.putObject("x-kubernetes-group-version-kind").put("group", type.group()).put("kind", type.kind()).put("version", version);
        operation.putArray("parameters").addObject().put("name", "fieldValidation").put("in", "query")
                .putObject("schema").put("type", "string");
        ObjectNode content = operation.putObject("requestBody").putObject("content");
        for (String contentType : contentTypes) {
            content.putObject(contentType);
        }
    }
}
