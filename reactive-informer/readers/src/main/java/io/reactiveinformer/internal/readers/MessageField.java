package io.reactiveinformer.internal.readers;

import io.reactiveinformer.internal.codec.MalformedMessageException;
import io.reactiveinformer.internal.codec.ReadOnlyCollections;
import io.reactiveinformer.internal.codec.Wire;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A field of a message, and the property that it is. */
final class MessageField {

    private static final int MOST_JOINED = 64;

    /** The index of its property in the class. */
    final int place;

    /** The fields of a message that are properties of the object around it; null for a field of its own. */
    final @Nullable MessageField @Nullable [] inline;

    private final int kind;
    private final boolean omitsEmpty;
    private final @Nullable MessageValue one;
    private final @Nullable MessageTree run;

    private MessageField(int place, int kind, boolean omitsEmpty,
            @Nullable MessageValue one, @Nullable MessageTree run, @Nullable MessageField @Nullable [] inline) {
        this.place = place;
        this.kind = kind;
        this.omitsEmpty = omitsEmpty;
        this.one = one;
        this.run = run;
        this.inline = inline;
    }

    /** @param omitsEmpty whether JSON lacks the property if the value is empty, false or 0 */
    static MessageField one(int place, MessageValue value, boolean omitsEmpty) {
        return new MessageField(place, value.kind(), omitsEmpty, value, null, null);
    }

    /** Many values, which follow one another, each of this wire type. */
    static MessageField run(int place, int kind, MessageTree run) {
        return new MessageField(place, kind, false, null, run, null);
    }

    static MessageField inline(@Nullable MessageField[] fields) {
        return new MessageField(-1, Wire.LENGTH, false, null, null, fields);
    }

    /** A field that the class has, and that is left out. */
    static MessageField cut() {
        return new MessageField(-1, Wire.LENGTH, false, null, null, null);
    }

    boolean isCut() {
        return place < 0 && inline == null;
    }

    /** The field of the tag that was read; null if there is none. */
    static @Nullable MessageField find(@Nullable MessageField[] table, int tag) {
        int number = Wire.number(tag);
        MessageField field = number < table.length ? table[number] : null;
        if (field != null) {
            field.check(tag);
        }
        return field;
    }

    /** @throws MalformedMessageException if the value after {@code tag} is of another wire type */
    void check(int tag) {
        if (Wire.kind(tag) != kind) {
            throw new MalformedMessageException("a field of wire type " + Wire.kind(tag) + " instead of " + kind);
        }
    }

    /** Skips the value if it is one that JSON does not have. */
    boolean omits(MessageReader in) {
        if (omitsEmpty && in.hasMore() && in.bytes[in.at] == 0) { // no bytes, false or 0
            in.at++;
            return true;
        }
        return false;
    }

    /** Reads the value after {@code tag}, as {@link Shape#read} does. */
    @Nullable Object read(MessageReader in, int tag, @Nullable Object before) {
        if (run != null) {
            return in.tree(run, in.endOfRun(tag), before);
        }
        return one == null ? null : one.read(in, before);
    }

    /**
     * The elements before others of the same field, which did not follow them. No server writes them so. As each time all are copied, there
     * is a limit.
     */
    static @Nullable Object join(@Nullable Object elements, @Nullable Object more) {
        if (size(elements) > MOST_JOINED) {
            throw new MalformedMessageException("the elements of a field are scattered");
        }
        if (elements instanceof Collection<?> first && more instanceof Collection<?> second && !first.isEmpty()) {
            List<Object> all = new ArrayList<>(first);
            all.addAll(second);
            return ReadOnlyCollections.readOnly(all);
        }
        if (elements instanceof Map<?, ?> first && more instanceof Map<?, ?> second && !first.isEmpty()) {
            Map<Object, Object> all = new LinkedHashMap<>(first);
            all.putAll(second);
            return ReadOnlyCollections.readOnly(all);
        }
        return more;
    }

    private static int size(@Nullable Object elements) {
        return elements instanceof Collection<?> list ? list.size() : elements instanceof Map<?, ?> map ? map.size() : 0;
    }
}
