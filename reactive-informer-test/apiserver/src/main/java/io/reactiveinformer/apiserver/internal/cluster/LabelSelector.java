package io.reactiveinformer.apiserver.internal.cluster;

import io.reactiveinformer.apiserver.internal.validation.Names;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;

/**
 * A label selector such as {@code app=web,tier!=cache,env in (a, b),!canary}. On purpose not the library's parser: a server that shared the
 * parser of its client would repeat its mistakes.
 */
public record LabelSelector(List<Requirement> requirements) {

    public static final LabelSelector ANY = new LabelSelector(List.of());

    /** @param values of which the label must have one, or must have none; ignored for existence */
    record Requirement(String label, Operator operator, List<String> values) {

        boolean matches(Map<String, String> labels) {
            String value = labels.get(label);
            return switch (operator) {
                case EXISTS -> value != null;
                case ABSENT -> value == null;
                case IN -> value != null && values.contains(value);
                case NOT_IN -> value == null || !values.contains(value);
                case GREATER -> value != null && isNumber(value) && number(value) > number(values.get(0));
                case LESS -> value != null && isNumber(value) && number(value) < number(values.get(0));
            };
        }

        private static boolean isNumber(String value) {
            return value.matches("[+-]?[0-9]+") && new BigInteger(value).bitLength() < Long.SIZE;
        }

        private static long number(String value) {
            return new BigInteger(value).longValue();
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
                switch (Json.text(each, "operator")) {
                    case "In" -> Operator.IN;
                    case "NotIn" -> Operator.NOT_IN;
                    case "Exists" -> Operator.EXISTS;
                    default -> Operator.ABSENT;
                },
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
        for (Requirement requirement : requirements) {
            if (!requirement.matches(labels)) {
                return false;
            }
        }
        return true;
    }

    private static final class Parser {
        private final List<String> tokens = new ArrayList<>();
        private int at;

        Parser(String text) {
            for (int i = 0; i < text.length(); ) {
                char c = text.charAt(i);
                if (Character.isWhitespace(c)) {
                    i++;
                    continue;
                }
                int end = i + 1;
                if ("(),".indexOf(c) < 0) {
                    boolean symbol = isOperator(c);
                    while (end < text.length() && belongs(text.charAt(end), symbol)
                            && !(symbol && !isKnown(text.substring(i, end + 1)))) {
                        end++;
                    }
                }
                tokens.add(text.substring(i, end));
                i = end;
            }
        }

        private static boolean belongs(char c, boolean symbol) {
            return !Character.isWhitespace(c) && "(),".indexOf(c) < 0 && isOperator(c) == symbol;
        }

        private static boolean isOperator(char c) {
            return "=!<>".indexOf(c) >= 0;
        }

        private static boolean isKnown(String symbol) {
            return symbol.equals("==") || symbol.equals("!=");
        }

        List<Requirement> requirements() {
            List<Requirement> requirements = new ArrayList<>();
            requireStart("!, identifier, or 'end of string'");
            while (true) {
                requirements.add(requirement());
                if (at == tokens.size()) {
                    return List.copyOf(requirements);
                }
                if (!peek().equals(",")) {
                    throw ApiFailure.badRequest("found '" + peek() + "', expected: ',' or 'end of string'");
                }
                at++;
                requireStart("identifier after ','");
            }
        }

        private void requireStart(String expected) {
            if (!peek().equals("!") && !isWord(peek())) {
                throw ApiFailure.badRequest("found '" + peek() + "', expected: " + expected);
            }
        }

        private static boolean isWord(String token) {
            return !token.isEmpty() && !isOperator(token.charAt(0)) && "(),".indexOf(token.charAt(0)) < 0;
        }

        private Requirement requirement() {
            if (peek().equals("!")) {
                at++;
                return new Requirement(identifier(), Operator.ABSENT, List.of());
            }
            String label = identifier();
            String operator = peek();
            switch (operator) {
                case "", "," -> {
                    return new Requirement(label, Operator.EXISTS, List.of());
                }
                case "=", "==", "!=" -> {
                    at++;
                    return new Requirement(label, operator.equals("!=") ? Operator.NOT_IN : Operator.IN, List.of(value(label, 0)));
                }
                case ">", "<" -> {
                    at++;
                    String value = value(label, 0);
                    if (!Requirement.isNumber(value)) {
                        throw failure("values[0]: Invalid value: \"" + value
                                + "\": for 'Gt', 'Lt' operators, the value must be an integer");
                    }
                    return new Requirement(label, operator.equals(">") ? Operator.GREATER : Operator.LESS, List.of(value));
                }
                case "in", "notin" -> {
                    at++;
                    return new Requirement(label, operator.equals("in") ? Operator.IN : Operator.NOT_IN, values(label));
                }
                default -> throw failure("found '" + operator + "', expected: in, notin, =, ==, !=, gt, lt");
            }
        }

        private List<String> values(String label) {
            expect("(", "found '" + peek() + "' expected: '('");
            var values = new TreeSet<String>();
            values.add(value(label, 0));
            for (int i = 1; peek().equals(","); i++) {
                at++;
                values.add(value(label, i));
            }
            expect(")", "found '" + peek() + "', expected: ',' or ')'");
            return List.copyOf(values);
        }

        private String identifier() {
            String token = peek();
            if (!isWord(token)) {
                throw failure("found '" + token + "', expected: identifier");
            }
            String wrong = String.join("; ", Names.key(token));
            if (!wrong.isEmpty()) {
                throw failure("<nil>: Invalid value: \"" + token.replace("\"", "\\\"") + "\": " + wrong);
            }
            at++;
            return token;
        }

        /** Parses a value, which may be empty: {@code app=} requires an empty value. */
        private String value(String label, int index) {
            String token = peek();
            if (token.isEmpty() || token.equals(",") || token.equals(")")) {
                return "";
            }
            if (!isWord(token)) {
                throw failure("found '" + token + "', expected: identifier");
            }
            String wrong = String.join("; ", Names.labelValue(token));
            if (!wrong.isEmpty()) {
                throw failure("values[" + index + "][" + label + "]: Invalid value: \"" + token + "\": " + wrong);
            }
            at++;
            return token;
        }

        private void expect(String token, String otherwise) {
            if (!peek().equals(token)) {
                throw failure(otherwise);
            }
            at++;
        }

        private String peek() {
            return at < tokens.size() ? tokens.get(at) : "";
        }

        private static ApiFailure failure(String why) {
            return ApiFailure.badRequest("unable to parse requirement: " + why);
        }
    }
}
