package io.reactiveinformer.apiserver.internal.cluster;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The checks that matter in tests: names, finalizers of objects that are being deleted, required versions. Far fewer than the real
 * server's.
 */
final class Validation {

    private static final Pattern SUBDOMAIN = Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");
    private static final int LONGEST_NAME = 253;
    private static final Pattern LABEL = Pattern.compile("(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?");
    private static final int LONGEST_LABEL = 63;
    private static final int MOST_OF_ANNOTATIONS = 256 * 1024;
    private static final Map<String, Integer> LONGEST_OF_AN_EVENT =
            Map.of("note", 1024, "reason", 128, "action", 128, "reportingInstance", 128);
    private static final String NOT_A_SUBDOMAIN =
            "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', "
            + "and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is "
            + "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

    /** Groups whose names are path segments, which may have capitals and colons. */
    private static final Set<String> FREE_NAMES = Set.of("rbac.authorization.k8s.io");

    private Validation() {}

    static void name(ResourceDefinition type, String name) {
        if (name.isEmpty()) {
            throw invalid(type, "", "FieldValueRequired", "Required value: name or generateName is required", "metadata.name");
        }
        if (!FREE_NAMES.contains(type.group()) && !SUBDOMAIN.matcher(name).matches()) {
            throw invalid(type, name, "FieldValueInvalid", "Invalid value: \"" + name + "\": " + NOT_A_SUBDOMAIN, "metadata.name");
        }
    }

    /** The lengths of name, labels and annotations, in bytes as Go counts them. */
    static void lengths(ResourceDefinition type, JsonNode metadata) {
        String name = Json.text(metadata, "name");
        if (name.length() > LONGEST_NAME) {
            throw invalid(type, name, "FieldValueInvalid", "Invalid value: \"" + name + "\": must be no more than 253 characters",
                    "metadata.name");
        }
        metadata.path("labels").forEach(label -> {
            String value = Json.text(label);
            String wrong = labelProblem(value);
            if (!wrong.isEmpty()) {
                throw invalid(type, name, "FieldValueInvalid", "Invalid value: \"" + value + "\": " + wrong, "metadata.labels");
            }
        });
        if (metadata.path("annotations").properties().stream().mapToInt(each -> bytes(each.getKey()) + bytes(Json.text(each.getValue())))
                .sum() > MOST_OF_ANNOTATIONS) {
            throw invalid(type, name, "FieldValueTooLong", "Too long: may not be more than 262144 bytes", "metadata.annotations");
        }
    }

    /** What is wrong with the value of a label; empty if nothing is. */
    static String labelProblem(String value) {
        return bytes(value) > LONGEST_LABEL ? "must be no more than 63 bytes" : LABEL.matcher(value).matches() ? ""
                : "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end"
                + " with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '"
                + LABEL + "')";
    }

    /** What is wrong with the key of a label, whose prefix is checked only for being there; empty if nothing is. */
    static String labelKeyProblem(String key) {
        String name = key.substring(key.indexOf('/') + 1);
        return key.startsWith("/") ? "prefix part must be non-empty"
                : bytes(name) > LONGEST_LABEL ? "name part must be no more than 63 bytes"
                : !name.isEmpty() && LABEL.matcher(name).matches() ? ""
                : (name.isEmpty() ? "name part must be non-empty; " : "")
                + "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric"
                + " character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is "
                + "'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
    }

    private static int bytes(String text) {
        return Json.utf8(text).length;
    }

    static ApiFailure versionRequired(ResourceDefinition type, String name) {
        return ApiFailure.invalid(
                type.group(),
                type.plural(),
                name,
                List.of(new ApiFailure.Cause(
                        "FieldValueInvalid", "Invalid value: 0: must be specified for an update", "metadata.resourceVersion")));
    }

