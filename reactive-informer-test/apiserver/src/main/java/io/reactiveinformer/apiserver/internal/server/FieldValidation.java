package io.reactiveinformer.apiserver.internal.server;

import io.reactiveinformer.apiserver.ApiRequest;
import io.reactiveinformer.apiserver.ApiRequest.Verb;
import io.reactiveinformer.apiserver.internal.cluster.ApiFailure;
import io.reactiveinformer.apiserver.internal.cluster.CustomSchema;
import io.reactiveinformer.apiserver.internal.cluster.Json;
import io.reactiveinformer.apiserver.internal.cluster.ModelObjects;
import io.reactiveinformer.apiserver.internal.cluster.ObjectForm;
import io.reactiveinformer.apiserver.internal.cluster.ResourceDefinition;
import io.reactiveinformer.apiserver.internal.schema.GoForm;
import io.reactiveinformer.apiserver.internal.schema.KnownFields;
import io.reactiveinformer.apiserver.internal.validation.Problem;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Duplicate and unknown fields of a request. Unknown fields are dropped. The client is warned, refused, or not notified, as the request's
 * level says.
 *
 * @see <a href="https://kubernetes.io/docs/reference/using-api/api-concepts/#setting-the-field-validation-level">Field validation</a>
 */
final class FieldValidation {

    private static final Pattern UNREADABLE =
            Pattern.compile("json: cannot unmarshal (\\w+)(?: \\S+)? into Go struct field \\w+(\\.\\S+) of type (.*)");
    private static final Set<String> LEVELS = Set.of("", "Ignore", "Warn", "Strict");

    private final ApiRequest request;
    private final ResourceDefinition type;
    private final String level;
    private final List<String> warnings = new ArrayList<>();

    /** @throws ApiFailure 422 if the request's level does not exist */
    FieldValidation(ApiRequest request, ResourceDefinition type) {
        this.request = request;
        this.type = type;
        this.level = request.query().text("fieldValidation");
        if (!LEVELS.contains(level)) {
            String options = request.verb() == Verb.CREATE ? "CreateOptions" : request.verb() == Verb.UPDATE
                    ? "UpdateOptions" : "PatchOptions";
            throw ApiFailure.invalid("meta.k8s.io", options, "", List.of(new Problem(
                    "FieldValueNotSupported",
                    "Unsupported value: \"" + level + "\": supported values: \"\", \"Ignore\", \"Strict\", \"Warn\"",
                    "fieldValidation")));
        }
    }

    /**
     * Drops the unknown fields of an object that was sent as a whole.
     *
     * @throws ApiFailure 400 if there are unknown or duplicate fields and the request is strict
     */
    ObjectNode sent(ObjectNode object) {
        ApiFailure unreadable = ModelObjects.unreadable(object);
        if (unreadable != null) {
            throw unreadable;
        }
        List<String> found = duplicates("");
        prune(object).forEach(path -> found.add(unknown(path)));
        String kind = Json.text(object, "kind");
        note(found, strict -> ApiFailure.badRequest(kind + " in version \"" + request.version()
                + "\" cannot be handled as a " + kind + ": " + strict));
        return object;
    }

    /**
     * Drops the unknown fields of a patched object, whose kind and name must not change.
     *
     * @throws ApiFailure 422 if there are unknown or duplicate fields and the request is strict, or if the kind changes; 400 if the name
     *     changes
     */
    ObjectNode patched(ObjectNode old, JsonNode patch, UnaryOperator<ObjectNode> change) {
        prune(old); // unknown fields that only a trusted write can have stored
        ObjectNode object = change.apply(old);
        boolean strategic = RequestBody.mediaType(request).startsWith("application/strategic");
        List<String> found = duplicates(patch.isArray() ? "json patch " : "");
        String shown = strategic ? GoForm.text(patch) : new String(Json.write(ObjectForm.order(type, object.deepCopy())),
                StandardCharsets.UTF_8);
        Function<String, ApiFailure> refusal = why -> ApiFailure.invalid("", "", "", List.of(
                new Problem("FieldValueInvalid", "Invalid value: " + goQuoted(shown) + ": " + why, "patch")));
        for (String field : List.of("kind", "apiVersion")) {
            if (strategic) {
                object.set(field, old.path(field));
            } else if (!object.path(field).equals(old.path(field))) {
                throw refusal.apply(field + " is " + object.path(field) + ", and must be " + old.path(field));
            }
        }
        RequestBody.checkName(request, object);
        RequestBody.checkNamespace(request, object);
        String uid = Json.text(object, "metadata", "uid");
        if (!uid.isEmpty() && !uid.equals(Json.text(old, "metadata", "uid"))) {
            throw ApiFailure.invalid(type.group(), type.kind(), Json.text(old, "metadata", "name"), List.of(new Problem(
                    "FieldValueInvalid", "Invalid value: \"" + uid + "\": field is immutable", "metadata.uid")));
        }
        String unreadable = ModelObjects.problem(object);
        if (!unreadable.isEmpty()) {
            throw refusal.apply(strategic ? converted(unreadable) : unreadable);
        }
        prune(object).forEach(path -> found.add(unknown(path)));
        note(found, refusal);
        return object;
    }

