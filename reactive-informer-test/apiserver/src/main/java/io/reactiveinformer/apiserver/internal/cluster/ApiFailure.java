package io.reactiveinformer.apiserver.internal.cluster;

import io.reactiveinformer.apiserver.internal.validation.Problem;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Thrown for a request that the server refuses, with the real server's HTTP status and {@code Status} body. Has no stack trace. */
public final class ApiFailure extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final int code;
    private final transient ObjectNode status;

    private ApiFailure(int code, String reason, String message, @Nullable ObjectNode details) {
        super(message, null, false, false);
        this.code = code;
        this.status = status("Failure").put("message", message);
        if (!reason.isEmpty()) {
            status.put("reason", reason);
        }
        if (details != null) {
            status.set("details", details);
        }
        status.put("code", code);
    }

    public int code() {
        return code;
    }

    /** A copy of the {@code Status} body. */
    public ObjectNode status() {
        return status.deepCopy();
    }

    /** The seconds that the body asks the client to wait; 0 for none. */
    public int retryAfterSeconds() {
        return status.path("details").path("retryAfterSeconds").asInt(0);
    }

    /** A {@code Status}, which is {@code Success} or {@code Failure}. */
    public static ObjectNode status(String which) {
        ObjectNode status = Json.object().put("kind", "Status").put("apiVersion", "v1");
        status.putObject("metadata");
        return status.put("status", which);
    }

    /** The details of a {@code Status} about an object of this type. */
    public static ObjectNode details(ResourceDefinition type, String name) {
        return details(name, type.group(), type.plural());
    }

    static ObjectNode details(String name, String group, String kind, Problem... causes) {
        ObjectNode details = Json.object();
        put(details, "name", name);
        put(details, "group", group);
        put(details, "kind", kind);
        for (Problem cause : causes) {
            ObjectNode shown = details.withArray("causes").addObject();
            put(shown, "reason", cause.reason());
            put(shown, "message", cause.message());
            put(shown, "field", cause.field());
        }
        return details;
    }

    private static void put(ObjectNode object, String field, String text) {
        if (!text.isEmpty()) {
            object.put(field, text);
        }
    }

    /** A refusal without details; {@code reason} is empty for none. */
    public static ApiFailure of(int code, String reason, String message) {
        return new ApiFailure(code, reason, message, null);
    }

    /** A refusal with details; {@code reason} is empty for none. */
    public static ApiFailure of(int code, String reason, String message, ObjectNode details) {
        return new ApiFailure(code, reason, message, details);
    }

    private static ApiFailure of(
            int code, String reason, ResourceDefinition type, String name, String before, String after, Problem... causes) {
        return of(code, reason, before + type.qualified() + " \"" + name + "\"" + after,
                details(name, type.group(), type.plural(), causes));
    }

    /** 400 with this message. */
    public static ApiFailure badRequest(String message) {
        return of(400, "BadRequest", message);
    }

    /** 404 for a path without a resource, or a resource without this method; the answer names no object. */
    public static ApiFailure unknownResource() {
        return of(404, "NotFound", "the server could not find the requested resource", Json.object());
    }

    /** 405: the resource does not have this method; the answer names no object. */
    public static ApiFailure methodNotAllowed() {
        return of(405, "MethodNotAllowed", "the server does not allow this method on the requested resource", Json.object());
    }

    /** 404: there is no object of this name. */
    public static ApiFailure notFound(ResourceDefinition type, String name) {
        return of(404, "NotFound", type, name, "", " not found");
    }

    /** 409: there is an object of this name already, which may be being deleted. */
    public static ApiFailure alreadyExists(ResourceDefinition type, String name, boolean beingDeleted) {
        return of(409, "AlreadyExists", type, name, beingDeleted ? "object is being deleted: " : "", " already exists");
    }

    /** 409: the operation cannot be carried out for this reason. */
    public static ApiFailure conflict(ResourceDefinition type, String name, String why) {
        return of(409, "Conflict", type, name, "Operation cannot be fulfilled on ", ": " + why);
    }

    /** 422 with a cause for each field; {@code subject} is the kind, qualified by its group where it has one. */
    public static ApiFailure invalid(String group, String kind, String name, List<Problem> causes) {
        List<String> texts = causes.stream().map(cause -> cause.field() + ": " + cause.message()).distinct().toList();
        String text = texts.size() == 1 ? texts.get(0) : texts.toString();
        String subject = group.isEmpty() ? kind : kind + "." + group;
        return of(422, "Invalid", subject + " \"" + name + "\" is invalid: " + text,
                details(name, group, kind, causes.toArray(new Problem[0])));
    }

    /** 410: the requested history is no longer kept. */
    public static ApiFailure expired(String message) {
        return of(410, "Expired", message);
    }

    /** 410 with a continue token for the rest of the list as it is now. */
    public static ApiFailure expired(String message, String continuation) {
        ApiFailure failure = expired(message);
        ((ObjectNode) failure.status.path("metadata")).put("continue", continuation);
        return failure;
    }

    /** 403 for a creation in a namespace that is being deleted. */
    public static ApiFailure terminating(String namespace, String name, ResourceDefinition type) {
        return of(403, "Forbidden", type, name, "",
                " is forbidden: unable to create new content in namespace " + namespace + " because it is being terminated",
                new Problem("NamespaceTerminating", "namespace " + namespace + " is being terminated", "metadata.namespace"));
    }

    /** 500 for an apply of an object that does not fit its type, as the real server answers. */
    public static ApiFailure untyped(ResourceDefinition type, String version, String namespace, String name, String why) {
        String whose = namespace + "/" + name + "; " + type.group() + "/" + version + ", Kind=" + type.kind();
        return of(500, "", "failed to create typed patch object (" + whose + "): " + why);
    }

    /** 403 for this reason. */
    public static ApiFailure forbidden(ResourceDefinition type, String name, String why) {
        return of(403, "Forbidden", type, name, "", " is forbidden: " + why);
    }

    /** 500 for this reason, which the details repeat. */
    public static ApiFailure internal(String why) {
        return of(500, "InternalError", "Internal error occurred: " + why, details("", "", "", new Problem("", why, "")));
    }

    /** A refusal that asks the client to try again after {@code seconds}. */
    public static ApiFailure tryAgain(int code, String reason, String message, int seconds) {
        return of(code, reason, message, Json.object().put("retryAfterSeconds", seconds));
    }

    /** 504: the requested version is from the server's future. Asks the client to try again after a second. */
    public static ApiFailure tooLarge(String asked, long current) {
        ApiFailure failure = tooLargeForTheStore(asked, current);
        ((ObjectNode) failure.status.path("details")).put("retryAfterSeconds", 1);
        return failure;
    }

    /** 504 as from a server without a watch cache, which does not say when to try again. */
    public static ApiFailure tooLargeForTheStore(String asked, long current) {
        return of(504, "Timeout", "Timeout: Too large resource version: " + asked + ", current: " + current,
                details("", "", "", new Problem("ResourceVersionTooLarge", "Too large resource version", "")));
    }
}