    /**
     * The checks of owners and of single types.
     *
     * @param subresource empty for the object itself
     * @param old null for a creation
     */
    static void object(ResourceDefinition type, String subresource, @Nullable JsonNode old, JsonNode tree) {
        owners(type, tree);
        switch (type.qualified()) {
            case "leases.coordination.k8s.io" -> lease(type, tree);
            case "events.events.k8s.io" -> event(old, tree);
            default -> {
                if (type.isCustom()) {
                    CustomSchema.check(type, subresource, old, tree);
                }
            }
        }
    }

    private static void owners(ResourceDefinition type, JsonNode tree) {
        JsonNode references = tree.path("metadata").path("ownerReferences");
        String first = null;
        for (JsonNode reference : references) {
            if (reference.path("controller").asBoolean(false)) {
                String controller = Json.text(reference, "kind") + "/" + Json.text(reference, "name");
                if (first != null) {
                    throw invalid(
                            type,
                            Json.text(tree, "metadata", "name"),
                            "FieldValueInvalid",
                            "Invalid value: " + references + ": Only one reference can have Controller set to true. "
                                    + "Found \"true\" in references for " + first + " and " + controller,
                            "metadata.ownerReferences");
                }
                first = controller;
            }
        }
    }

    private static void lease(ResourceDefinition type, JsonNode tree) {
        JsonNode duration = tree.path("spec").path("leaseDurationSeconds");
        if (duration.isNumber() && duration.asInt() <= 0) {
            throw invalid(
                    type,
                    Json.text(tree, "metadata", "name"),
                    "FieldValueInvalid",
                    "Invalid value: " + duration.asInt() + ": must be greater than 0",
                    "spec.leaseDurationSeconds");
        }
    }

    private static void event(@Nullable JsonNode old, JsonNode tree) {
        String name = Json.text(tree, "metadata", "name");
        String time = Json.text(tree, "eventTime");
        if (old != null && !Json.text(old, "eventTime").equals(time)) {
            throw wrongEvent(name, "FieldValueInvalid", "Invalid value: \"" + time + "\": field is immutable", "eventTime");
        }
        if (time.isEmpty()) {
            throw wrongEvent(name, "FieldValueRequired", "Required value", "eventTime");
        }
        LONGEST_OF_AN_EVENT.forEach((field, most) -> {
            if (bytes(Json.text(tree, field)) > most) {
                throw wrongEvent(name, "FieldValueInvalid", "Invalid value: \"\": can have at most " + most + " characters",
                        field.equals("note") ? "message" : field);
            }
        });
    }

    /** The real server checks these as events of the core group, and its message says so. */
    private static ApiFailure wrongEvent(String name, String reason, String message, String field) {
        return ApiFailure.invalid("", "Event", name, List.of(new ApiFailure.Cause(reason, message, field)));
    }

    static void update(ResourceDefinition type, ObjectNode old, ObjectNode tree) {
        if (!old.path("metadata").has("deletionTimestamp")) {
            return;
        }
        Set<String> added = finalizers(tree);
        added.removeAll(finalizers(old));
        if (!added.isEmpty()) {
            StringBuilder names = new StringBuilder();
            added.forEach(name -> names.append(names.isEmpty() ? "" : ", ").append('"').append(name).append('"'));
            var cause = new ApiFailure.Cause(
                    "FieldValueForbidden",
                    "Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"
                            + names + "}",
                    "metadata.finalizers");
            // The real server checks this twice, and reports it twice.
            throw ApiFailure.invalid(type.group(), type.kind(), Json.text(tree, "metadata", "name"), List.of(cause, cause));
        }
    }

    private static Set<String> finalizers(JsonNode tree) {
        Set<String> names = new TreeSet<>();
        tree.path("metadata").path("finalizers").forEach(name -> names.add(name.asString()));
        return names;
    }

    static ApiFailure invalid(ResourceDefinition type, String name, String reason, String message, String field) {
        return ApiFailure.invalid(type.group(), type.kind(), name, List.of(new ApiFailure.Cause(reason, message, field)));
    }
}