    /**
     * Checks an applied object, which must not have unknown fields, whatever the request's validation level is.
     *
     * @throws ApiFailure 500 if it has, as in the real server
     */
    void applied(ObjectNode wanted) {
        var unreadable = UNREADABLE.matcher(ModelObjects.problem(wanted));
        boolean number = unreadable.matches() && unreadable.group(3).matches("(int|float)\\d\\d");
        ApiFailure refusal = number ? null : ModelObjects.unreadable(wanted);
        if (refusal != null) {
            throw refusal; // the real server says so in the words of its merge, with the code 500
        }
        List<String> unknown = number ? List.of(unreadable.group(2) + ": expected numeric (int or float), got " + unreadable.group(1))
                : prune(wanted.deepCopy()).stream().filter(path -> !path.startsWith("metadata.")).map(path -> "." + path + ": field not declared in schema").toList();
        if (!unknown.isEmpty()) {
            String what = unknown.size() == 1 ? unknown.get(0) : unknown.stream().map(each -> "\n  " + each)
                    .collect(Collectors.joining("", "errors:", ""));
            throw ApiFailure.untyped(type, request.version(), Json.text(wanted, "metadata", "namespace"),
                    Objects.requireNonNull(request.name()), what);
        }
    }

    /** The warnings for the client. */
    List<String> warnings() {
        return warnings;
    }

    private void note(List<String> found, Function<String, ApiFailure> refusal) {
        if (level.equals("Strict") && !found.isEmpty()) {
            throw refusal.apply("strict decoding error: " + String.join(", ", found));
        }
        if (!level.equals("Ignore")) {
            warnings.addAll(found);
        }
    }

    private static String unknown(String path) {
        return "unknown field \"" + path + "\"";
    }

    private List<String> prune(ObjectNode object) {
        return type.isCustom() && Json.text(object, "kind").equals(type.kind())
                ? CustomSchema.prune(type, object) : KnownFields.prune(object);
    }

    private List<String> duplicates(String prefix) {
        byte[] body = request.http().body();
        String media = RequestBody.mediaType(request);
        List<String> found = new ArrayList<>();
        if (body != null && (media.isEmpty() || media.endsWith("json"))) {
            DuplicateFields.in(body).forEach(path -> found.add(prefix + "duplicate field \"" + path + "\""));
        }
        return found;
    }

    /** What Go's decoder says, in the words of its conversion from maps, which strategic patches go through. */
    private static String converted(String problem) {
        var unreadable = UNREADABLE.matcher(problem);
        if (!unreadable.matches()) {
            return problem;
        }
        String type = unreadable.group(3);
        String sent = unreadable.group(1).equals("object") ? "map" : unreadable.group(1).equals("array") ? "slice"
                : unreadable.group(1).equals("number") ? "int64" : unreadable.group(1);
        return type.startsWith("[]") ? "cannot restore slice from " + sent : type.startsWith("map[") ? "cannot restore map from " + sent
                : type.equals("string") && sent.equals("int64") ? "cannot convert int64 to string"
                : type.matches("string|bool|int32|int64|float64") ? "unrecognized type: " + type : "cannot restore struct from: " + sent;
    }

    /** The text as {@code %q} of Go prints it. */
    private static String goQuoted(String text) {
        return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + "\"";
    }
}
