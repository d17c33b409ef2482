package io.reactiveinformer.internal.readers;

import io.kubernetes.client.custom.IntOrString;
import io.kubernetes.client.custom.Quantity;
import io.kubernetes.client.custom.QuantityFormatException;
import io.reactiveinformer.internal.codec.MalformedMessageException;
import io.reactiveinformer.internal.codec.ObjectCodec;
import io.reactiveinformer.internal.codec.SharedScalars;
import io.reactiveinformer.internal.codec.SharedStrings;
import io.reactiveinformer.internal.codec.Skim;
import io.reactiveinformer.internal.codec.Wire;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads one object after the other from protocol buffers, along its cached state, and takes messages that were read before from the cache,
 * as {@link ShapeReader} does with JSON. One for each body.
 */
final class MessageReader extends Wire {

    /** Messages that are nested deeper are not looked up: each byte is hashed once for each message around it. */
    private static final int DEEPEST_SHARED = 32;

    private final SharedStrings strings;
    private final SharedScalars scalars;
    private final @Nullable SharedTrees sharedTrees;
    private final @Nullable ReadTrees trees;
    private final Skim skim;
    private final Supplier<JsonMapper> mapper;
    private final Elements elements = new Elements();

    private @Nullable ShapeReader json; // of what is JSON within
    private int level;
    /** The places of the fields of the message that was read last, a bit for each. */
    long seen;

    /** @param trees null if objects share none */
    MessageReader(SharedStrings strings, SharedScalars scalars, @Nullable SharedTrees trees, Skim skim, Supplier<JsonMapper> mapper) {
        this.strings = strings;
        this.scalars = scalars;
        this.sharedTrees = trees;
        this.trees = trees == null ? null : new ReadTrees(trees);
        this.skim = skim;
        this.mapper = mapper;
    }

    /**
     * Reads the object in the bytes.
     *
     * @param before its cached state, with which it may share parts, but is not the same; null if there is none
     * @throws RuntimeException if the bytes are no such object
     */
    Object read(MessageRoot root, byte[] all, int from, int to,
            @Nullable String apiVersion, @Nullable String kind, @Nullable Object before) {
        over(all, from, to);
        level = 0;
        if (trees != null) {
            trees.beginObject(all);
        }
        try {
            return root.read(this, apiVersion, kind, before);
        } finally {
            release();
            elements.dropAll();
            if (trees != null) {
                trees.endObject();
            }
        }
    }

    Elements elements() {
        return elements;
    }

    /** The message, or the run of elements, from here to {@code to}: the one that was read from the same bytes before, or read now. */
    Object tree(MessageTree shape, int to, @Nullable Object before) {
        if (level >= ObjectCodec.DEEPEST) {
            throw new MalformedMessageException("nested deeper than " + ObjectCodec.DEEPEST);
        }
        int outer = end;
        int from = at;
        end = to;
        level++;
        Object value = trees == null || to - from > SharedTrees.LONGEST || level > DEEPEST_SHARED
                ? shape.bind(this, before) : sharedTree(trees, shape, from, to, before);
        level--;
        end = outer;
        return value;
    }

    private Object sharedTree(ReadTrees trees, MessageTree shape, int from, int to, @Nullable Object before) {
        int hash = trees.hash(shape, from, to);
        Object known = trees.find(shape, from, to, hash, before != null);
        if (known != null) {
            at = to;
            return known;
        }
        return trees.read(shape, this, from, to, hash, before);
    }

    /** The end of the last of the fields here that follow one another with the same tag, the first of which was read. */
    int endOfRun(int tag) {
        int from = at;
        do {
            skip(tag);
        } while (tagIs(tag));
        int to = at;
        at = from;
        return to;
    }

    /** As {@link #skip}, of a field that the class does not have. */
    void skipUnknown(int tag) {
        skim.hasMetUnknown = true;
        skip(tag);
    }

    /** The end of the message that begins here, after its length. */
    int endOfMessage() {
        int length = length();
        return at + length;
    }

    /** The text here, or an equal {@code before}, as {@link Shape#read} returns it. */
    String sharedText(@Nullable Object before) {
        int length = length();
        int from = at;
        at += length;
        byte[] in = bytes;
        int hash = 0;
        int bits = 0;
        for (int i = from; i < from + length; i++) {
            hash = hash * 31 + in[i];
            bits |= in[i];
        }
        if (bits < 0) {
            String text = new String(in, from, length, StandardCharsets.UTF_8);
            return before instanceof String held && held.equals(text) ? held : strings.share(text);
        }
        return before instanceof String held && SharedStrings.equal(held, in, from, length)
                ? held : strings.share(in, from, length, hash);
    }

