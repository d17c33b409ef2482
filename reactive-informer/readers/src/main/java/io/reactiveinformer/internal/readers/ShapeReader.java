package io.reactiveinformer.internal.readers;

import io.kubernetes.client.custom.QuantityFormatException;
import io.reactiveinformer.internal.codec.SharedStrings;
import io.reactiveinformer.internal.codec.SharedValues;
import io.reactiveinformer.internal.codec.Skim;
import io.reactiveinformer.internal.codec.Tokens;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.util.Arrays;
import java.util.Base64;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.deser.DeserializationContextExt;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads one object after the other directly from their bytes, and takes trees that were read before from the cache. Reads only usual
 * values: at anything else, right or wrong, it gives up, and Jackson reads the object. One for each body.
 */
final class ShapeReader extends Elements {

    /*
     * A second reader beside Jackson, since Jackson makes every part of an object anew, and nearly all parts of a cluster's objects have
     * been read before. An object is read in two passes:
     *
     *     {"metadata":{…},"spec":{"containers":[{…},{…}]},"status":{…}}
     *     0           1          2             34   5              6      1. Brackets: where does each of them end?
     *     ──▶ at                                                          2. Shapes: read along the fields of the class
     *
     * The first pass gives the bytes of each tree before the tree is read. So a tree with known bytes is taken as it is, and its bytes are
     * passed by, with all brackets within it. The second pass also walks along the cached state of the object, if there is one ("before"):
     * a value that is the same in every visible respect is returned as the cached instance, and a new object is made only from the first
     * difference on. Elements of lists and maps that are being read are on one stack, "elements", to which nested ones add theirs.
     *
     * The reader knows only what servers usually write. Jackson reads an unusual scalar in its place. Anything else that is unusual, be it
     * right or wrong, ends the reading by an UnusualBytesException, and Jackson reads the whole object from the same bytes. So Jackson
     * alone decides what is well-formed and what an error message says, and this reader need not be complete. For the same reason it checks
     * no index: an index beyond the array is unusual, too.
     */

    static final byte[] TRUE = {'t', 'r', 'u', 'e'};
    static final byte[] FALSE = {'f', 'a', 'l', 's', 'e'};
    static final byte[] NULL = {'n', 'u', 'l', 'l'};
    /** So many digits always fit into a long. */
    static final int DIGITS_OF_LONG = 18;

    private static final byte[] NONE = {};
    /** Trees that are nested deeper are not looked up: each byte is hashed once for each tree around it. Only schemas are deeper. */
    private static final int DEEPEST_SHARED = 32;
    /** Longer names are left to Jackson. */
    private static final int LONGEST_NAME = 512;

    private final BracketIndex brackets = new BracketIndex();
    private final SharedStrings strings;
    private final @Nullable ReadTrees trees;
    private final Skim skim;
    private final Supplier<JsonMapper> mapper;

    private @Nullable DeserializationContextExt context;
    private final byte[] unescaped = new byte[LONGEST_NAME];
    private byte[] bytes = NONE;
    private int at;
    private int nextBracket;
    private int level;
    private int textFrom;
    private int textTo;
    private int textHash;
    private long number;

    /**
     * @param trees null if objects share none
     * @param mapper used only for values that only Jackson reads
     */
    ShapeReader(SharedStrings strings, @Nullable SharedTrees trees, Skim skim, Supplier<JsonMapper> mapper) {
        this.strings = strings;
        this.trees = trees == null ? null : new ReadTrees(trees);
        this.skim = skim;
        this.mapper = mapper;
    }

