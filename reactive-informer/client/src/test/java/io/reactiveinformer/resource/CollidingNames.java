package io.reactiveinformer.resource;

import java.util.List;
import java.util.stream.IntStream;

/** Valid names, of which anybody can make many that have one hash code: {@code 31 * 'a' + 'n'} is {@code 31 * 'c' + '0'}. */
public final class CollidingNames {

    private static final int BLOCKS = 17;

    private CollidingNames() {}

    /** So many names of one length and one hash code, at most 131,072. */
    public static List<String> of(int count) {
        return names(count, "an", "c0");
    }

    /** As many of the same length, and of hash codes as they come. */
    public static List<String> ordinary(int count) {
        return names(count, "an", "b7");
    }

    private static List<String> names(int count, String zero, String one) {
        return IntStream.range(0, count).mapToObj(i -> {
            var name = new StringBuilder();
            for (int bit = 0; bit < BLOCKS; bit++) {
                name.append((i >> bit & 1) == 0 ? zero : one);
            }
            return name.toString();
        }).toList();
    }
}
