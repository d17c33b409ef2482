package io.reactiveinformer.apiserver.internal.cluster;

import io.reactiveinformer.apiserver.internal.cel.Policy;
import io.reactiveinformer.apiserver.internal.validation.BuiltInRules;
import io.reactiveinformer.apiserver.internal.validation.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Refuses objects that break the rules of their type, with all that is wrong with them. */
final class Validation {

    private static final String LATER_EVENTS = "events.events.k8s.io";
    private static final Map<String, Integer> LONGEST_OF_AN_EVENT =
            Map.of("note", 1024, "reason", 128, "action", 128, "reportingInstance", 128);

    private Validation() {}

    private static int bytes(String text) {
        return Json.utf8(text).length;
    }

    static ApiFailure versionRequired(ResourceDefinition type, String name) {
        return ApiFailure.invalid(
                type.group(),
                type.plural(),
                name,
                List.of(new Problem(
                        "FieldValueInvalid", "Invalid value: 0: must be specified for an update", "metadata.resourceVersion")));
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
        if (!type.isCustom() && whole && !type.qualified().equals(LATER_EVENTS)) {
            problems.addAll(BuiltInRules.object(type.qualified(), subresource.isEmpty() ? old : null, tree));
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
            throw ApiFailure.invalid(type.group(), type.kind(), Json.text(tree, "metadata", "name"), problems.stream()
                    .toList());
        }
        if (type.qualified().equals(LATER_EVENTS)) {
            event(old, tree);
        } else if (type.isCustom()) {
            CustomSchema.check(type, subresource, old, tree, warnings);
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
        return ApiFailure.invalid("", "Event", name, List.of(new Problem(reason, message, field)));
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
        Set<String> names = new TreeSet<>();
        tree.path("metadata").path("finalizers").forEach(name -> names.add(name.asString()));
        return names;
    }
}
