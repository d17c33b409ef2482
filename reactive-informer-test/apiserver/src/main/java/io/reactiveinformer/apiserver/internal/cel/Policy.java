package io.reactiveinformer.apiserver.internal.cel;

import com.google.common.collect.ImmutableSet;
import dev.cel.bundle.Cel;
import dev.cel.bundle.CelBuilder;
import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.StructType;
import io.reactiveinformer.apiserver.internal.validation.Problem;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The expressions of a ValidatingAdmissionPolicy. */
public final class Policy {

    /** The schemas of the variables that have one. */
    private static final JsonNode SCHEMAS = JsonMapper.shared().readTree("""
            {"request": {"type": "object", "properties": {"kind": {"type": "object", "properties": {"group": {"type": "string"},
            "version": {"type": "string"}, "kind": {"type": "string"}}},
            "resource": {"type": "object", "properties": {"group": {"type": "string"}, "version": {"type": "string"},
            "resource": {"type": "string"}}}, "subResource": {"type": "string"},
            "requestKind": {"type": "object", "properties": {"group": {"type": "string"}, "version": {"type": "string"},
            "kind": {"type": "string"}}}, "requestResource": {"type": "object", "properties": {"group": {"type": "string"},
            "version": {"type": "string"}, "resource": {"type": "string"}}}, "requestSubResource": {"type": "string"},
            "name": {"type": "string"}, "namespace": {"type": "string"}, "operation": {"type": "string"},
            "userInfo": {"type": "object", "properties": {"username": {"type": "string"}, "uid": {"type": "string"},
            "groups": {"type": "array", "items": {"type": "string"}},
            "extra": {"type": "object", "additionalProperties": {"type": "array", "items": {"type": "string"}}}}},
            "dryRun": {"type": "boolean"}, "options": {"x-kubernetes-int-or-string": true}}, "x-own-names": true},
            "namespaceObject": {"type": "object", "properties": {"metadata": {"type": "object", "properties": {"name": {"type": "string"},
            "generateName": {"type": "string"}, "namespace": {"type": "string"},
            "labels": {"type": "object", "additionalProperties": {"type": "string"}},
            "annotations": {"type": "object", "additionalProperties": {"type": "string"}}, "UID": {"type": "string"},
            "creationTimestamp": {"type": "string", "format": "date-time"}, "deletionGracePeriodSeconds": {"type": "integer"},
            "deletionTimestamp": {"type": "string", "format": "date-time"}, "generation": {"type": "integer"},
            "resourceVersion": {"type": "string"}, "finalizers": {"type": "array", "items": {"type": "string"}}},
            "x-own-names": true},
            "spec": {"type": "object", "properties": {"finalizers": {"type": "array", "items": {"type": "string"}}}},
            "status": {"type": "object", "properties": {"phase": {"type": "string"},
            "conditions": {"type": "array", "items": {"type": "object", "properties": {"status": {"type": "string"},
            "type": {"type": "string"}, "lastTransitionTime": {"type": "string", "format": "date-time"},
            "message": {"type": "string"}, "reason": {"type": "string"}}}}}}}}}
            """);

    /**
     * Why a policy does not want a write.
     *
     * @param reason empty for the usual one
     * @param always whether that refuses the write whatever a binding says
     */
    public record Denial(String reason, String message, boolean always) {}

    private record Check(JsonNode source, @Nullable Expression expression, @Nullable Expression message) {
        String text() {
            return source.path("expression").asString(source.path("valueExpression").asString(""));
        }
    }

    private final SchemaTypes types = new SchemaTypes();
    private final Map<String, Expression> variables = new LinkedHashMap<>();
    private final List<Check> conditions = new ArrayList<>();
    private final List<Check> validations = new ArrayList<>();
    private final List<Check> annotations = new ArrayList<>();
    private final List<Problem> problems = new ArrayList<>();
    private final boolean failing;

    /**
     * Compiles what can be compiled of a policy's {@code spec}, or of a webhook, which has conditions alone.
     *
     * @param path where it stands
     */
    @SuppressWarnings("Immutable") // a variable sees those before it, which do not change
    public Policy(JsonNode spec, String path) {
        this.failing = !spec.path("failurePolicy").asString("").equals("Ignore");
        JsonNode constraints = spec.path("matchConstraints");
        required(constraints.isObject() && constraints.path("resourceRules").isEmpty(), "", "spec.matchConstraints.resourceRules");
        CelBuilder cel = Expression.LANGUAGE.toCelBuilder().setTypeProvider(types)
                .addVar("object", SimpleType.DYN).addVar("oldObject", SimpleType.DYN)
                .addVar("request", types.of(SCHEMAS.path("request"), "kubernetes.AdmissionRequest").orElseThrow())
                .addVar("namespaceObject", types.of(SCHEMAS.path("namespaceObject"), "kubernetes.Namespace").orElseThrow());
        if (spec.has("paramKind")) {
            cel.addVar("params", SimpleType.DYN);
        }
        Cel known = cel.build();
        checks(spec, path, "matchConditions", known, conditions);
        Cel all = known;
        int i = 0;
        for (JsonNode variable : spec.path("variables")) {
            Expression expression = compile(all, variable, "expression", List.of(), path + ".variables[" + i++ + "]");
            if (expression != null) {
                variables.put(variable.path("name").asString(""), expression);
            }
            StructType type = StructType.create("kubernetes.variables", ImmutableSet.copyOf(variables.keySet()),
                    name -> Optional.ofNullable(variables.get(name)).map(Expression::type));
            types.add(type);
            all = known.toCelBuilder().setTypeProvider(types).addVar("variables", type).build();
        }
        checks(spec, path, "validations", all, validations);
        checks(spec, path, "auditAnnotations", all, annotations);
        required(path.equals("spec") && validations.isEmpty() && annotations.isEmpty(),
                ": validations or auditAnnotations must contain at least one item", "spec.validations", "spec.auditAnnotations");
    }

