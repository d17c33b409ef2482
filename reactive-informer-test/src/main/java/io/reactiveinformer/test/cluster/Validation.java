package io.reactiveinformer.test.cluster;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The checks that tests meet: names, finalizers of what is being deleted, required versions. By far not all of the real server's. */
final class Validation {

    private static final Pattern SUBDOMAIN = Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");
    private static final String NOT_A_SUBDOMAIN = "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', "
            + "and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is "
            + "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

    /** Their names are paths, and may have capitals and colons. */
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

    static ApiFailure versionRequired(ResourceDefinition type, String name) {
        return invalid(
                type,
                name,
                "FieldValueInvalid",
                "Invalid value: 0: must be specified for an update",
                "metadata.resourceVersion");
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
                    "Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{" + names + "}",
                    "metadata.finalizers");
            // The real server checks this twice, and says so twice.
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
