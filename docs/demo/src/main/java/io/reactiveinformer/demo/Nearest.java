package io.reactiveinformer.demo;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/** Finds the existing names that are most similar to a misspelt one. */
final class Nearest {

    private static final int AT_MOST = 3;

    private Nearest() {}

    /** At most three names, the nearest first; empty if none is near. */
    static List<String> to(String written, Collection<String> names) {
        int far = Math.max(1, written.length() / 3);
        return names.stream()
                .distinct()
                .filter(name -> distance(written, name) <= far)
                .sorted(Comparator.<String>comparingInt(name -> distance(written, name)).thenComparing(Comparator.naturalOrder()))
                .limit(AT_MOST)
                .toList();
    }

    /** A suggestion to append to a message; empty if no name is near. */
    static String hint(String written, Collection<String> names) {
        List<String> nearest = to(written, names);
        return nearest.isEmpty() ? "" : "; did you mean " + String.join(" or ", nearest) + "?";
    }

    /** The number of letters to insert, drop, replace or swap with their neighbour: optimal string alignment. */
    private static int distance(String one, String other) {
        int[][] steps = new int[one.length() + 1][other.length() + 1];
        for (int i = 0; i <= one.length(); i++) {
            for (int j = 0; j <= other.length(); j++) {
                steps[i][j] = i == 0 || j == 0 ? i + j : step(one, other, steps, i, j);
            }
        }
        return steps[one.length()][other.length()];
    }

    private static int step(String one, String other, int[][] steps, int i, int j) {
        int replaced = steps[i - 1][j - 1] + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
        int least = Math.min(replaced, Math.min(steps[i - 1][j], steps[i][j - 1]) + 1);
        boolean swapped = i > 1 && j > 1 && one.charAt(i - 1) == other.charAt(j - 2) && one.charAt(i - 2) == other.charAt(j - 1);
        return swapped ? Math.min(least, steps[i - 2][j - 2] + 1) : least;
    }
}
