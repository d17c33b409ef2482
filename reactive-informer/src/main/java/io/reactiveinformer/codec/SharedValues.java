package io.reactiveinformer.codec;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Gives one instance for one text, of values that are made of texts and never change. Holds the last one for each of a bounded number of places,
 * for all threads, without locks: an entry is immutable, so a race can at worst lose it.
 */
final class SharedValues<V> {

    private static final int PLACES = 1 << 10;

    private record Entry(String text, Object value) {}

    private final @Nullable Entry[] table = new @Nullable Entry[PLACES];
    private final Function<String, V> make;

    SharedValues(Function<String, V> make) {
        this.make = make;
    }

    @SuppressWarnings("unchecked") // only what make gave is ever entered
    V value(char[] chars, int from, int length) {
        int hash = 0;
        for (int i = from; i < from + length; i++) {
            hash = 31 * hash + chars[i];
        }
        int place = hash * 0x9E3779B9 >>> 22;
        Entry known = table[place];
        if (known != null && SharedStrings.equal(known.text(), chars, from, length)) {
            return (V) known.value();
        }
        String text = new String(chars, from, length);
        V value = make.apply(text);
        table[place] = new Entry(text, value);
        return value;
    }
}