    /**
     * Reads the object that begins at {@code from}; null if Jackson must read it. Throws only if there is a bug in the shapes.
     *
     * @param before its cached state, with which it may share parts, but is not the same; null if there is none
     */
    @Nullable Object read(TreeShape root, byte[] bytes, int from, int to, @Nullable Object before) {
        try {
            if (from >= to || bytes[from] != '{' || !brackets.find(bytes, from, to)) {
                return null;
            }
            this.bytes = bytes;
            at = from;
            nextBracket = 0;
            if (trees != null) {
                trees.beginObject(bytes);
            }
            Object value = root.bind(this, before);
            return at == brackets.end(0) ? value : null;
        } catch (UnusualBytesException | IndexOutOfBoundsException | JacksonException unusual) { // the second at the end of the bytes
            return null;
        } finally {
            clear();
        }
    }

    /** Releases what an object needed, so that it is not kept until the next one comes. */
    private void clear() {
        bytes = NONE;
        brackets.clear();
        if (trees != null) {
            trees.endObject();
        }
        dropAll();
    }

    DeserializationContextExt context() {
        DeserializationContextExt known = context;
        if (known == null) {
            known = mapper.get()._deserializationContext();
            known.setAttribute(Skim.class, skim);
            context = known;
        }
        return known;
    }

    /** The tree that begins here: the one that was read from the same bytes before, otherwise read now as by {@link Shape#read}. */
    Object tree(TreeShape shape, @Nullable Object before) {
        int from = at;
        if (bytes[from] != shape.opening()) {
            throw new UnusualBytesException();
        }
        int treeNumber = nextBracket;
        int end = brackets.end(treeNumber);
        if (trees == null || end - from > SharedTrees.LONGEST || level >= DEEPEST_SHARED) {
            return shape.bind(this, before);
        }
        level++;
        try {
            return sharedTree(trees, shape, treeNumber, from, end, before);
        } finally {
            level--;
        }
    }

    private Object sharedTree(ReadTrees trees, TreeShape shape, int treeNumber, int from, int end, @Nullable Object before) {
        int treeHash = trees.hash(shape, from, end);
        Object known = trees.find(shape, from, end, treeHash, before != null);
        if (known != null) {
            at = end;
            nextBracket = brackets.next(treeNumber);
            return known;
        }
        return trees.read(shape, this, from, end, treeHash, before);
    }

    /** Enters the object or list; false if it is empty, and has been left again. */
    boolean enter(char closing) {
        nextBracket++;
        at++;
        blanks();
        if (bytes[at] != closing) {
            return true;
        }
        at++;
        return false;
    }

    /** Moves on after a property or an element; false if it was the last, and the object or list has been left. */
    boolean next(char closing) {
        blanks();
        byte b = bytes[at++];
        if (b == ',') {
            blanks();
            return true;
        }
        if (b != closing) {
            throw new UnusualBytesException();
        }
        return false;
    }

    /** Reads a name and the colon after it. */
    void name() {
        if (!readText() || textTo - textFrom > LONGEST_NAME) {
            throw new UnusualBytesException();
        }
        colon();
    }

    /** Reads the key of a map, and the colon after it. Those of managed fields contain quotes. */
    String key(@Nullable Object before) {
        String key = readText() ? sharedTextOr(before) : quotedText(before);
        colon();
        return key;
    }

    private void colon() {
        blanks();
        if (bytes[at++] != ':') {
            throw new UnusualBytesException();
        }
        blanks();
    }

    /** Whether {@code name} is the name last read. */
    boolean nameIs(byte[] name) {
        return name.length == textTo - textFrom && Arrays.equals(name, 0, name.length, bytes, textFrom, textTo);
    }

    /** The hash of the name last read; {@link #hash(byte[])} of the same bytes is the same. */
    int nameHash() {
        return textHash;
    }

    static int hash(byte[] name) {
        int hash = 0;
        for (byte b : name) {
            hash = hash * 31 + b;
        }
        return hash;
    }

    /** Reads the string here if it is ASCII without escapes; otherwise returns false and reads nothing. */
    boolean readText() {
        if (bytes[at] != '"') {
            return false;
        }
        int before = at;
        if (!scanText()) {
            at = before;
            return false;
        }
        return true;
    }

    /** Whether the value that begins here is the whole object. */
    boolean isAtRoot() {
        return nextBracket == 0;
    }

