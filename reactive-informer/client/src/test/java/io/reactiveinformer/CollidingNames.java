package io.reactiveinformer;

import java.util.List;
import java.util.stream.IntStream;

/** Valid names of one length and one {@link String#hashCode}: of blocks of two letters that have the same. */
public final class CollidingNames {

    private CollidingNames() {}

    /** The first {@code count} of them. */
    public static List<String> of(int count) {
        int blocks = Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(count - 1, 1));
        return IntStream.range(0, count).mapToObj(number -> name(number, blocks)).toList();
    }

    private static String name(int number, int blocks) {
        var name = new StringBuilder(2 * blocks);
        for (int block = 0; block < blocks; block++) {
            name.append((number >> block & 1) == 0 ? "an" : "c0");
        }
        return name.toString();
    }
}
