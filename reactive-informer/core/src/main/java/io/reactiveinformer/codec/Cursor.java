package io.reactiveinformer.codec;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Walks over the properties of JSON objects in an array, without a token or a string for what is passed by. Bytes that are no JSON, or end too
 * early, look like the end of the object.
 */
final class Cursor {

    private final ValueScanner scanner = new ValueScanner();
    private byte[] bytes = {};
    private int begin;
    private int at;
    private int to;
    private int nameFrom;
    private int nameTo;
    private boolean nameEscaped;
    private boolean escaped;
    private int comma;

    void over(byte[] bytes, int from, int to) {
        this.bytes = bytes;
        this.begin = from;
        this.at = from;
        this.to = to;
    }

    /** Where the value begins, or after {@link #skip} what follows it. */
    int at() {
        return at;
    }

    /** Where the property begins that {@link #nextName} came to: at the comma before it, if there is one, else at its name. */
    int propertyFrom() {
        return comma >= 0 ? comma : nameFrom - 1;
    }

    /** Where the property ends that was just passed by: with the comma after it, if there was none before it. */
    int propertyTo() {
        int end = at;
        skipBlanks();
        return comma < 0 && here() == ',' ? at + 1 : end;
    }

    /** Goes into the object that begins here, if one does. */
    boolean enter() {
        skipBlanks();
        if (here() != '{') {
            return false;
        }
        at++;
        return true;
    }

    /** Whether it is at the end of an object, and not where the bytes stop being one. */
    boolean atEnd() {
        return here() == '}';
    }

    /** Goes out of an object at whose end it is. */
    void leave() {
        if (here() == '}') {
            at++;
        }
    }

    /** Goes to the next property's value; false at the end of the object. */
    boolean nextName() {
        comma = -1;
        skipBlanks();
        if (here() == ',') {
            comma = at++;
            skipBlanks();
        }
        if (here() != '"') {
            return false;
        }
        nameFrom = at + 1;
        skipString();
        nameTo = at - 1;
        nameEscaped = escaped;
        skipBlanks();
        if (here() != ':') {
            return false;
        }
        at++;
        skipBlanks();
        return at < to;
    }

    boolean nameIs(byte[] name) {
        return nameEscaped
                ? unescape(text(nameFrom, nameTo)).equals(new String(name, StandardCharsets.UTF_8))
                : nameTo - nameFrom == name.length && Arrays.equals(bytes, nameFrom, nameTo, name, 0, name.length);
    }

    /** Which of the names it is; below zero if it is none of them. */
    int nameAmong(byte[][] names) {
        for (int i = 0; i < names.length; i++) {
            if (nameIs(names[i])) {
                return i;
            }
        }
        return -1;
    }

    /** The string that is the value here; null, and passed by, where it is anything else. */
    @Nullable String string() {
        if (here() != '"') {
            skip();
            return null;
        }
        int from = at + 1;
        if (!skipString()) {
            return null;
        }
        String text = text(from, at - 1);
        return escaped ? unescape(text) : text;
    }

    /** Passes the value by. */
    void skip() {
        scanner.reset();
        int end = scanner.scan(bytes, begin, at, to);
        at = end < 0 ? to : end;
    }

    /**
     * Passes the string here by, and sees whether anything in it is {@link #escaped}.
     *
     * @return whether it has an end, and in its line; otherwise all is passed by
     */
    private boolean skipString() {
        escaped = false;
        for (at++; at < to; at++) {
            byte b = bytes[at];
            if (b == '"') {
                at++;
                return true;
            }
            if (b == '\\') {
                escaped = true;
                at++;
            } else if (b == '\n') {
                break;
            }
        }
        at = to;
        return false;
    }

    private int here() {
        return at < to ? bytes[at] : 0;
    }

    private void skipBlanks() {
        while (at < to && bytes[at] <= ' ' && bytes[at] >= 0) {
            at++;
        }
    }

    private String text(int from, int until) {
        return new String(bytes, from, until - from, StandardCharsets.UTF_8);
    }

    private static String unescape(String text) {
        var plain = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c != '\\' || i + 1 == text.length()) {
                plain.append(c);
                continue;
            }
            char escape = text.charAt(++i);
            switch (escape) {
                case 'b' -> plain.append('\b');
                case 'f' -> plain.append('\f');
                case 'n' -> plain.append('\n');
                case 'r' -> plain.append('\r');
                case 't' -> plain.append('\t');
                case 'u' -> {
                    plain.append(hex(text, i + 1));
                    i = Math.min(i + 4, text.length() - 1);
                }
                default -> plain.append(escape);
            }
        }
        return plain.toString();
    }

    private static char hex(String text, int from) {
        int value = 0;
        for (int i = from; i < Math.min(from + 4, text.length()); i++) {
            value = value << 4 | Math.max(0, Character.digit(text.charAt(i), 16));
        }
        return (char) value;
    }
}
