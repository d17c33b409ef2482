package io.reactiveinformer.apiserver.internal.cluster;

import io.reactiveinformer.apiserver.internal.validation.Names;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/**
 * A label selector such as {@code app=web,tier!=cache,env in (a, b),!canary}. On purpose not the library's parser: a server that shared the
 * parser of its client would repeat its mistakes.
 */
public record LabelSelector(List<Requirement> requirements) {

    public static final LabelSelector ANY = new LabelSelector(List.of());

    /** The operators by their names in text, and in objects. */
    private static final Map<String, Operator> OPERATORS = Map.of("=", Operator.IN, "==", Operator.IN, "!=", Operator.NOT_IN,
            "in", Operator.IN, "notin", Operator.NOT_IN, ">", Operator.GREATER, "<", Operator.LESS,
            "In", Operator.IN, "NotIn", Operator.NOT_IN, "Exists", Operator.EXISTS);

    /** @param values of which the label must have one, or must have none; ignored for existence */
    record Requirement(String label, Operator operator, List<String> values) {

        boolean matches(Map<String, String> labels) {
            String value = labels.get(label);
            return switch (operator) {
                case EXISTS -> value != null;
                case ABSENT -> value == null;
                case IN -> value != null && values.contains(value);
                case NOT_IN -> value == null || !values.contains(value);
                case GREATER -> value != null && isNumber(value) && new BigInteger(value).compareTo(new BigInteger(values.get(0))) > 0;
                case LESS -> value != null && isNumber(value) && new BigInteger(value).compareTo(new BigInteger(values.get(0))) < 0;
            };
        }

        private static boolean isNumber(String value) {
            return value.matches("[+-]?[0-9]+") && new BigInteger(value).bitLength() < Long.SIZE;
        }
    }

    enum Operator {
        EXISTS, ABSENT, IN, NOT_IN, GREATER, LESS
    }

    /**
     * Parses the text of a label selector; empty text selects everything.
     *
     * @throws ApiFailure with the server's message, if it cannot be parsed
     */
    public static LabelSelector parse(String text) {
        return text.isBlank() ? ANY : new LabelSelector(new Parser(text).requirements());
    }

    /** The selector that an object such as {@code {matchLabels: …, matchExpressions: …}} is. */
    public static LabelSelector of(JsonNode selector) {
        List<Requirement> requirements = new ArrayList<>();
        selector.path("matchLabels").properties().forEach(label ->
                requirements.add(new Requirement(label.getKey(), Operator.IN, List.of(label.getValue().asString("")))));
        selector.path("matchExpressions").forEach(each -> requirements.add(new Requirement(
                Json.text(each, "key"),
                OPERATORS.getOrDefault(Json.text(each, "operator"), Operator.ABSENT),
                BuiltInTypes.strings(each.path("values")))));
        return new LabelSelector(requirements);
    }

    /** Whether the labels of an object match. */
    public boolean matches(JsonNode labels) {
        return matches(ObjectForm.labels(labels));
    }

    boolean isAny() {
        return requirements.isEmpty();
    }

    boolean matches(Map<String, String> labels) {
        return requirements.stream().allMatch(requirement -> requirement.matches(labels));
    }

    private static final class Parser {

        private static final Pattern TOKEN = Pattern.compile("[(),]|==|!=|[=!<>]|[^\\s(),=!<>]+");

        private final List<String> tokens;
        private int at;

        Parser(String text) {
            this.tokens = TOKEN.matcher(text).results().map(MatchResult::group).toList();
        }

        List<Requirement> requirements() {
            List<Requirement> requirements = new ArrayList<>();
            String expected = "!, identifier, or 'end of string'";
            do {
                if (!peek().equals("!") && !isWord()) {
                    throw ApiFailure.badRequest("found '" + peek() + "', expected: " + expected);
                }
                requirements.add(requirement());
                expected = "identifier after ','";
            } while (next(","));
            if (at < tokens.size()) {
                throw ApiFailure.badRequest("found '" + peek() + "', expected: ',' or 'end of string'");
            }
            return List.copyOf(requirements);
        }

        private boolean isWord() {
            return !peek().isEmpty() && "(),=!<>".indexOf(peek().charAt(0)) < 0;
        }

        private Requirement requirement() {
            boolean absent = next("!");
            String label = word();
            String wrong = String.join("; ", Names.key(label));
            if (!wrong.isEmpty()) {
                throw failure("<nil>: Invalid value: \"" + label.replace("\"", "\\\"") + "\": " + wrong);
            }
            if (absent || peek().isEmpty() || peek().equals(",")) {
                return new Requirement(label, absent ? Operator.ABSENT : Operator.EXISTS, List.of());
            }
            String sign = peek();
            Operator operator = OPERATORS.get(sign);
            if (operator == null) {
                throw failure("found '" + sign + "', expected: in, notin, =, ==, !=, gt, lt");
            }
            at++;
            List<String> values = sign.endsWith("in") ? values(label) : List.of(value(label, 0));
            if (EnumSet.of(Operator.GREATER, Operator.LESS).contains(operator) && !Requirement.isNumber(values.get(0))) {
                throw failure("values[0]: Invalid value: \"" + values.get(0)
                        + "\": for 'Gt', 'Lt' operators, the value must be an integer");
            }
            return new Requirement(label, operator, values);
        }

        private List<String> values(String label) {
            if (!next("(")) {
                throw failure("found '" + peek() + "' expected: '('");
            }
            var values = new TreeSet<String>();
            int i = 0;
            do {
                values.add(value(label, i++));
            } while (next(","));
            if (!next(")")) {
                throw failure("found '" + peek() + "', expected: ',' or ')'");
            }
            return List.copyOf(values);
        }

        /** Parses a value, which may be empty: {@code app=} requires an empty value. */
        private String value(String label, int index) {
            if (peek().isEmpty() || peek().equals(",") || peek().equals(")")) {
                return "";
            }
            String value = word();
            String wrong = String.join("; ", Names.labelValue(value));
            if (!wrong.isEmpty()) {
                throw failure("values[" + index + "][" + label + "]: Invalid value: \"" + value + "\": " + wrong);
            }
            return value;
        }

        private String word() {
            if (!isWord()) {
                throw failure("found '" + peek() + "', expected: identifier");
            }
            return tokens.get(at++);
        }

        /** Takes the token if it is next. */
        private boolean next(String token) {
            boolean isNext = peek().equals(token);
            at += isNext ? 1 : 0;
            return isNext;
        }

        private String peek() {
            return at < tokens.size() ? tokens.get(at) : "";
        }

        private static ApiFailure failure(String why) {
            return ApiFailure.badRequest("unable to parse requirement: " + why);
        }
    }
}
