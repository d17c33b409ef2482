package io.reactiveinformer.apiserver.internal.cluster;

import io.reactiveinformer.apiserver.internal.cel.Policy;
import io.reactiveinformer.apiserver.internal.validation.BuiltInRules;
import io.reactiveinformer.apiserver.internal.validation.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Refuses objects that break the rules of their type, with all that is wrong with them. */
final class Validation {

    /** Types whose metadata the server checks only if it has found nothing else. */
    private static final Set<String> METADATA_LAST = Set.of("poddisruptionbudgets.policy", "events");

    private Validation() {}

    static ApiFailure versionRequired(ResourceDefinition type, String name) {
        return ApiFailure.invalid(type.group(), type.plural(), name, List.of(new Problem("FieldValueInvalid",
                "Invalid value: 0: must be specified for an update", "metadata.resourceVersion")));
    }

    /**
     * Refuses what the server would refuse of an object.
     *
     * @param subresource empty for the object itself
     * @param old null for a creation
     * @param warnings gets what is wrong but not refused
     */
    static void object(ResourceDefinition type, String subresource, @Nullable ObjectNode old, ObjectNode tree, Consumer<String> warnings) {
        List<Problem> problems = new ArrayList<>(BuiltInRules.metadata(type.qualified(), old, tree));
        if (old != null) {
            problems.addAll(newFinalizers(old, tree));
            problems.addAll(List.copyOf(problems)); // the real server checks this twice, and reports it twice
        }
        boolean whole = subresource.isEmpty() || subresource.equals(WritableFields.EVERYTHING);
        boolean event = EventForms.isCore(type) || EventForms.isLater(type);
        List<Problem> alone = whole ? BuiltInRules.alone(type.qualified(), tree) : List.of();
        if (!alone.isEmpty()) {
            problems.clear();
            problems.addAll(alone);
        } else if (!type.isCustom() && whole) {
            List<Problem> found = BuiltInRules.object(type.qualified(), !subresource.isEmpty() || old == null ? null
                    : event ? EventForms.core(old) : old, event ? EventForms.core(tree) : tree);
            if (METADATA_LAST.contains(type.qualified()) && !found.isEmpty()) {
                problems.clear();
            }
            problems.addAll(event ? 0 : problems.size(), found);
        }
        boolean specified = whole && (old == null || !old.path("spec").equals(tree.path("spec")));
        if (specified && type.qualified().equals(CustomTypes.DEFINITIONS)) {
            problems.addAll(CustomTypes.problems(tree));
        } else if (specified && type.qualified().equals("validatingadmissionpolicies.admissionregistration.k8s.io")) {
            problems.addAll(new Policy(tree.path("spec"), "spec").problems());
        } else if (specified && type.plural().endsWith("webhookconfigurations")) {
            JsonNode webhooks = tree.path("webhooks");
            for (int i = 0; i < webhooks.size(); i++) {
                problems.addAll(new Policy(webhooks.path(i), "webhooks[" + i + "]").problems());
            }
        }
        if (!problems.isEmpty()) {
            if (specified && (type.group().equals("admissionregistration.k8s.io") || type.qualified().equals(CustomTypes.DEFINITIONS))) {
                problems = BuiltInRules.sorted(tree, problems);
            }
            throw ApiFailure.invalid(event ? "" : type.group(), type.kind(), Json.text(tree, "metadata", "name"), List.copyOf(problems));
        }
        if (!tree.path("spec").path("externalIPs").isEmpty() && type.qualified().equals("services")) {
            warnings.accept("spec.externalIPs is deprecated and may no longer be implemented in some clusters");
        }
        if (type.isCustom()) {
            CustomSchema.check(type, subresource, old, tree, warnings);
        }
    }

    /** Only a deletion sets the time of one. */
    static void deletion(ResourceDefinition type, ObjectNode old, JsonNode metadata) {
        List<Problem> problems = Stream.of("deletionTimestamp", "deletionGracePeriodSeconds")
                .filter(field -> metadata.hasNonNull(field) && !old.path("metadata").has(field))
                .map(field -> new Problem("FieldValueInvalid", "Invalid value: " + metadata.path(field) + ": field is immutable",
                        "metadata." + field)).toList();
        if (!problems.isEmpty()) {
            throw ApiFailure.invalid(type.group(), type.kind(), Json.text(old, "metadata", "name"), problems);
        }
    }

    private static List<Problem> newFinalizers(ObjectNode old, ObjectNode tree) {
        Set<String> added = finalizers(tree);
        added.removeAll(finalizers(old));
        String names = added.stream().map(name -> '"' + name + '"').collect(Collectors.joining(", "));
        return added.isEmpty() || !old.path("metadata").has("deletionTimestamp") ? List.of()
                : List.of(new Problem("FieldValueForbidden", "Forbidden: no new finalizers can be added if the object is being deleted,"
                        + " found new finalizers []string{" + names + "}", "metadata.finalizers"));
    }

    private static Set<String> finalizers(JsonNode tree) {
        return new TreeSet<>(BuiltInTypes.strings(tree.path("metadata").path("finalizers")));
    }
}
