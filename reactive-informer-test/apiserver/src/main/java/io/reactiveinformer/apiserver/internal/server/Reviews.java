package io.reactiveinformer.apiserver.internal.server;

import io.reactiveinformer.apiserver.ApiRequest;
import io.reactiveinformer.apiserver.internal.cluster.ApiFailure;
import io.reactiveinformer.apiserver.internal.cluster.Cluster;
import io.reactiveinformer.apiserver.internal.cluster.Json;
import io.reactiveinformer.apiserver.internal.cluster.ResourceDefinition;
import io.reactiveinformer.apiserver.internal.cluster.StoredObject;
import io.reactiveinformer.apiserver.internal.validation.Problem;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.NullNode;
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
            case "subjectaccessreviews", "localsubjectaccessreviews" -> access(answer, new Caller(Json.text(spec, "user"),
                    spec.path("groups").valueStream().map(group -> Json.text(group)).toList()), spec);
            case "selfsubjectrulesreviews" -> answer.set("status", authorizer.rules(caller, Json.text(spec, "namespace")));
            case "tokenreviews" -> Json.child(answer, "status").put("authenticated", true).set("user", user(request));
            default -> {
                metadata.put("creationTimestamp", cluster.now().truncatedTo(ChronoUnit.SECONDS).toString());
                Json.child(answer, "status").set("userInfo", user(request));
            }
        }
        return answer;
    }

    /**
     * A token for a service account, which {@link Caller#userOf} knows again.
     *
     * @throws ApiFailure 404 if the account, or what the token is bound to, does not exist; 422 if it is for less than 10 minutes
     */
    ObjectNode token(ApiRequest request, ResourceDefinition accounts, ObjectNode asked) {
        StoredObject account = existing(request, accounts, String.valueOf(request.name()));
        ObjectNode spec = Json.child(asked, "spec");
        long seconds = spec.path("expirationSeconds").asLong(3600);
        if (seconds < 600) {
            throw ApiFailure.invalid("authentication.k8s.io", "TokenRequest", "", List.of(new Problem("FieldValueInvalid", "Invalid value: "
                    + seconds + ": may not specify a duration less than 10 minutes", "spec.expirationSeconds")));
        }
        String kind = Json.text(spec, "boundObjectRef", "kind");
        if (!kind.isEmpty()) {
            StoredObject bound = existing(request, cluster.types().find("", kind.toLowerCase(Locale.ROOT) + "s").orElseThrow(
                    ApiFailure::unknownResource), Json.text(spec, "boundObjectRef", "name"));
            if (kind.equals("Pod") && !Json.text(bound.tree(), "spec", "serviceAccountName").equals(account.name())) {
                throw ApiFailure.badRequest("cannot bind token for serviceaccount \"" + account.name()
                        + "\" to pod running with different serviceaccount name.");
            }
        }
        Instant now = cluster.now().truncatedTo(ChronoUnit.SECONDS);
        if (spec.path("audiences").isEmpty()) {
            spec.putArray("audiences").add(Caller.ISSUER);
        }
        spec.put("expirationSeconds", seconds).putIfAbsent("boundObjectRef", NullNode.instance);
        Json.child(asked, "metadata").put("name", account.name()).put("namespace", account.namespace()).put("uid", account.uid())
                .put("creationTimestamp", now.toString());
        Json.child(asked, "status").put("expirationTimestamp", now.plusSeconds(seconds).toString())
                .put("token", Caller.token(account, spec.path("audiences"), now, seconds));
        return asked;
    }

    private StoredObject existing(ApiRequest request, ResourceDefinition type, String name) {
        StoredObject found = cluster.get(type, type.namespaced() ? request.namespace() : null, name);
        if (found == null) {
            throw ApiFailure.notFound(type, name);
        }
        return found;
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
