package io.reactiveinformer.apiserver.internal.server;

import io.reactiveinformer.apiserver.ApiRequest;
import io.reactiveinformer.apiserver.ApiRequest.Verb;
import io.reactiveinformer.apiserver.internal.cluster.ApiFailure;
import io.reactiveinformer.apiserver.internal.cluster.CustomSchema;
import io.reactiveinformer.apiserver.internal.cluster.Json;
import io.reactiveinformer.apiserver.internal.cluster.ModelObjects;
import io.reactiveinformer.apiserver.internal.cluster.ObjectForm;
import io.reactiveinformer.apiserver.internal.cluster.ResourceDefinition;
import io.reactiveinformer.apiserver.internal.schema.KnownFields;
import io.reactiveinformer.apiserver.internal.validation.Problem;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
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
        String shown = strategic ? goText(patch) : new String(Json.write(ObjectForm.order(type, object.deepCopy())),
                StandardCharsets.UTF_8);
        Refusal refusal = why -> ApiFailure.invalid("", "", "", List.of(
                new Problem("FieldValueInvalid", "Invalid value: " + goQuoted(shown) + ": " + why, "patch")));
        for (String field : List.of("kind", "apiVersion")) {
            if (!object.path(field).equals(old.path(field))) {
                throw refusal.of(field + " is " + object.path(field) + ", and must be " + old.path(field));
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
            throw refusal.of(unreadable);
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
        ApiFailure unreadable = ModelObjects.unreadable(wanted);
        if (unreadable != null) {
            throw unreadable; // the real server says so in the words of its merge, with the code 500
        }
        List<String> unknown = prune(wanted.deepCopy()).stream().map(path -> "." + path + ": field not declared in schema").toList();
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

    private interface Refusal {
        ApiFailure of(String why);
    }

    private void note(List<String> found, Refusal refusal) {
        if (level.equals("Strict") && !found.isEmpty()) {
            throw refusal.of("strict decoding error: " + String.join(", ", found));
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

    /** The text as {@code %q} of Go prints it. */
    private static String goQuoted(String text) {
        return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + "\"";
    }

    /** The value as {@code %+v} of Go prints it: {@code map[spec:map[replicas:1]]}. */
    private static String goText(JsonNode value) {
        if (value.isObject()) {
            var sorted = new TreeMap<String, String>();
            value.properties().forEach(field -> sorted.put(field.getKey(), goText(field.getValue())));
            return sorted.entrySet().stream().map(field -> field.getKey() + ":" + field.getValue())
                    .collect(Collectors.joining(" ", "map[", "]"));
        }
        if (value.isArray()) {
            return value.valueStream().map(FieldValidation::goText).collect(Collectors.joining(" ", "[", "]"));
        }
        return value.isNull() ? "<nil>" : value.asString();
    }
}
