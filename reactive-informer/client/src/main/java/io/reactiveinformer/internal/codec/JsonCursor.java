package io.reactiveinformer.internal.codec;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;

/**
 * Walks over the properties of JSON objects in a byte array, without making a token or a string of skipped ones. Bytes that are not JSON,
 * or end too early, look like the end of the object.
 */
final class JsonCursor {

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

    /** The index of the value, or after {@link #skip} of what follows it. */
    int at() {
        return at;
    }

    /** The beginning of the property that {@link #nextName} reached: the comma before it, if there is one, else its name. */
    int propertyFrom() {
        return comma >= 0 ? comma : nameFrom - 1;
    }

    /** The end of the property that was skipped last; includes the comma after it, if there was none before it. */
    int propertyTo() {
        int end = at;
        skipBlanks();
        return comma < 0 && here() == ',' ? at + 1 : end;
    }

    /** Enters the object that begins here; false if none does. */
    boolean enter() {
        skipBlanks();
        if (here() != '{') {
            return false;
        }
        at++;
        return true;
    }

    /** Whether the cursor is at the end of an object, and not where the bytes stop being JSON. */
    boolean atEnd() {
        return here() == '}';
    }

    /** Leaves the object at whose end the cursor is. */
    void leave() {
        if (here() == '}') {
            at++;
        }
    }

    /** Moves to the next property's value; false at the end of the object. */
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
                ? unescaped(nameFrom, nameTo).equals(new String(name, StandardCharsets.UTF_8))
                : nameTo - nameFrom == name.length && Arrays.equals(bytes, nameFrom, nameTo, name, 0, name.length);
    }

    /** The index of the current name among {@code names}; negative if it is none of them. */
    int nameAmong(byte[][] names) {
        for (int i = 0; i < names.length; i++) {
            if (nameIs(names[i])) {
                return i;
            }
        }
        return -1;
    }

    /** Reads the string here; null if the value is anything else, which is then skipped. */
    @Nullable String string() {
        if (here() != '"') {
            skip();
            return null;
        }
        int from = at + 1;
        if (!skipString()) {
            return null;
        }
        return escaped ? unescaped(from, at - 1) : text(from, at - 1);
    }

    /** Skips the value. */
    void skip() {
        scanner.reset();
        int end = scanner.scan(bytes, begin, at, to);
        at = end < 0 ? to : end;
    }

    /**
     * Skips the string here, and records whether anything in it is {@link #escaped}.
     *
     * @return whether the string ends, and before the end of its line; otherwise all bytes are skipped
     */
    private boolean skipString() {
        escaped = false;
        at = LongScan.endOfPlain(bytes, at + 1, to);
        while (at < to && bytes[at] == '\\') {
            escaped = true;
            at = LongScan.endOfPlain(bytes, Math.min(at + 2, to), to);
        }
        boolean ends = at < to && bytes[at] == '"';
        at = ends ? at + 1 : to;
        return ends;
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

    /** The string between {@code from} and {@code until}, which has escapes; as it is if they are malformed. */
    private String unescaped(int from, int until) {
        try (JsonParser parser = Tokens.JSON.createParser(ObjectReadContext.empty(), bytes, from - 1, until - from + 2)) {
            parser.nextToken();
            return parser.getString();
        } catch (JacksonException malformed) {
            return text(from, until);
        }
    }
}
