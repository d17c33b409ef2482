package io.reactiveinformer.resource;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A label selector with the semantics of the server: every requirement must match. Selectors that differ only in the order or the spelling
 * of the requirements are equal, and have the same text.
 */
record LabelSelector(List<LabelRequirement> requirements) {

    LabelSelector {
        requirements = requirements.stream().distinct().sorted(LabelRequirement.ORDER).toList();
    }

    /** @throws IllegalArgumentException if {@code text} is not in the server's syntax; the message names the position */
    static LabelSelector parse(String text) {
        return new LabelSelector(new LabelSelectorParser(text).parse());
    }

    boolean matches(Map<String, String> labels) {
        for (LabelRequirement requirement : requirements) {
            if (!requirement.matches(labels)) {
                return false;
            }
        }
        return true;
    }

    @Override
    public String toString() {
        return requirements.stream().map(LabelRequirement::toString).collect(Collectors.joining(","));
    }
}
