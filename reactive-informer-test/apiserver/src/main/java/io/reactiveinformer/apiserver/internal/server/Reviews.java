package io.reactiveinformer.apiserver.internal.server;

import io.reactiveinformer.apiserver.ApiRequest;
import io.reactiveinformer.apiserver.internal.cluster.ApiFailure;
import io.reactiveinformer.apiserver.internal.cluster.Cluster;
import io.reactiveinformer.apiserver.internal.cluster.Json;
import io.reactiveinformer.apiserver.internal.cluster.ResourceDefinition;
import io.reactiveinformer.apiserver.internal.validation.Problem;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Answers objects that are not stored but are questions: who the caller is, and what it or another user may do. */
final class Reviews {

    private static final Authorizer EVERYTHING = new Authorizer() {};

    private final Cluster cluster;
    private volatile Authorizer authorizer = EVERYTHING;

    Reviews(Cluster cluster) {
        this.cluster = cluster;
    }

    void use(Authorizer other) {
        authorizer = other;
    }

    ObjectNode answer(ApiRequest request, ResourceDefinition type, ObjectNode question) {
        ObjectNode answer = question.deepCopy();
        ObjectNode metadata = Json.child(answer, "metadata");
        Caller caller = authorizer.caller(request);
        JsonNode spec = question.path("spec");
        switch (type.plural()) {
            case "selfsubjectaccessreviews" -> access(answer, caller, spec);
            case "subjectaccessreviews", "localsubjectaccessreviews" -> access(answer, subject(spec), spec);
            case "selfsubjectrulesreviews" -> answer.set("status", authorizer.rules(caller, Json.text(spec, "namespace")));
            default -> {
                ObjectNode status = Json.child(answer, "status");
                if (type.plural().equals("tokenreviews")) {
                    status.put("authenticated", true).set("user", user(request));
                } else {
                    metadata.put("creationTimestamp", cluster.now().truncatedTo(ChronoUnit.SECONDS).toString());
                    status.set("userInfo", user(request));
                }
            }
        }
        return answer;
    }

    /** Who sends the request: {@code username} and {@code groups}. */
    ObjectNode user(ApiRequest request) {
        Caller caller = authorizer.caller(request);
        Caller known = caller.isAnonymous() ? EVERYTHING.caller(request) : caller;
        ObjectNode user = Json.object().put("username", known.user());
        request.http().headers().first("Impersonate-Uid").ifPresent(uid -> user.put("uid", uid));
        known.groups().forEach(user.putArray("groups")::add);
        return user;
    }

    private static Caller subject(JsonNode spec) {
        List<String> groups = new ArrayList<>();
        spec.path("groups").forEach(group -> groups.add(Json.text(group)));
        return new Caller(Json.text(spec, "user"), groups);
    }

    /** Paths that name no resource are open to everybody here. */
    private void access(ObjectNode answer, Caller caller, JsonNode spec) {
        JsonNode attributes = spec.path("resourceAttributes");
        List<Problem> problems = new ArrayList<>();
        if (attributes.isObject() == spec.path("nonResourceAttributes").isObject()) {
            problems.add(new Problem("FieldValueInvalid", "Invalid value: null: exactly one of nonResourceAttributes or"
                    + " resourceAttributes must be specified", "spec.resourceAttributes"));
        }
        if (caller.user().isEmpty() && caller.groups().isEmpty()) {
            problems.add(new Problem("FieldValueInvalid", "Invalid value: \"\": at least one of user or group must be specified", "spec.user"));
        }
        if (!problems.isEmpty()) {
            throw ApiFailure.invalid("", "", "", problems);
        }
        @Nullable String reason = attributes.isObject() ? authorizer.allows(caller, Action.of(attributes)) : "";
        ObjectNode status = Json.child(answer, "status").put("allowed", reason != null);
        if (reason != null && !reason.isEmpty()) {
            status.put("reason", reason);
        }
    }
}
