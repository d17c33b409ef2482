package io.reactiveinformer.apiserver.internal.admission;

import io.reactiveinformer.apiserver.ApiRequest;
import io.reactiveinformer.apiserver.internal.cluster.Admission.Attributes;
import io.reactiveinformer.apiserver.internal.cluster.Cluster;
import io.reactiveinformer.apiserver.internal.cluster.Json;
import io.reactiveinformer.apiserver.internal.cluster.ResourceDefinition;
import io.reactiveinformer.apiserver.internal.cluster.StoredObject;
import io.reactiveinformer.apiserver.internal.validation.Selectors;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A write, as the selectors and rules of webhooks and policies see it.
 *
 * @param object null if it is deleted
 */
record Matching(Cluster cluster, ApiRequest request, Attributes write, @Nullable ObjectNode object) {

    ResourceDefinition type() {
        return write.target().type();
    }

    /** The namespace of the object; null if it has none. */
    @Nullable StoredObject namespace() {
        String name = write.target().namespace();
        return name == null ? null : cluster.get(cluster.types().find("", "namespaces").orElseThrow(), null, name);
    }

    /** Whether the selectors for the object, as it is or was, and for its namespace select it. */
    boolean isSelected(JsonNode selectors) {
        StoredObject namespace = namespace();
        JsonNode labelled = !type().qualified().equals("namespaces") ? namespace == null ? null : namespace.tree()
                : object == null ? write.old() : object;
        return Stream.of(object, write.old()).anyMatch(each -> each != null && Selectors.matches(selectors.path("objectSelector"), each))
                && (labelled == null || Selectors.matches(selectors.path("namespaceSelector"), labelled));
    }

    /** Whether a rule is about this write in this version of its type. */
    boolean isFor(JsonNode rule, String version) {
        String part = write.target().subresource();
        return has(rule, "operations", write.operation(), "*") && has(rule, "apiGroups", type().group(), "*")
                && has(rule, "apiVersions", version, "*")
                && List.of("", "*", type().namespaced() ? "Namespaced" : "Cluster").contains(Json.text(rule, "scope"))
                && (part.isEmpty() ? has(rule, "resources", type().plural(), "*", "*/*")
                        : has(rule, "resources", type().plural() + "/" + part, "*/" + part, type().plural() + "/*", "*/*"));
    }

    static boolean has(JsonNode rule, String field, String... any) {
        return rule.path(field).valueStream().anyMatch(each -> List.of(any).contains(each.asString("")));
    }

    /** What webhooks and policies are told about the request, in this version of the type. */
    ObjectNode asked(String version, ObjectNode user) {
        ObjectNode asked = Json.object();
        for (boolean original : new boolean[] {false, true}) {
            ObjectNode kind = asked.putObject(original ? "requestKind" : "kind").put("group", type().group());
            ObjectNode resource = asked.putObject(original ? "requestResource" : "resource").put("group", type().group());
            kind.put("version", original ? request.version() : version).put("kind", type().kind());
            resource.put("version", original ? request.version() : version).put("resource", type().plural());
            if (!write.target().subresource().isEmpty()) {
                asked.put(original ? "requestSubResource" : "subResource", write.target().subresource());
            }
        }
        if (!write.target().name().isEmpty()) {
            asked.put("name", write.target().name());
        }
        if (write.target().namespace() != null) {
            asked.put("namespace", write.target().namespace());
        }
        asked.put("operation", write.operation()).put("dryRun", write.dryRun()).set("userInfo", user);
        return asked;
    }
}
