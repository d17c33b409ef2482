package io.reactiveinformer.apiserver.internal.cel;

import io.reactiveinformer.apiserver.internal.validation.Problem;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/** The rules of one level of a schema, and those of the levels below. */
record Level(JsonNode schema, List<Rule> rules, Map<String, Level> fields, @Nullable Level values, @Nullable Level items) {

    private static final int LONGEST_MESSAGE = 5 * 1024;
    private static final Comparator<JsonNode> BY_VALUE = (one, other) -> one.isNumber() && other.isNumber()
            ? one.decimalValue().compareTo(other.decimalValue()) : one.equals(other) ? 0 : 1;

    /**
     * One rule.
     *
     * @param fieldPath where its problems are reported, below the value that it checks, such as {@code .name}
     */
    record Rule(JsonNode source, Expression condition, @Nullable Expression message, String fieldPath) {

        String text(String name) {
            return source.path(name).asString("").strip();
        }

        /** What is said of a value that breaks it. */
        String message(Map<String, Object> variables) throws Expression.Failure {
            String own = "";
            if (message != null) {
                try {
                    own = String.valueOf(message.value(variables)).strip();
                } catch (Expression.Failure failure) {
                    if (failure.isLimit()) {
                        throw failure;
                    }
                }
            }
            return own.isEmpty() || own.contains("\n") || own.length() > LONGEST_MESSAGE
                    ? text("message").isEmpty() ? "failed rule: " + text("rule") : text("message") : own;
        }

        /** How the server names the rule. */
        String shown() {
            return text("message").isEmpty() ? text("rule") : text("message");
        }
    }

    /** @return whether more rules are to be checked: not after one that has taken too long */
    boolean check(String path, JsonNode old, JsonNode value, boolean within, List<Problem> problems) {
        boolean unchanged = within || value.equals(BY_VALUE, old);
        for (Rule rule : value.isNull() ? List.<Rule>of() : rules) {
            if (!check(rule, path, old, value, unchanged, problems)) {
                return false;
            }
        }
        for (int i = 0; items != null && value.isArray() && i < value.size(); i++) {
            if (!items.check(path + "[" + i + "]", former(old, value.path(i)), value.path(i), unchanged, problems)) {
                return false;
            }
        }
        for (Map.Entry<String, JsonNode> field : value.properties()) {
            Level below = fields.getOrDefault(field.getKey(), values);
            String name = fields.containsKey(field.getKey()) ? (path + "." + field.getKey()).replaceFirst("^\\.", "")
                    : path + "[" + field.getKey() + "]";
            if (below != null && !below.check(name, old.path(field.getKey()), field.getValue(), unchanged, problems)) {
                return false;
            }
        }
        return true;
    }

    /** The item that an item replaces: only in a list with keys can this be told. */
    private JsonNode former(JsonNode old, JsonNode item) {
        JsonNode keys = schema.path("x-kubernetes-list-map-keys");
        return old.valueStream().filter(each -> !keys.isEmpty()
                && keys.valueStream().allMatch(key -> each.path(key.asString()).equals(item.path(key.asString()))))
                .findFirst().orElse(MissingNode.getInstance());
    }

    private boolean check(Rule rule, String path, JsonNode old, JsonNode value, boolean unchanged, List<Problem> problems) {
        boolean optional = rule.source().path("optionalOldSelf").asBoolean(false);
        boolean transition = rule.condition().names().contains("oldSelf");
        if (transition && !optional && (old.isMissingNode() || old.isNull())) {
            return true;
        }
        Map<String, Object> variables = new HashMap<>(Map.of("self", SchemaTypes.value(schema, value)));
        if (optional) {
            variables.put("oldSelf", old.isMissingNode() ? Optional.empty() : Optional.of(SchemaTypes.value(schema, old)));
        } else {
            variables.put("oldSelf", SchemaTypes.value(schema, old));
        }
        String type = "Invalid value: \"" + schema.path("type").asString("") + "\": ";
        try {
            if (!rule.condition().value(variables).equals(true)) {
                String field = path + rule.fieldPath();
                Problem problem = refusal(rule, value, rule.message(variables), field.startsWith(".") ? field.substring(1) : field);
                problems.add(transition || !unchanged ? problem : new Problem("", problem.message(), problem.field()));
            }
        } catch (Expression.Failure failure) {
            String why = String.valueOf(failure.getMessage());
            problems.add(new Problem("FieldValueInvalid", type + (failure.isLimit()
                    ? "'" + why + "': no further validation rules will be run due to call cost exceeds limit for rule: "
                    : why.equals("no such overload")
                    ? "'" + why + "': call arguments did not match a supported operator, function or macro signature for rule: "
                    : why + " evaluating rule: ") + rule.shown(), shown(path)));
            return !failure.isLimit();
        }
        return true;
    }

    private static Problem refusal(Rule rule, JsonNode value, String message, String field) {
        String shown = value.isContainer() ? "" : ": " + value;
        return switch (rule.text("reason")) {
            case "FieldValueForbidden" -> new Problem("FieldValueForbidden", "Forbidden: " + message, shown(field));
            case "FieldValueRequired" -> new Problem("FieldValueRequired", "Required value: " + message, shown(field));
            case "FieldValueDuplicate" -> new Problem("FieldValueDuplicate", "Duplicate value" + shown, shown(field));
            default -> new Problem("FieldValueInvalid", "Invalid value" + shown + ": " + message, shown(field));
        };
    }

    private static String shown(String path) {
        return path.isEmpty() ? "<nil>" : path;
    }
}
