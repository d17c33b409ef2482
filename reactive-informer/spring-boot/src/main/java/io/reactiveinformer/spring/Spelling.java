package io.reactiveinformer.spring;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Finds what a misspelt name was meant to be. */
final class Spelling {

    /** Longer names are compared by their beginning only: the comparison takes the product of both lengths. */
    private static final int LONGEST = 100;

    private Spelling() {}

    /**
     * The names that differ least from {@code word}, in their order; none if each differs by more than a third of its letters, and more
     * than two.
     */
    static List<String> nearest(String word, Collection<String> names) {
        Map<Integer, List<String>> near = names.stream()
                .filter(name -> distance(word, name) <= Math.max(Math.min(2, name.length() / 2), name.length() / 3))
                .collect(Collectors.groupingBy(name -> distance(word, name), TreeMap::new, Collectors.toList()));
        return near.isEmpty() ? List.of() : near.values().iterator().next();
    }

    /**
     * The least number of letters that are inserted, removed, replaced, or swapped with their neighbour; upper and lower case are equal.
     */
    static int distance(String one, String other) {
        String a = cut(one);
        String b = cut(other);
        int[][] costs = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                if (i == 0 || j == 0) {
                    costs[i][j] = i + j;
                    continue;
                }
                int replaced = costs[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                costs[i][j] = Math.min(replaced, 1 + Math.min(costs[i - 1][j], costs[i][j - 1]));
                if (i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1)) {
                    costs[i][j] = Math.min(costs[i][j], costs[i - 2][j - 2] + 1);
                }
            }
        }
        return costs[a.length()][b.length()];
    }

    private static String cut(String word) {
        return word.substring(0, Math.min(word.length(), LONGEST)).toLowerCase(Locale.ROOT);
    }
}
