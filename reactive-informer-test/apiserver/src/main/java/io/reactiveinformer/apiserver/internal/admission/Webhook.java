package io.reactiveinformer.apiserver.internal.admission;

import io.reactiveinformer.apiserver.ApiRequest;
import io.reactiveinformer.apiserver.internal.cluster.Admission.Attributes;
import io.reactiveinformer.apiserver.internal.cluster.ApiFailure;
import io.reactiveinformer.apiserver.internal.cluster.Cluster;
import io.reactiveinformer.apiserver.internal.cluster.Json;
import io.reactiveinformer.apiserver.internal.cluster.LabelSelector;
import io.reactiveinformer.apiserver.internal.cluster.ObjectForm;
import io.reactiveinformer.apiserver.internal.cluster.ResourceDefinition;
import io.reactiveinformer.apiserver.internal.cluster.StoredObject;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A webhook of a configuration: which writes it is called for, and what its replies mean. */
record Webhook(String configuration, boolean mutating, JsonNode json) {

    /** The version in which a webhook gets the objects. */
    record Match(ResourceDefinition type, String version) {

        ObjectNode inVersion(ObjectNode object) {
            return ObjectForm.inVersion(type, object, version);
        }
    }

    String name() {
        return Json.text(json, "name");
    }

    /** Null if the webhook is not called for this write. */
    @Nullable Match match(Cluster cluster, ApiRequest request, Attributes write, @Nullable JsonNode object) {
        ResourceDefinition type = write.target().type();
        if (type.group().equals("admissionregistration.k8s.io") || write.target().subresource().equals("scale")
                || write.target().subresource().equals("binding") || !selectsNamespace(cluster, write, object)) {
            return null;
        }
        LabelSelector objects = LabelSelector.of(json.path("objectSelector"));
        if (Stream.of(object, write.old()).noneMatch(each -> each != null && objects.matches(each.path("metadata").path("labels")))) {
            return null;
        }
        if (!json.path("matchConditions").isEmpty()) {
            throw WebhookClient.internal("webhook \"" + name() + "\" has matchConditions, which this server does not evaluate");
        }
        boolean exact = Json.text(json, "matchPolicy").equals("Exact");
        return Stream.concat(Stream.of(request.version()), exact ? Stream.empty() : type.versions().stream())
                .filter(version -> json.path("rules").valueStream().anyMatch(rule -> isFor(rule, write, version)))
                .findFirst().map(version -> new Match(type, version)).orElse(null);
    }

    private boolean selectsNamespace(Cluster cluster, Attributes write, @Nullable JsonNode object) {
        LabelSelector selector = LabelSelector.of(json.path("namespaceSelector"));
        ResourceDefinition type = write.target().type();
        if (type.qualified().equals("namespaces")) {
            return selector.matches((object == null ? write.old() : object).path("metadata").path("labels"));
        }
        StoredObject namespace = type.namespaced() ? cluster.get(cluster.types().find("", "namespaces").orElseThrow(), null,
                String.valueOf(write.target().namespace())) : null;
        return namespace == null || selector.matches(namespace.tree().path("metadata").path("labels"));
    }

    private static boolean isFor(JsonNode rule, Attributes write, String version) {
        ResourceDefinition type = write.target().type();
        String scope = Json.text(rule, "scope");
        String subresource = write.target().subresource();
        return has(rule, "operations", write.operation(), "*") && has(rule, "apiGroups", type.group(), "*")
                && has(rule, "apiVersions", version, "*")
                && (scope.isEmpty() || scope.equals("*") || scope.equals(type.namespaced() ? "Namespaced" : "Cluster"))
                && (subresource.isEmpty() ? has(rule, "resources", type.plural(), "*", "*/*")
                        : has(rule, "resources", type.plural() + "/" + subresource, "*/" + subresource, type.plural() + "/*", "*/*"));
    }

    private static boolean has(JsonNode rule, String field, String... any) {
        return rule.path(field).valueStream().anyMatch(each -> List.of(any).contains(each.asString("")));
    }

    /** What is wrong with a review that came back; empty if nothing is. */
    String problem(String uid, JsonNode review) {
        JsonNode response = review.path("response");
        String kind = Json.text(review, "apiVersion").replaceFirst("/(?=[^/]*$)", "/") + ", Kind=" + Json.text(review, "kind");
        boolean patch = !Json.text(response, "patch").isEmpty();
        String problem = !response.isObject() ? "webhook response was absent"
                : !Json.text(response, "uid").equals(uid) ? "expected response.uid=\"" + uid + "\", got \"" + Json.text(response, "uid") + "\""
                : !kind.equals("admission.k8s.io/v1, Kind=AdmissionReview")
                        ? "expected webhook response of admission.k8s.io/v1, Kind=AdmissionReview, got " + kind
                : !mutating ? patch ? "validating webhook may not return response.patch"
                        : response.hasNonNull("patchType") ? "validating webhook may not return response.patchType" : ""
                : patch && !response.hasNonNull("patchType") ? "webhook returned response.patch but not response.patchType"
                : !patch && response.hasNonNull("patchType") ? "webhook returned response.patchType but not response.patch" : "";
        return problem.isEmpty() ? "" : "received invalid webhook response: " + problem;
    }

    /** The refusal of a webhook that does not allow a write. */
    ApiFailure denied(JsonNode status) {
        String why = Json.text(status, "message").isEmpty() ? Json.text(status, "reason") : Json.text(status, "message");
        String message = "admission webhook \"" + name() + "\" denied the request" + (why.isEmpty() ? " without explanation" : ": " + why);
        int code = Math.max(400, status.path("code").asInt(0));
        return status.path("details") instanceof ObjectNode details ? ApiFailure.of(code, Json.text(status, "reason"), message, details)
                : ApiFailure.of(code, Json.text(status, "reason"), message);
    }
}