    /** The string or name last read. */
    String sharedText() {
        return strings.share(bytes, textFrom, textTo - textFrom, textHash);
    }

    /** The string or name last read, or an equal {@code before}, as {@link Shape#read} returns it. */
    String sharedTextOr(@Nullable Object before) {
        String held = heldText(before);
        return held == null ? sharedText() : held;
    }

    /** The string last read: the instance that the skim has made, if it is one of those. */
    String identityTextOr(@Nullable Object before) {
        String known = skim.identity(bytes, textFrom, textTo);
        String held = known == null ? heldText(before) : known;
        return held == null ? new String(bytes, textFrom, textTo - textFrom, StandardCharsets.ISO_8859_1) : held;
    }

    private @Nullable String heldText(@Nullable Object before) {
        return before instanceof String text && SharedStrings.equal(text, bytes, textFrom, textTo - textFrom) ? text : null;
    }

    /** The bytes that the string last read encodes in Base64. */
    byte[] decodedText() {
        if ((textTo - textFrom) % 4 != 0) {
            throw new UnusualBytesException(); // without padding, which Java's Base64 accepts
        }
        try {
            return Base64.getDecoder().decode(Arrays.copyOfRange(bytes, textFrom, textTo));
        } catch (IllegalArgumentException noBase64) {
            throw new UnusualBytesException();
        }
    }

    <V> V sharedText(SharedValues<V> values) {
        try {
            return values.value(bytes, textFrom, textTo - textFrom, textHash);
        } catch (DateTimeException | IllegalArgumentException | ArithmeticException | QuantityFormatException malformed) {
            throw new UnusualBytesException();
        }
    }

    /** Reads a text of ASCII in which quotes and backslashes are escaped, and nothing else. */
    private String quotedText(@Nullable Object before) {
        if (bytes[at] != '"') {
            throw new UnusualBytesException();
        }
        int length = 0;
        int hash = 0;
        int i = at + 1;
        for (byte b = bytes[i]; b != '"'; b = bytes[++i]) {
            if (b == '\\') {
                b = bytes[++i];
                if (b != '"' && b != '\\') {
                    throw new UnusualBytesException();
                }
            }
            if (b < ' ' || length == LONGEST_NAME) {
                throw new UnusualBytesException();
            }
            unescaped[length++] = b;
            hash = hash * 31 + b;
        }
        at = i + 1;
        return before instanceof String held && SharedStrings.equal(held, unescaped, 0, length)
                ? held : strings.share(unescaped, 0, length, hash);
    }

    private boolean scanText() {
        byte[] in = bytes;
        int from = at + 1;
        int i = from;
        int hash = 0;
        byte b = in[i];
        while (b >= ' ' && b != '"' && b != '\\') {
            hash = hash * 31 + b;
            b = in[++i];
        }
        textFrom = from;
        textTo = i;
        textHash = hash;
        at = i + 1;
        return b == '"';
    }

    /** Reads the whole number here if it has at most {@code mostDigits} digits; otherwise returns false and reads nothing. */
    boolean readWholeNumber(int mostDigits) {
        int i = bytes[at] == '-' ? at + 1 : at;
        int from = i;
        long value = 0;
        while (bytes[i] >= '0' && bytes[i] <= '9' && i - from <= mostDigits) {
            value = value * 10 + bytes[i++] - '0';
        }
        int digits = i - from;
        if (digits == 0 || digits > mostDigits || digits > 1 && bytes[from] == '0' || !mayFollow(bytes[i])) {
            return false;
        }
        number = bytes[at] == '-' ? -value : value;
        at = i;
        return true;
    }

    /** The number last read. */
    long number() {
        return number;
    }

    /** Reads the word here if it is {@code word}; otherwise returns false and reads nothing. */
    boolean readWord(byte[] word) {
        int end = at + word.length;
        if (end >= bytes.length || !mayFollow(bytes[end]) || !Arrays.equals(word, 0, word.length, bytes, at, end)) {
            return false;
        }
        at = end;
        return true;
    }

