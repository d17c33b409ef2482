package io.reactiveinformer.resource;

import io.reactiveinformer.resource.LabelRequirement.Operator;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Parses a label selector as the server does ({@code k8s.io/apimachinery/pkg/labels}), so that the server accepts each selector that is
 * accepted here.
 *
 * <pre>
 *  selector    = [ requirement { "," requirement } ]
 *  requirement = key | "!" key | key ( "=" | "==" | "!=" ) value
 *              | key ( "in" | "notin" ) "(" value { "," value } ")" | key ( "&gt;" | "&lt;" ) number
 * </pre>
 * A value may be empty; blanks are ignored.
 */
final class LabelSelectorParser {

    private static final String SPECIAL = "=!(),<>";
    private static final String NAME = "[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?";
    private static final Pattern VALUE = Pattern.compile("(" + NAME + ")?");
    private static final Pattern KEY =
            Pattern.compile("((?=[^/]{1,253}/)[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?" + NAME);

    private final String text;
    private int at;

    LabelSelectorParser(String text) {
        this.text = text;
        skipBlanks();
    }

    /**
     * The requirements, in an order that does not depend on theirs.
     *
     * @throws IllegalArgumentException if the text is not in the server's syntax; the message names the position
     */
    List<LabelRequirement> parse() {
        var requirements = new ArrayList<LabelRequirement>();
        if (atEnd()) {
            return requirements;
        }
        do {
            requirements.add(requirement());
        } while (take(","));
        if (!atEnd()) {
            throw wrong(at, "expected a comma or the end");
        }
        return requirements.stream().distinct().sorted(LabelRequirement.ORDER).toList();
    }

    private LabelRequirement requirement() {
        if (take("!")) {
            return LabelRequirement.of(key(), Operator.ABSENT, List.of());
        }
        String key = key();
        if (take("==") || take("=")) {
            return LabelRequirement.of(key, Operator.IN, List.of(value()));
        }
        if (take("!=")) {
            return LabelRequirement.of(key, Operator.NOT_IN, List.of(value()));
        }
        if (take(">")) {
            return LabelRequirement.of(key, Operator.GREATER, List.of(number()));
        }
        if (take("<")) {
            return LabelRequirement.of(key, Operator.LESS, List.of(number()));
        }
        if (atEnd() || next() == ',') {
            return LabelRequirement.of(key, Operator.EXISTS, List.of());
        }
        return switch (peekWord()) {
            case "in" -> LabelRequirement.of(key, Operator.IN, valuesAfterWord());
            case "notin" -> LabelRequirement.of(key, Operator.NOT_IN, valuesAfterWord());
            default -> throw wrong(at, "expected one of =, ==, !=, in, notin, <, > after the key " + key);
        };
    }

    private List<String> valuesAfterWord() {
        word();
        if (!take("(")) {
            throw wrong(at, "expected ( before the values");
        }
        var values = new ArrayList<String>();
        do {
            values.add(value());
        } while (take(","));
        if (!take(")")) {
            throw wrong(at, "expected a comma or ) after a value");
        }
        return values;
    }

    private String key() {
        int start = at;
        String key = word();
        if (key.isEmpty()) {
            throw wrong(start, "expected a label's key");
        }
        if (key.equals("in") || key.equals("notin")) {
            throw wrong(start, "expected a label's key, and " + key + " is an operator");
        }
        if (!KEY.matcher(key).matches()) {
            throw wrong(start,
                    "a key is a name of at most 63 letters, digits, -, _ and ., or a DNS name, a slash and such a name; this is not: "
                    + key);
        }
        return key;
    }

    private String value() {
        int start = at;
        String value = word();
        if (!VALUE.matcher(value).matches()) {
            throw wrong(start, "a value has at most 63 letters, digits, -, _ and ., with a letter or digit at both ends; this is not: "
                    + value);
        }
        return value;
    }

    private String number() {
        int start = at;
        String value = value();
        if (!value.matches("[0-9]+")) {
            throw wrong(start, "expected a number");
        }
        return value;
    }

    /** The text before the next blank or special character; may be empty. */
    private String word() {
        String word = peekWord();
        at += word.length();
        skipBlanks();
        return word;
    }

    private String peekWord() {
        int end = at;
        while (end < text.length() && !isBlank(text.charAt(end)) && SPECIAL.indexOf(text.charAt(end)) < 0) {
            end++;
        }
        return text.substring(at, end);
    }

    private boolean take(String symbol) {
        if (!text.startsWith(symbol, at)) {
            return false;
        }
        at += symbol.length();
        skipBlanks();
        return true;
    }

    private void skipBlanks() {
        while (!atEnd() && isBlank(next())) {
            at++;
        }
    }

    private boolean atEnd() {
        return at == text.length();
    }

    private char next() {
        return text.charAt(at);
    }

    private static boolean isBlank(char c) {
        return c == ' ' || c == '\t' || c == '\r' || c == '\n';
    }

    private IllegalArgumentException wrong(int where, String what) {
        return new IllegalArgumentException("label selector \"" + text + "\", character " + (where + 1) + ": " + what);
    }
}
