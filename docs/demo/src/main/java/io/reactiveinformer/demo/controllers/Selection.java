package io.reactiveinformer.demo.controllers;

import io.kubernetes.client.openapi.models.V1LabelSelector;
import io.kubernetes.client.openapi.models.V1LabelSelectorRequirement;
import java.util.Map;

/** Evaluates label selectors of specs. */
final class Selection {

    private Selection() {}

    /** Whether the selector matches. An empty one matches nothing, since a controller would adopt every object by it. */
    static boolean matches(V1LabelSelector selector, Map<String, String> labels) {
        Map<String, String> wanted = Meta.orEmpty(selector.getMatchLabels());
        var requirements = selector.getMatchExpressions();
        boolean asks = !wanted.isEmpty() || requirements != null && !requirements.isEmpty();
        return asks
                && labels.entrySet().containsAll(wanted.entrySet())
                && (requirements == null || requirements.stream().allMatch(requirement -> holds(requirement, labels)));
    }

    private static boolean holds(V1LabelSelectorRequirement requirement, Map<String, String> labels) {
        boolean has = labels.containsKey(requirement.getKey());
        boolean among = has && requirement.getValues() != null && requirement.getValues().contains(labels.get(requirement.getKey()));
        return switch (requirement.getOperator()) {
            case "In" -> among;
            case "NotIn" -> !among;
            case "Exists" -> has;
            case "DoesNotExist" -> !has;
            default -> false;
        };
    }
}