    private static boolean mayFollow(byte b) {
        return b == ',' || b == '}' || b == ']' || isBlank(b);
    }

    /** Reads the string that begins here, of any content; returns null and reads nothing if there is none. */
    @Nullable String readOddText() {
        return bytes[at] != '"' ? null : parse(ObjectReadContext.empty(), parser -> {
            if (!parser.hasToken(JsonToken.VALUE_STRING)) {
                throw new UnusualBytesException();
            }
            return strings.share(parser.getString());
        });
    }

    /** Skips the value here, which must be well-formed. */
    void ignore() {
        parse(ObjectReadContext.empty(), JsonParser::skipChildren);
    }

    /** As {@link #ignore}, of a property that the class does not have. */
    void ignoreUnknown() {
        meetUnknown();
        ignore();
    }

    /** To be called for what the object does not keep. */
    void meetUnknown() {
        skim.hasMetUnknown = true;
    }

    /** Reads the value here with Jackson. */
    @Nullable Object byJackson(ValueDeserializer<?> deserializer) {
        DeserializationContextExt reading = context();
        try {
            return parse(reading, parser -> deserializer.deserialize(parser, reading.assignParser(parser)));
        } catch (IllegalArgumentException | ArithmeticException | DateTimeException malformed) { // a number beyond Jackson's limits
            throw new UnusualBytesException();
        } finally {
            reading.assignParser(Nothing.PARSER); // the context outlives the object, whose bytes the parser keeps
        }
    }

    /** Made when Jackson is first used, which most objects do not need. */
    private static final class Nothing {

        static final JsonParser PARSER = Tokens.JSON.createParser(ObjectReadContext.empty(), NONE);
    }

    private <V> V parse(ObjectReadContext context, Function<JsonParser, V> read) {
        int from = at;
        int end = pass();
        if (mayBeTakenForUtf16(from, end)) {
            throw new UnusualBytesException();
        }
        try (JsonParser parser = Tokens.JSON.createParser(context, bytes, from, end - from)) {
            if (parser.nextToken() == null) {
                throw new UnusualBytesException(); // there is no value
            }
            V value = read.apply(parser);
            if (parser.nextToken() != null) {
                throw new UnusualBytesException();
            }
            return value;
        }
    }

    /** Jackson detects encodings by zeros among the first four bytes, and here these are bytes of a part. */
    private boolean mayBeTakenForUtf16(int from, int end) {
        for (int i = from; i < Math.min(from + 4, end); i++) {
            if (bytes[i] == 0) {
                return true;
            }
        }
        return bytes[from] < 0;
    }

    boolean isAt(char first) {
        return bytes[at] == first;
    }

    /** Skips the value here; not all of its content is validated. */
    void passBy() {
        byte b = bytes[at];
        if (b == '{' || b == '[' || b == '"') {
            pass();
        } else if (!readWord(TRUE) && !readWord(FALSE) && !readWord(NULL) && !readWholeNumber(DIGITS_OF_LONG)) {
            ignore();
        }
    }

    private int pass() {
        byte b = bytes[at];
        if (b == '{' || b == '[') {
            at = brackets.end(nextBracket);
            nextBracket = brackets.next(nextBracket);
        } else if (b == '"') {
            at = BracketIndex.endOfString(bytes, at + 1, brackets.end(0));
        } else {
            while (!mayFollow(bytes[at])) {
                at++;
            }
        }
        return at;
    }

    private void blanks() {
        while (isBlank(bytes[at])) {
            at++;
        }
    }

    private static boolean isBlank(byte b) {
        return b == ' ' || b == '\n' || b == '\r' || b == '\t';
    }

    /** The bytes, right or wrong, are not what a {@link Shape} reads: Jackson decides. Without a stack trace. */
    static final class UnusualBytesException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        UnusualBytesException() {
            super("not read here", null, false, false);
        }
    }
}
