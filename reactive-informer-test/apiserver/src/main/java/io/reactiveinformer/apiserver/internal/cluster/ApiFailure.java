package io.reactiveinformer.apiserver.internal.cluster;

import io.reactiveinformer.apiserver.internal.validation.Problem;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Thrown for a request that the server refuses, with the real server's HTTP status and {@code Status} body. Has no stack trace. */
public final class ApiFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** One cause of a refusal, of one field or of the request as a whole. */
    public record Cause(String reason, String message, String field) {
        static Cause of(Problem problem) {
            return new Cause(problem.reason(), problem.message(), problem.field());
        }
    }

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

    /** A copy of the {@code Status} body. */
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

    /** A refusal without details; {@code reason} is empty for none. */
    public static ApiFailure of(int code, String reason, String message) {
        return new ApiFailure(code, reason, message, null);
    }

    /** A refusal with details; {@code reason} is empty for none. */
    public static ApiFailure of(int code, String reason, String message, ObjectNode details) {
        return new ApiFailure(code, reason, message, details);
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
        return of(404, "NotFound", type.qualified() + " \"" + name + "\" not found", details(type, name, type.plural()));
    }

    /** 409: there is an object of this name already, which may be being deleted. */
    public static ApiFailure alreadyExists(ResourceDefinition type, String name, boolean beingDeleted) {
        String message = type.qualified() + " \"" + name + "\" already exists";
        return of(
                409,
                "AlreadyExists",
                beingDeleted ? "object is being deleted: " + message : message,
                details(type, name, type.plural()));
    }

    /** 409: the operation cannot be carried out for this reason. */
    public static ApiFailure conflict(ResourceDefinition type, String name, String why) {
        return of(
                409,
                "Conflict",
                "Operation cannot be fulfilled on " + type.qualified() + " \"" + name + "\": " + why,
                details(type, name, type.plural()));
    }

    /** 409: the resourceVersion of the request is not that of the object. */
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

    /** 500 for an apply of an object that does not fit its type, as the real server answers. */
    public static ApiFailure untyped(ResourceDefinition type, String version, String namespace, String name, String why) {
        String whose = namespace + "/" + name + "; " + type.group() + "/" + version + ", Kind=" + type.kind();
        return of(500, "", "failed to create typed patch object (" + whose + "): " + why);
    }

    /** 403 for this reason. */
    public static ApiFailure forbidden(ResourceDefinition type, String name, String why) {
        return of(403, "Forbidden", type.qualified() + " \"" + name + "\" is forbidden: " + why, details(type, name, type.plural()));
    }

    /** A refusal that asks the client to try again after {@code seconds}. */
    public static ApiFailure tryAgain(int code, String reason, String message, int seconds) {
        return of(code, reason, message, Json.object().put("retryAfterSeconds", seconds));
    }

    /** 504: the requested version is from the server's future. Asks the client to try again after a second. */
    public static ApiFailure tooLarge(String asked, long current) {
        return tooLarge(asked, current, tooLargeDetails().put("retryAfterSeconds", 1));
    }

    /** 504 as from a server without a watch cache, which does not say when to try again. */
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
