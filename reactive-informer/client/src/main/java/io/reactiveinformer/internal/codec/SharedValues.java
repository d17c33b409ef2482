package io.reactiveinformer.internal.codec;

import java.nio.charset.StandardCharsets;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Returns one instance for each text, of immutable values that are made from texts. Keeps the last value for each of a bounded number of
 * places. For all threads, without locks: an entry is immutable, so a race can at worst lose it.
 */
public final class SharedValues<V> {

    private static final int PLACES = 1 << 10;

    private record Entry(String text, Object value) {}

    private final @Nullable Entry[] table = new @Nullable Entry[PLACES];
    private final Function<String, V> make;

    SharedValues(Function<String, V> make) {
        this.make = make;
    }

    /**
     * The value of an ASCII text.
     *
     * @param hash the {@link String#hashCode} of the text
     */
    @SuppressWarnings("unchecked") // only what make gave is ever entered
    public V value(byte[] ascii, int from, int length, int hash) {
        int place = place(hash);
        Entry known = table[place];
        if (known != null && SharedStrings.equal(known.text(), ascii, from, length)) {
            return (V) known.value();
        }
        return make(new String(ascii, from, length, StandardCharsets.ISO_8859_1), place);
    }

    @SuppressWarnings("unchecked") // only what make gave is ever entered
    V value(String text) {
        int place = place(text.hashCode());
        Entry known = table[place];
        return known != null && known.text().equals(text) ? (V) known.value() : make(text, place);
    }

    private static int place(int hash) {
        return hash * 0x9E3779B9 >>> 22;
    }

    private V make(String text, int place) {
        V value = make.apply(text);
        table[place] = new Entry(text, value);
        return value;
    }
}
