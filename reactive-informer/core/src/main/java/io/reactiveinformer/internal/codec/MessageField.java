package io.reactiveinformer.internal.codec;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A field of a message, and the property that it is. */
final class MessageField {

    /** The index of its property in the class. */
    final int place;

    /** The fields of a message that are properties of the object around it; null for a field of its own. */
    final @Nullable MessageField @Nullable [] inline;

    private final int kind;
    private final boolean omitsEmpty;
    private final Supplier<Reading> make;
    private @Nullable Reading reading; // written by any thread: the same or an equivalent one, and never changed

    /** How its value is read: {@code run} if it has many, which follow one another. */
    record Reading(@Nullable MessageValue one, @Nullable MessageTree run) {}

    /** @param omitsEmpty whether JSON lacks the property if the value is empty, false or 0 */
    MessageField(int place, int kind, boolean omitsEmpty, Supplier<Reading> make) {
        this.place = place;
        this.kind = kind;
        this.omitsEmpty = omitsEmpty;
        this.make = make;
        this.inline = null;
    }

    MessageField(@Nullable MessageField[] inline) {
        this.place = -1;
        this.kind = Wire.LENGTH;
        this.omitsEmpty = false;
        this.make = () -> new Reading(null, null);
        this.inline = inline;
    }

    /** This field. Fails with {@link UnsupportedOperationException} if its value cannot be read, which otherwise shows on first use. */
    MessageField require() {
        Reading unused = reading();
        return this;
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
        Reading known = reading();
        if (known.run != null) {
            return in.tree(known.run, in.endOfRun(tag), before);
        }
        return known.one == null ? null : known.one.read(in, before);
    }

    /** The elements before others of the same field, which did not follow them. */
    static @Nullable Object join(@Nullable Object elements, @Nullable Object more) {
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

    private Reading reading() {
        Reading known = reading;
        if (known == null) {
            known = make.get();
            reading = known;
        }
        return known;
    }
}
