package io.reactiveinformer.apiserver.internal.admission;

import io.reactiveinformer.apiserver.ApiRequest;
import io.reactiveinformer.apiserver.internal.cluster.Admission.Attributes;
import io.reactiveinformer.apiserver.internal.cluster.Cluster;
import io.reactiveinformer.apiserver.internal.cluster.Json;
import io.reactiveinformer.apiserver.internal.cluster.ObjectForm;
import io.reactiveinformer.apiserver.internal.cluster.ResourceDefinition;
import io.reactiveinformer.apiserver.internal.cluster.StoredObject;
import io.reactiveinformer.apiserver.internal.validation.Selectors;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.NullNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A request as policies and webhooks see it.
 *
 * @param user who sends the request: {@code username} and {@code groups}
 */
record AdmissionRequest(Cluster cluster, ApiRequest request, ObjectNode user) {

    /**
     * The version for which one of the rules is about a write: that of the request, or an equivalent one; empty if there is none.
     *
     * @param matchPolicy where it stands whether equivalent versions count
     */
    String version(JsonNode rules, JsonNode matchPolicy, Attributes write) {
        boolean exact = Json.text(matchPolicy, "matchPolicy").equals("Exact");
        return Stream.concat(Stream.of(request.version()), exact ? Stream.empty() : write.target().type().versions().stream())
                .filter(version -> rules.valueStream().anyMatch(rule -> isFor(rule, write, version))).findFirst().orElse("");
    }

    private static boolean isFor(JsonNode rule, Attributes write, String version) {
        ResourceDefinition type = write.target().type();
        String part = write.target().subresource();
        return has(rule, "operations", write.operation(), "*") && has(rule, "apiGroups", type.group(), "*")
                && has(rule, "apiVersions", version, "*")
                && List.of("", "*", type.namespaced() ? "Namespaced" : "Cluster").contains(Json.text(rule, "scope"))
                && (rule.path("resourceNames").isEmpty() || has(rule, "resourceNames", write.target().name()))
                && (part.isEmpty() ? has(rule, "resources", type.plural(), "*", "*/*")
                        : has(rule, "resources", type.plural() + "/" + part, "*/" + part, type.plural() + "/*", "*/*"));
    }

    private static boolean has(JsonNode rule, String field, String... any) {
        return rule.path(field).valueStream().anyMatch(each -> List.of(any).contains(each.asString("")));
    }

    /** Whether a write is chosen by {@code namespaceSelector} and {@code objectSelector}. */
    boolean isSelected(JsonNode selectors, Attributes write, @Nullable JsonNode object) {
        JsonNode labelled = isNamespace(write) ? object == null ? write.old() : object : namespace(write);
        return (labelled == null || labelled.isNull() || Selectors.matches(selectors.path("namespaceSelector"), labelled))
                && Stream.of(object, write.old())
                        .anyMatch(each -> each != null && Selectors.matches(selectors.path("objectSelector"), each));
    }

    private static boolean isNamespace(Attributes write) {
        return write.target().type().qualified().equals("namespaces");
    }

    /** The namespace of the written object; a null node for none. */
    private JsonNode namespace(Attributes write) {
        String name = write.target().namespace();
        StoredObject found = name == null ? null : cluster.get(cluster.types().find("", "namespaces").orElseThrow(), null, name);
        return found == null ? NullNode.instance : found.tree();
    }

    /** The {@code request} of a review in this version, without the objects and without a uid. */
    ObjectNode review(Attributes write, String version) {
        ResourceDefinition type = write.target().type();
        ObjectNode asked = Json.object();
        for (boolean original : new boolean[] {false, true}) {
            ObjectNode kind = asked.putObject(original ? "requestKind" : "kind").put("group", type.group());
            ObjectNode resource = asked.putObject(original ? "requestResource" : "resource").put("group", type.group());
            kind.put("version", original ? request.version() : version).put("kind", type.kind());
            resource.put("version", original ? request.version() : version).put("resource", type.plural());
            put(asked, original ? "requestSubResource" : "subResource", write.target().subresource());
        }
        put(asked, "name", write.target().name());
        put(asked, "namespace", isNamespace(write) ? write.target().name() : write.target().namespace());
        asked.put("operation", write.operation()).set("userInfo", user);
        asked.put("dryRun", write.dryRun()).set("options", options(write));
        return asked;
    }

    private static void put(ObjectNode object, String field, @Nullable String text) {
        if (text != null && !text.isEmpty()) {
            object.put(field, text);
        }
    }

    private ObjectNode options(Attributes write) {
        String verb = write.operation().charAt(0) + write.operation().substring(1).toLowerCase(java.util.Locale.ROOT);
        ObjectNode options = Json.object();
        if (verb.equals("Delete") && request.body() instanceof ObjectNode body) {
            options.setAll(body);
        }
        options.put("kind", verb + "Options").put("apiVersion", "meta.k8s.io/v1");
        List.of("fieldManager", "fieldValidation", "propagationPolicy").forEach(each -> put(options, each, request.query().text(each)));
        if (write.dryRun()) {
            options.putArray("dryRun").add("All");
        }
        return options;
    }

    /** The object in this version; a null node for none. */
    static JsonNode inVersion(Attributes write, @Nullable ObjectNode object, String version) {
        return object == null ? NullNode.instance : ObjectForm.inVersion(write.target().type(), object, version);
    }

    /** The variables of expressions about a write. */
    Map<String, JsonNode> variables(Attributes write, @Nullable ObjectNode object, String version, JsonNode params) {
        return new HashMap<>(Map.of("object", inVersion(write, object, version), "oldObject", inVersion(write, write.old(), version),
                "request", review(write, version), "params", params, "namespaceObject", namespace(write)));
    }
}
