package io.reactiveinformer.apiserver.internal.admission;

import io.reactiveinformer.apiserver.internal.cluster.ApiFailure;
import io.reactiveinformer.apiserver.internal.cluster.Json;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A webhook of a configuration: which writes it is called for, and what its replies mean. */
record Webhook(String configuration, boolean mutating, JsonNode json) {

    /** Subresources whose objects have another kind, and about which webhooks are not asked here. */
    private static final Set<String> NOT_ASKED = Set.of("scale", "binding");

    String name() {
        return Json.text(json, "name");
    }

    /** The version in which the webhook gets the objects of a write; empty if it is not called. */
    String version(Matching matching) {
        boolean exact = Json.text(json, "matchPolicy").equals("Exact");
        List<String> others = exact ? List.of() : matching.type().versions();
        String version = Stream.concat(Stream.of(matching.request().version()), others.stream())
                .filter(each -> json.path("rules").valueStream().anyMatch(rule -> matching.isFor(rule, each))).findFirst().orElse("");
        if (version.isEmpty() || matching.type().group().equals("admissionregistration.k8s.io")
                || NOT_ASKED.contains(matching.write().target().subresource()) || !matching.isSelected(json)) {
            return "";
        }
        if (!json.path("matchConditions").isEmpty()) {
            throw ApiFailure.internal("webhook \"" + name() + "\" has matchConditions, which this server does not evaluate");
        }
        return version;
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
