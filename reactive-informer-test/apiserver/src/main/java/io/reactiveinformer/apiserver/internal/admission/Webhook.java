package io.reactiveinformer.apiserver.internal.admission;

import io.reactiveinformer.apiserver.internal.cluster.Admission.Attributes;
import io.reactiveinformer.apiserver.internal.cluster.ApiFailure;
import io.reactiveinformer.apiserver.internal.cluster.Cluster;
import io.reactiveinformer.apiserver.internal.cluster.Json;
import io.reactiveinformer.apiserver.internal.cluster.ResourceDefinition;
import io.reactiveinformer.apiserver.internal.cluster.StoredObject;
import io.reactiveinformer.apiserver.internal.validation.Selectors;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A webhook of a configuration: which writes it is called for, and what its replies mean. */
record Webhook(String configuration, boolean mutating, JsonNode json) {

    /** Subresources whose objects have another kind, and about which webhooks are not asked here. */
    private static final Set<String> NOT_ASKED = Set.of("scale", "binding");

    String name() {
        return Json.text(json, "name");
    }

    /**
     * The version in which the webhook gets the objects of a write; empty if it is not called.
     *
     * @param requested the version of the request
     */
    String version(Cluster cluster, String requested, Attributes write, @Nullable JsonNode object) {
        ResourceDefinition type = write.target().type();
        boolean exact = Json.text(json, "matchPolicy").equals("Exact");
        String version = Stream.concat(Stream.of(requested), exact ? Stream.empty() : type.versions().stream())
                .filter(each -> json.path("rules").valueStream().anyMatch(rule -> isFor(rule, write, each))).findFirst().orElse("");
        if (version.isEmpty() || type.group().equals("admissionregistration.k8s.io") || NOT_ASKED.contains(write.target().subresource())
                || Stream.of(object, write.old()).noneMatch(each -> each != null && Selectors.matches(json.path("objectSelector"), each))
                || !selectsNamespace(cluster, write, object)) {
            return "";
        }
        if (!json.path("matchConditions").isEmpty()) {
            throw ApiFailure.internal("webhook \"" + name() + "\" has matchConditions, which this server does not evaluate");
        }
        return version;
    }

    private boolean selectsNamespace(Cluster cluster, Attributes write, @Nullable JsonNode object) {
        ResourceDefinition type = write.target().type();
        String namespace = write.target().namespace();
        StoredObject found = namespace == null ? null : cluster.get(cluster.types().find("", "namespaces").orElseThrow(), null, namespace);
        boolean itself = type.qualified().equals("namespaces");
        JsonNode labelled = itself ? object == null ? write.old() : object : found == null ? null : found.tree();
        return labelled == null || Selectors.matches(json.path("namespaceSelector"), labelled);
    }

    static boolean isFor(JsonNode rule, Attributes write, String version) {
        ResourceDefinition type = write.target().type();
        String part = write.target().subresource();
        return has(rule, "operations", write.operation(), "*") && has(rule, "apiGroups", type.group(), "*")
                && has(rule, "apiVersions", version, "*")
                && List.of("", "*", type.namespaced() ? "Namespaced" : "Cluster").contains(Json.text(rule, "scope"))
                && (part.isEmpty() ? has(rule, "resources", type.plural(), "*", "*/*")
                        : has(rule, "resources", type.plural() + "/" + part, "*/" + part, type.plural() + "/*", "*/*"));
    }

    static boolean has(JsonNode rule, String field, String... any) {
        return rule.path(field).valueStream().anyMatch(each -> List.of(any).contains(each.asString("")));
    }

    /** What is wrong with a review that came back; empty if nothing is. */
    String problem(String uid, JsonNode review) {
        JsonNode response = review.path("response");
        String kind = Json.text(review, "apiVersion") + ", Kind=" + Json.text(review, "kind");
        String wanted = "admission.k8s.io/v1, Kind=AdmissionReview";
        boolean patch = !Json.text(response, "patch").isEmpty();
        boolean typed = response.hasNonNull("patchType");
        String found = Json.text(response, "uid");
        String problem = !response.isObject() ? "webhook response was absent"
                : !found.equals(uid) ? "expected response.uid=\"" + uid + "\", got \"" + found + "\""
                : !kind.equals(wanted) ? "expected webhook response of " + wanted + ", got " + kind
                : !mutating && (patch || typed) ? "validating webhook may not return response." + (patch ? "patch" : "patchType")
                : patch == typed ? ""
                : "webhook returned response." + (patch ? "patch but not response.patchType" : "patchType but not response.patch");
        return problem.isEmpty() ? "" : "received invalid webhook response: " + problem;
    }

    /** The refusal of a webhook that does not allow a write. */
    ApiFailure denied(JsonNode status) {
        String reason = Json.text(status, "reason");
        String why = Json.text(status, "message").isEmpty() ? reason : Json.text(status, "message");
        String message = "admission webhook \"" + name() + "\" denied the request" + (why.isEmpty() ? " without explanation" : ": " + why);
        int code = Math.max(400, status.path("code").asInt(0));
        return status.path("details") instanceof ObjectNode details ? ApiFailure.of(code, reason, message, details)
                : ApiFailure.of(code, reason, message);
    }
}
