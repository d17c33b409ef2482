package io.reactiveinformer.apiserver.internal.admission;

import io.reactiveinformer.apiserver.internal.cel.Policy;
import io.reactiveinformer.apiserver.internal.cluster.Admission.Attributes;
import io.reactiveinformer.apiserver.internal.cluster.ApiFailure;
import io.reactiveinformer.apiserver.internal.cluster.Json;
import io.reactiveinformer.apiserver.internal.cluster.ResourceDefinition;
import io.reactiveinformer.apiserver.internal.cluster.StoredObject;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.NullNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A webhook of a configuration: which writes it is called for, and what its replies mean.
 *
 * @param conditions its {@code matchConditions}; null for none
 */
record Webhook(String configuration, boolean mutating, JsonNode json, @Nullable Policy conditions) {

    private static final Map<StoredObject, List<Webhook>> READ = Collections.synchronizedMap(new WeakHashMap<>());

    /** Subresources whose objects have another kind, and about which webhooks are not asked here. */
    private static final Set<String> NOT_ASKED = Set.of("scale", "binding");

    /** The webhooks of a configuration, whose conditions are compiled once. */
    static List<Webhook> of(StoredObject configuration) {
        return READ.computeIfAbsent(configuration, key -> configuration.tree().path("webhooks").valueStream()
                .map(each -> new Webhook(configuration.name(), configuration.type().plural().startsWith("mutating"), each,
                        each.path("matchConditions").isEmpty() ? null : new Policy(each, ""))).toList());
    }

    String name() {
        return Json.text(json, "name");
    }

    /** The version in which the webhook gets the objects of a write; empty if it is not called. */
    String version(AdmissionRequest request, Attributes write, @Nullable ObjectNode object) {
        String version = request.version(json.path("rules"), json, write);
        ResourceDefinition type = write.target().type();
        if (version.isEmpty() || type.group().equals("admissionregistration.k8s.io") || NOT_ASKED.contains(write.target().subresource())
                || !request.isSelected(json, write, object)) {
            return "";
        }
        List<Policy.Denial> wrong = new ArrayList<>();
        if (conditions != null && !conditions.matches(request.variables(write, object, version, NullNode.instance), wrong)) {
            return "";
        }
        if (!wrong.isEmpty()) {
            throw ApiFailure.forbidden(type, write.target().name(), wrong.get(0).message());
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
