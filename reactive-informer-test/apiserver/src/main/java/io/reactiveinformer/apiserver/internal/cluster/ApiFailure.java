package io.reactiveinformer.apiserver.internal.cluster;

import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** A request that the server does not carry out, in the words of the real one: what the answer's status and {@code Status} body say. */
public final class ApiFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** What is wrong with one field, or with the request as a whole. */
    public record Cause(String reason, String message, String field) {}

    private final int code;
    private final transient ObjectNode status;

    private ApiFailure(int code, String reason, String message, @Nullable ObjectNode details) {
        super(message, null, false, false);
        this.code = code;
        this.status = status(code, reason, message, details);
    }

    public int code() {
        return code;
    }

    /** The body; a new copy. */
    public ObjectNode status() {
        return status.deepCopy();
    }

    /** The seconds that the body asks the client to wait; 0 for none. */
    public int retryAfterSeconds() {
        return status.path("details").path("retryAfterSeconds").asInt(0);
    }

    private static ObjectNode status(int code, String reason, String message, @Nullable ObjectNode details) {
        ObjectNode status = Json.object().put("kind", "Status").put("apiVersion", "v1");
        status.putObject("metadata");
        status.put("status", "Failure").put("message", message);
        if (!reason.isEmpty()) {
            status.put("reason", reason);
        }
        if (details != null) {
            status.set("details", details);
        }
        return status.put("code", code);
    }

    public static ApiFailure of(int code, String reason, String message) {
        return new ApiFailure(code, reason, message, null);
    }

    public static ApiFailure of(int code, String reason, String message, ObjectNode details) {
        return new ApiFailure(code, reason, message, details);
    }

    public static ApiFailure badRequest(String message) {
        return of(400, "BadRequest", message);
    }

    /** There is no such resource, or not with this method: an answer without any name. */
    public static ApiFailure unknownResource() {
        return of(404, "NotFound", "the server could not find the requested resource", Json.object());
    }

    public static ApiFailure methodNotAllowed() {
        return of(405, "MethodNotAllowed", "the server does not allow this method on the requested resource", Json.object());
    }

    public static ApiFailure notFound(ResourceDefinition type, String name) {
        return of(404, "NotFound", type.qualified() + " \"" + name + "\" not found", details(type, name, type.plural()));
    }

    public static ApiFailure alreadyExists(ResourceDefinition type, String name, boolean beingDeleted) {
        String message = type.qualified() + " \"" + name + "\" already exists";
        return of(
                409,
                "AlreadyExists",
                beingDeleted ? "object is being deleted: " + message : message,
                details(type, name, type.plural()));
    }

    public static ApiFailure conflict(ResourceDefinition type, String name, String why) {
        return of(
                409,
                "Conflict",
                "Operation cannot be fulfilled on " + type.qualified() + " \"" + name + "\": " + why,
                details(type, name, type.plural()));
    }

    public static ApiFailure modified(ResourceDefinition type, String name) {
        return conflict(type, name, "the object has been modified; please apply your changes to the latest version and try again");
    }

    /** 422 with a cause for each field; {@code subject} is the kind, qualified by its group where it has one. */
    public static ApiFailure invalid(String group, String kind, String name, List<Cause> causes) {
        List<String> texts = causes.stream().map(cause -> cause.field() + ": " + cause.message()).distinct().toList();
        String text = texts.size() == 1 ? texts.get(0) : texts.toString();
        ObjectNode details = Json.object();
        if (!name.isEmpty()) {
            details.put("name", name);
        }
        if (!group.isEmpty()) {
            details.put("group", group);
        }
        if (!kind.isEmpty()) {
            details.put("kind", kind);
        }
        var list = details.putArray("causes");
        causes.forEach(cause ->
                list.addObject().put("reason", cause.reason()).put("message", cause.message()).put("field", cause.field()));
        String subject = group.isEmpty() ? kind : kind + "." + group;
        return of(422, "Invalid", subject + " \"" + name + "\" is invalid: " + text, details);
    }

    /** The history that is asked for is no longer there. */
    public static ApiFailure expired(String message) {
        return of(410, "Expired", message);
    }

    /** The same, with a token for the rest of the list as it is now. */
    public static ApiFailure expired(String message, String continuation) {
        ApiFailure failure = expired(message);
        ((ObjectNode) failure.status.path("metadata")).put("continue", continuation);
        return failure;
    }

    /** Nothing new comes into a namespace that is being deleted. */
    public static ApiFailure terminating(String namespace, String name, ResourceDefinition type) {
        ObjectNode details = details(type, name, type.plural());
        details.putArray("causes")
                .addObject()
                .put("reason", "NamespaceTerminating")
                .put("message", "namespace " + namespace + " is being terminated")
                .put("field", "metadata.namespace");
        return of(
                403,
                "Forbidden",
                type.qualified() + " \"" + name + "\" is forbidden: unable to create new content in namespace " + namespace
                        + " because it is being terminated",
                details);
    }

    /** What is applied does not fit its type, which the real server takes for a fault of its own. */
    public static ApiFailure untyped(ResourceDefinition type, String version, String namespace, String name, String why) {
        String whose = namespace + "/" + name + "; " + type.group() + "/" + version + ", Kind=" + type.kind();
        return of(500, "", "failed to create typed patch object (" + whose + "): " + why);
    }

    public static ApiFailure forbidden(ResourceDefinition type, String name, String why) {
        return of(403, "Forbidden", type.qualified() + " \"" + name + "\" is forbidden: " + why, details(type, name, type.plural()));
    }

    /** Not now, but after so many seconds. */
    public static ApiFailure tryAgain(int code, String reason, String message, int seconds) {
        return of(code, reason, message, Json.object().put("retryAfterSeconds", seconds));
    }

    /** The version asked for lies in the server's future. */
    public static ApiFailure tooLarge(String asked, long current) {
        return tooLarge(asked, current, tooLargeDetails().put("retryAfterSeconds", 1));
    }

    /** The same from a server without a watch cache, which does not say when to come back. */
    public static ApiFailure tooLargeForTheStore(String asked, long current) {
        return tooLarge(asked, current, tooLargeDetails());
    }

    private static ObjectNode tooLargeDetails() {
        ObjectNode details = Json.object();
        details.putArray("causes").addObject().put("reason", "ResourceVersionTooLarge").put("message", "Too large resource version");
        return details;
    }

    private static ApiFailure tooLarge(String asked, long current, ObjectNode details) {
        return of(504, "Timeout", "Timeout: Too large resource version: " + asked + ", current: " + current, details);
    }

    private static ObjectNode details(ResourceDefinition type, String name, String kind) {
        ObjectNode details = Json.object().put("name", name);
        if (!type.group().isEmpty()) {
            details.put("group", type.group());
        }
        return details.put("kind", kind);
    }
}
