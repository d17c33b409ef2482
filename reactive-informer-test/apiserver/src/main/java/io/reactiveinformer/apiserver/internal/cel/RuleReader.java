package io.reactiveinformer.apiserver.internal.cel;

import dev.cel.bundle.Cel;
import dev.cel.common.types.CelType;
import dev.cel.common.types.OptionalType;
import dev.cel.common.types.SimpleType;
import io.reactiveinformer.apiserver.internal.validation.Problem;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.NullNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/** Compiles the rules of a schema. What is wrong with them is added to the problems. */
record RuleReader(List<Problem> problems) {

    private static final List<String> REASONS =
            List.of("FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired");
    private static final List<String> NAMES = List.of("rule", "message", "messageExpression", "reason", "fieldPath", "optionalOldSelf");
    private static final Pattern STEP = Pattern.compile("\\.([^.\\[\\]]+)|\\['((?:[^'\\\\]|\\\\.)*)']");


    /** @param uncorrelated the path of the list whose items have no former values; empty for none */
    @Nullable Level read(JsonNode schema, String path, String uncorrelated) {
        var types = new SchemaTypes();
        Optional<CelType> type = schema.findValue(SchemaRules.FIELD) == null ? Optional.empty() : types.of(schema, "selfType");
        if (type.isEmpty()) {
            return null;
        }
        String below = !uncorrelated.isEmpty() || schema.has("x-kubernetes-list-map-keys") ? uncorrelated : path;
        Level items = read(schema.path("items"), path + ".items", below);
        Level values = read(schema.path("additionalProperties"), path + ".additionalProperties", uncorrelated);
        Map<String, Level> fields = new LinkedHashMap<>();
        for (Map.Entry<String, JsonNode> property : schema.path("properties").properties()) {
            String field = property.getKey();
            Level found = read(property.getValue(), path + ".properties[" + field + "]", uncorrelated);
            if (found != null) {
                fields.put(field, found);
            }
        }
        List<Level.Rule> rules = new ArrayList<>();
        int i = 0;
        for (JsonNode rule : schema.path(SchemaRules.FIELD)) {
            Level.Rule compiled = rule(schema, types, rule, path + "." + SchemaRules.FIELD + "[" + i++ + "].", uncorrelated);
            if (compiled != null) {
                rules.add(compiled);
            }
        }
        return new Level(schema, rules, fields, values, items);
    }

    private Level.@Nullable Rule rule(JsonNode schema, SchemaTypes types, JsonNode source, String path, String uncorrelated) {
        String fieldPath = fieldPath(schema, source.path("fieldPath").asString(""));
        if (fieldPath == null) {
            invalid(path + "fieldPath", source.path("fieldPath"), "must be a valid path");
        }
        if (isMisused(source, path) || fieldPath == null) {
            return null;
        }
        boolean optional = source.path("optionalOldSelf").asBoolean(false);
        CelType type = types.of(schema, "selfType").orElseThrow();
        Cel cel = Expression.LANGUAGE.toCelBuilder().setTypeProvider(types).addVar("self", type)
                .addVar("oldSelf", optional ? OptionalType.create(type) : type).build();
        Expression condition = compiled(cel, source, "rule", path);
        Expression message = source.has("messageExpression") ? compiled(cel, source, "messageExpression", path) : null;
        if (condition == null) {
            return null;
        }
        if (!condition.names().contains("oldSelf")) {
            if (source.has("optionalOldSelf")) {
                invalid(path + "optionalOldSelf", source.path("optionalOldSelf"), "may not be set if oldSelf is not used in rule");
            }
        } else if (!uncorrelated.isEmpty()) {
            invalid(path + "rule", source.path("rule"), "oldSelf cannot be used on the uncorrelatable portion of the schema within "
                    + uncorrelated);
        }
        return new Level.Rule(source, condition, message, fieldPath);
    }

    private boolean isMisused(JsonNode source, String path) {
        int before = problems.size();
        String rule = source.path("rule").asString("").strip();
        String message = source.path("message").asString("").strip();
        if (rule.isEmpty()) {
            problems.add(new Problem("FieldValueRequired", "Required value: rule is not specified", path + "rule"));
        } else if (message.isEmpty() && !source.path("message").asString("").isEmpty()) {
            invalid(path + "message", source.path("message"), "must be non-empty if specified");
        } else if (message.contains("\n")) {
            invalid(path + "message", source.path("message"), "must not contain line breaks");
        } else if (rule.contains("\n") && message.isEmpty()) {
            problems.add(new Problem("FieldValueRequired", "Required value: message must be specified if rule contains line breaks",
                    path + "message"));
        }
        String reason = source.path("reason").asString("FieldValueInvalid");
        if (!REASONS.contains(reason)) {
            problems.add(new Problem("FieldValueNotSupported", "Unsupported value: \"" + reason + "\": supported values: \""
                    + String.join("\", \"", REASONS) + "\"", path + "reason"));
        }
        return problems.size() > before;
    }

    private void invalid(String path, JsonNode value, String why) {
        problems.add(new Problem("FieldValueInvalid", "Invalid value: " + value + ": " + why, path));
    }

    private @Nullable Expression compiled(Cel cel, JsonNode source, String field, String path) {
        boolean isRule = field.equals("rule");
        String why = isRule ? "cel expression must evaluate to a bool" : "messageExpression must evaluate to a string";
        try {
            Expression expression = Expression.compile(cel, source.path(field).asString(""));
            if (expression.type().equals(isRule ? SimpleType.BOOL : SimpleType.STRING)) {
                return expression;
            }
        } catch (Expression.Failure failure) {
            why = (isRule ? "" : "messageExpression ") + failure.getMessage();
        }
        ObjectNode shown = JsonNodeFactory.instance.objectNode();
        NAMES.forEach(name -> shown.set(Character.toUpperCase(name.charAt(0)) + name.substring(1),
                source.has(name) ? source.path(name) : name.equals("reason") || name.equals("optionalOldSelf") ? NullNode.getInstance()
                        : StringNode.valueOf("")));
        problems.add(new Problem("FieldValueInvalid", "Invalid value: "
                + shown.toString().replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026") + ": " + why, path + field));
        return null;
    }

    /** The path below the rule's own, such as {@code .a[b]}; null if the schema has no such path. */
    private static @Nullable String fieldPath(JsonNode schema, String path) {
        var found = new StringBuilder();
        JsonNode at = schema;
        Matcher step = STEP.matcher(path);
        int end = 0;
        for (; step.find() && step.start() == end; end = step.end()) {
            String name = step.group(1) != null ? step.group(1) : step.group(2).replaceAll("\\\\(.)", "$1");
            found.append(at.has("properties") ? "." + name : "[" + name + "]");
            at = at.has("properties") ? at.path("properties").path(name) : at.path("additionalProperties");
            if (!at.isObject()) {
                return null;
            }
        }
        return end == path.length() ? found.toString() : null;
    }
}
