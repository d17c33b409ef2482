package io.reactiveinformer.apiserver.internal.validation;

import java.util.List;
import tools.jackson.databind.JsonNode;

/** Label selectors as objects: {@code matchLabels} and {@code matchExpressions}. */
public final class Selectors {

    private Selectors() {}

    static void check(Value selector) {
        MetadataRules.labels(selector.at("matchLabels"));
        for (Value expression : selector.at("matchExpressions").items()) {
            expression(expression, false);
            expression.at("values").items().forEach(value -> value.invalid(Names.labelValue(value.text())));
        }
    }

    /** The rules of a requirement for labels, or for nodes, which alone have Gt and Lt. */
    static void expression(Value expression, boolean ofNodes) {
        Value values = expression.at("values");
        String operator = expression.at("operator").text();
        switch (operator) {
            case "In", "NotIn" -> values.require("must be specified when `operator` is 'In' or 'NotIn'");
            case "Exists", "DoesNotExist" ->
                    values.forbiddenIf(!values.isEmpty(), "may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
            default -> {
                if (!ofNodes || !List.of("Gt", "Lt").contains(operator)) {
                    expression.at("operator").invalid("not a valid selector operator");
                } else if (values.node().size() != 1) {
                    values.required("must be specified single value when `operator` is 'Lt' or 'Gt'");
                }
            }
        }
        expression.at("key").invalid(Names.key(expression.at("key").text()));
    }

    static boolean isEmpty(Value selector) {
        return selector.at("matchLabels").isEmpty() && selector.at("matchExpressions").isEmpty();
    }

    /** Whether the labels of an object match; an empty selector matches all. */
    public static boolean matches(JsonNode selector, JsonNode object) {
        return matches(Value.root(selector), object.path("metadata").path("labels"));
    }

    static boolean matches(Value selector, JsonNode labels) {
        return contain(labels, selector.at("matchLabels")) && selector.at("matchExpressions").items().stream().allMatch(expression -> {
            JsonNode label = labels.path(expression.at("key").text());
            boolean among = expression.at("values").items().stream().anyMatch(value -> value.node().equals(label));
            return switch (expression.at("operator").text()) {
                case "In" -> among;
                case "NotIn" -> !among;
                case "Exists" -> !label.isMissingNode();
                default -> label.isMissingNode();
            };
        });
    }

    /** Whether all labels that are wanted are there. */
    static boolean contain(JsonNode labels, Value wanted) {
        return wanted.node().propertyStream().allMatch(label -> label.getValue().equals(labels.path(label.getKey())));
    }
}