    /** The text here: the instance that the skim has made, if it is one of those. */
    String identityText(@Nullable Object before) {
        int length = length();
        int from = at;
        at += length;
        String known = skim.identity(bytes, from, at);
        if (known != null) {
            return known;
        }
        return before instanceof String held && SharedStrings.equal(held, bytes, from, length)
                ? held : new String(bytes, from, length, StandardCharsets.UTF_8);
    }

    String share(String text) {
        return strings.share(text);
    }

    byte[] byteArray() {
        int length = length();
        at += length;
        return Arrays.copyOfRange(bytes, at - length, at);
    }

    int int32() {
        long value = varint();
        if (value != (int) value) {
            throw new MalformedMessageException("a number of more than 32 bits");
        }
        return (int) value;
    }

    /** Seconds and nanoseconds since 1970; null for no time. */
    @Nullable OffsetDateTime time(boolean micros) {
        int outer = enter();
        boolean given = hasMore();
        long seconds = 0;
        long nanos = 0;
        while (hasMore()) {
            int tag = tag();
            if (tag == tag(1, VARINT)) {
                seconds = varint();
            } else if (tag == tag(2, VARINT)) {
                nanos = varint();
            } else {
                skip(tag);
            }
        }
        leave(outer);
        try {
            return given ? scalars.moments().at(seconds, micros ? (int) (nanos - nanos % 1000) : 0) : null;
        } catch (DateTimeException | ArithmeticException beyondTime) {
            throw new MalformedMessageException(beyondTime);
        }
    }

    private Quantity quantity(int length, int hash) {
        try {
            return scalars.quantities().value(bytes, at, length, hash);
        } catch (QuantityFormatException | IllegalArgumentException | ArithmeticException noQuantity) {
            throw new MalformedMessageException(noQuantity);
        }
    }

    @Nullable Quantity quantity() {
        int outer = enter();
        Quantity quantity = null;
        while (hasMore()) {
            int tag = tag();
            if (tag == tag(1, LENGTH)) {
                int length = length();
                int hash = 0;
                for (int i = at; i < at + length; i++) {
                    hash = hash * 31 + bytes[i];
                }
                quantity = quantity(length, hash);
                at += length;
            } else {
                skip(tag);
            }
        }
        leave(outer);
        return quantity;
    }

    IntOrString intOrString() {
        int outer = enter();
        boolean isText = false;
        int number = 0;
        String text = "";
        while (hasMore()) {
            int tag = tag();
            if (tag == tag(1, VARINT)) {
                isText = varint() != 0;
            } else if (tag == tag(2, VARINT)) {
                number = int32();
            } else if (tag == tag(3, LENGTH)) {
                text = sharedText(null);
            } else {
                skip(tag);
            }
        }
        leave(outer);
        return isText ? new IntOrString(text) : new IntOrString(number);
    }

    /** The JSON in the message here, which may be any; null if there is none. */
    @Nullable Object json(MessageTree.OfJson objects, @Nullable Object before) {
        int outer = enter();
        Object value = null;
        while (hasMore()) {
            int tag = tag();
            if (tag == tag(1, LENGTH)) {
                int to = endOfMessage();
                value = at == to ? null : bytes[at] == '{' ? tree(objects, to, before) : byJackson(to);
                at = to;
            } else {
                skip(tag);
            }
        }
        leave(outer);
        return value;
    }

    /** The JSON object here. */
    Object jsonObject(MapShape shape, @Nullable Object before) {
        if (json == null) {
            json = new ShapeReader(strings, sharedTrees, skim, mapper);
        }
        Object value = json.read(shape, bytes, at, end, before);
        if (value == null) {
            return byJackson(end);
        }
        at = end;
        return value;
    }

    private Object byJackson(int to) {
        Object value = mapper.get().readerFor(Object.class).readValue(bytes, at, to - at);
        at = to;
        return value;
    }

    List<?> texts() {
        int outer = enter();
        int first = elements.elementCount();
        while (hasMore()) {
            int tag = tag();
            if (tag == tag(1, LENGTH)) {
                elements.add(sharedText(null));
            } else {
                skip(tag);
            }
        }
        leave(outer);
        return ListShape.take(elements, first, null);
    }

    DeserializationContext context() {
        return mapper.get()._deserializationContext();
    }

    /** Reads whole objects from protocol buffers, which have their {@code apiVersion} and {@code kind} elsewhere. */
    interface MessageRoot {

        /** Reads the message that {@code in} is at, to its end. The object is a new one in any case. */
        Object read(MessageReader in, @Nullable String apiVersion, @Nullable String kind, @Nullable Object before);
    }
}
