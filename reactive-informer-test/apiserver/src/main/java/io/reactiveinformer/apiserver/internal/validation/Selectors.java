package io.reactiveinformer.apiserver.internal.validation;

import java.util.Map;
import tools.jackson.databind.JsonNode;

/** Label selectors as objects: {@code matchLabels} and {@code matchExpressions}. */
public final class Selectors {

    private Selectors() {}

    static void check(Value selector) {
        MetadataRules.labels(selector.at("matchLabels"));
        for (Value expression : selector.at("matchExpressions").items()) {
            Value values = expression.at("values");
            switch (expression.at("operator").text()) {
                case "In", "NotIn" -> {
                    if (values.isEmpty()) {
                        values.required("must be specified when `operator` is 'In' or 'NotIn'");
                    }
                }
                case "Exists", "DoesNotExist" -> {
                    if (!values.isEmpty()) {
                        values.forbidden("may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
                    }
                }
                default -> expression.at("operator").invalid("not a valid selector operator");
            }
            expression.at("key").invalid(Names.key(expression.at("key").text()));
            values.items().forEach(value -> value.invalid(Names.labelValue(value.text())));
        }
    }

    static boolean isEmpty(Value selector) {
        return selector.at("matchLabels").isEmpty() && selector.at("matchExpressions").isEmpty();
    }

    /** Whether the labels of an object match; an empty selector matches all. */
    public static boolean matches(JsonNode selector, JsonNode object) {
        return matches(Value.root(selector), object.path("metadata").path("labels"));
    }

    static boolean matches(Value selector, JsonNode labels) {
        for (Map.Entry<String, JsonNode> label : selector.at("matchLabels").node().properties()) {
            if (!label.getValue().equals(labels.path(label.getKey()))) {
                return false;
            }
        }
        for (Value expression : selector.at("matchExpressions").items()) {
            JsonNode label = labels.path(expression.at("key").text());
            boolean among = expression.at("values").items().stream().anyMatch(value -> value.node().equals(label));
            boolean matches = switch (expression.at("operator").text()) {
                case "In" -> among;
                case "NotIn" -> !among;
                case "Exists" -> !label.isMissingNode();
                default -> label.isMissingNode();
            };
            if (!matches) {
                return false;
            }
        }
        return true;
    }
}
