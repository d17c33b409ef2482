package io.reactiveinformer.apiserver.internal.server;

import io.reactiveinformer.apiserver.ApiRequest;
import io.reactiveinformer.apiserver.internal.cluster.Json;
import io.reactiveinformer.apiserver.internal.cluster.ResourceDefinition;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Answers objects that are not stored but are questions: who the caller is, and what it or another user may do. */
final class Reviews {

    private static final Authorizer EVERYTHING = new Authorizer() {};

    private volatile Authorizer authorizer = EVERYTHING;

    void use(Authorizer other) {
        authorizer = other;
    }

    ObjectNode answer(ApiRequest request, ResourceDefinition type, ObjectNode question) {
        ObjectNode answer = question.deepCopy();
        Json.child(answer, "metadata");
        Caller caller = authorizer.caller(request);
        JsonNode spec = question.path("spec");
        switch (type.plural()) {
            case "selfsubjectaccessreviews" -> access(Json.child(answer, "status"), caller, spec);
            case "subjectaccessreviews", "localsubjectaccessreviews" -> access(Json.child(answer, "status"), subject(spec), spec);
            case "selfsubjectrulesreviews" -> answer.set("status", authorizer.rules(caller, Json.text(spec, "namespace")));
            default -> {
                ObjectNode status = Json.child(answer, "status");
                boolean token = type.plural().equals("tokenreviews");
                (token ? status.put("authenticated", true) : status).set(token ? "user" : "userInfo", user(request));
            }
        }
        return answer;
    }

    /** Who sends the request: {@code username} and {@code groups}. */
    ObjectNode user(ApiRequest request) {
        Caller caller = authorizer.caller(request);
        Caller known = caller.isAnonymous() ? EVERYTHING.caller(request) : caller;
        ObjectNode user = Json.object().put("username", known.user());
        known.groups().forEach(user.putArray("groups")::add);
        return user;
    }

    private static Caller subject(JsonNode spec) {
        List<String> groups = new ArrayList<>();
        spec.path("groups").forEach(group -> groups.add(Json.text(group)));
        return new Caller(Json.text(spec, "user"), groups);
    }

    /** Paths that name no resource are open to everybody here. */
    private void access(ObjectNode status, Caller caller, JsonNode spec) {
        JsonNode attributes = spec.path("resourceAttributes");
        @Nullable String reason = attributes.isObject() ? authorizer.allows(caller, Action.of(attributes)) : "";
        status.put("allowed", reason != null);
        if (reason != null && !reason.isEmpty()) {
            status.put("reason", reason);
        }
    }
}