    private void required(boolean missing, String why, String... fields) {
        Stream.of(fields).filter(field -> missing).forEach(field ->
                problems.add(new Problem("FieldValueRequired", "Required value" + why, field)));
    }

    /** What is wrong with the expressions. */
    public List<Problem> problems() {
        return problems;
    }

    private void checks(JsonNode spec, String path, String field, Cel cel, List<Check> checks) {
        for (JsonNode source : spec.path(field)) {
            String at = path + "." + field + "[" + checks.size() + "]";
            checks.add(new Check(source, source.has("valueExpression")
                    ? compile(cel, source, "valueExpression", List.of(SimpleType.STRING, SimpleType.NULL_TYPE), at)
                    : compile(cel, source, "expression", List.of(SimpleType.BOOL), at), source.has("messageExpression")
                    ? compile(cel, source, "messageExpression", List.of(SimpleType.STRING), at) : null));
        }
    }

    private @Nullable Expression compile(Cel cel, JsonNode source, String field, List<CelType> types, String path) {
        String text = source.path(field).asString("");
        String why;
        try {
            Expression expression = Expression.compile(cel, text);
            if (types.isEmpty() || types.contains(expression.type())) {
                return expression;
            }
            String wanted = types.stream().map(CelType::name).collect(Collectors.joining(" "));
            why = "must evaluate to " + (types.size() > 1 ? "one of [" + wanted + "]" : wanted) + " but got " + expression.type().name();
        } catch (Expression.Failure failure) {
            why = String.valueOf(failure.getMessage());
        }
        problems.add(new Problem("FieldValueInvalid", "Invalid value: " + source.path(field) + ": " + why, path + "." + field));
        return null;
    }

    /**
     * Why the policy does not want a write; nothing if it has no objection, or its conditions do not match.
     *
     * @param inputs the values of {@code object}, {@code oldObject}, {@code request}, {@code namespaceObject} and {@code params}
     */
    public List<Denial> denials(Map<String, JsonNode> inputs) {
        Map<String, Object> values = values(inputs);
        List<Denial> denials = new ArrayList<>();
        if (isMet(values, denials) && denials.isEmpty()) {
            validations.forEach(validation -> {
                if (!passes(validation, values, denials)) {
                    denials.add(new Denial(validation.source().path("reason").asString(""), message(validation, values), false));
                }
            });
            annotations.forEach(annotation -> passes(annotation, values, denials));
        }
        return denials;
    }

    /** Whether the conditions match a write; {@code wrong} gets why this cannot be told, which refuses the write. */
    public boolean matches(Map<String, JsonNode> inputs, List<Denial> wrong) {
        return isMet(values(inputs), wrong);
    }

    private Map<String, Object> values(Map<String, JsonNode> inputs) {
        Map<String, Object> values = new HashMap<>();
        inputs.forEach((name, value) -> values.put(name, SchemaTypes.value(SCHEMAS.path(name), value)));
        values.put("variables", new Lazy(values));
        return values;
    }

    private boolean isMet(Map<String, Object> values, List<Denial> wrong) {
        for (Check condition : conditions) {
            if (!passes(condition, values, wrong)) {
                wrong.clear();
                return false;
            }
        }
        return true;
    }

    private boolean passes(Check check, Map<String, Object> values, List<Denial> denials) {
        try {
            return check.expression() == null || check.expression().value(values).equals(true);
        } catch (Expression.Failure failure) {
            if (failing) {
                denials.add(new Denial("", "expression '" + check.text() + "' resulted in error: " + failure.getMessage(),
                        annotations.contains(check)));
            }
            return failing || validations.contains(check);
        }
    }

    private static String message(Check check, Map<String, Object> values) {
        String own = "";
        try {
            own = check.message() == null ? "" : String.valueOf(check.message().value(values)).strip();
        } catch (Expression.Failure none) {
            own = ""; // the other message is for this case
        }
        String fixed = check.source().path("message").asString("").strip();
        return !own.isEmpty() && !own.contains("\n") ? own
                : !fixed.isEmpty() ? fixed : "failed expression: " + check.source().path("expression").asString("").strip();
    }

    /** The variables of the policy, each evaluated when it is asked for. */
    private final class Lazy extends AbstractMap<String, Object> {
        private final Map<String, Object> inputs;
        private final Map<String, Object> known = new HashMap<>();

        Lazy(Map<String, Object> inputs) {
            this.inputs = inputs;
        }

        @Override
        public boolean containsKey(Object name) {
            return variables.containsKey(name);
        }

        @Override
        public @Nullable Object get(Object name) {
            Expression expression = variables.get(name);
            if (expression != null && !known.containsKey(name)) {
                try {
                    known.put((String) name, expression.value(inputs));
                } catch (Expression.Failure failure) {
                    throw new IllegalArgumentException("composited variable \"" + name + "\" fails to evaluate: " + failure.getMessage());
                }
            }
            return known.get(name);
        }

        @Override
        public Set<Entry<String, Object>> entrySet() {
            return Set.of();
        }
    }
}
