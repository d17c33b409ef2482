package io.reactiveinformer.demo.controllers;

import io.kubernetes.client.custom.IntOrString;
import io.reactiveinformer.demo.controllers.RollingUpdate.Size;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class RollingUpdateTest {

    @ParameterizedTest
    @CsvSource({
        "10, 25%, 25%, 3, 2", "1, 25%, 25%, 1, 0", "3, 0, 0, 0, 1", "3, 0%, 10%, 0, 1", "4, 1, 0, 1, 0",
                "7, 100%, 50%, 7, 3", "0, 25%, 25%, 0, 1",
    })
    void roundsTheSurgeUpAndTheUnavailableDownAndNeverHasNeither(int replicas, String surge,
            String unavailable, int maxSurge, int maxUnavailable) {
        assertThat(RollingUpdate.of(replicas, bound(surge), bound(unavailable)))
                .isEqualTo(new RollingUpdate(replicas, maxSurge, maxUnavailable));
    }

    private static IntOrString bound(String text) {
        return text.endsWith("%") ? new IntOrString(text) : new IntOrString(Integer.parseInt(text));
    }

    /**
     * Of 10, with a surge of 3 and 2 unavailable: what has the new one and the old one, how many of them are available, and what comes
     * next.
     */
    @ParameterizedTest
    @CsvSource({
        "new grows as far as there is room,               0, 0, 10, 10, {new=3}",
        "old shrinks by those that may be missing,        3, 0, 10, 10, {old=8}",
        "nothing while the new ones are not available,    5, 0,  8,  8, {}",
        "old makes room for each that is,                 5, 2,  8,  8, {old=6}",
        "those that do not work go first,                 3, 0, 10,  4, {old=8}",
        "and in any number that nobody misses,            3, 3, 10,  4, {old=5}",
        "those on their way out do not count,             5, 5,  8, 10, {old=3}",
        "new shrinks if fewer are wanted,                12, 9,  0,  0, {new=10}",
        "the rest of the old ones go in the end,         10, 9,  2,  2, {old=0}",
        "nothing is left to do,                          10, 1,  0,  0, {}",
    })
    void movesWithinItsBounds(String what, int now, int available, int old, int oldAvailable, String next) {
        assertThat(new RollingUpdate(10, 3, 2).next(new Size("new", now, available, true),
                List.of(new Size("old", old, oldAvailable, true))))
                .as(what).hasToString(next);
    }

    @Test
    void shrinksTheOldestFirst() {
        List<Size> old = List.of(new Size("oldest", 2, 2, true), new Size("older", 5, 5, true));

        assertThat(new RollingUpdate(10, 0, 3).next(new Size("new", 3, 3, true), old)).isEqualTo(Map.of("oldest", 0, "older", 4));
    }

    /** Pods become available, and break, at random: never too many, never too few through our doing, and an end. */
    /** A set that has shrunk and grown again counts pods that are gone. */
    @Test
    void nothingShrinksByACountOfAnotherSize() {
        Size now = new Size("new", 2, 2, true);
        List<Size> old = List.of(new Size("old", 2, 2, true));
        assertThat(new RollingUpdate(3, 1, 1).next(now, old)).isEqualTo(Map.of("old", 0));
        assertThat(new RollingUpdate(3, 1, 1).next(new Size("new", 2, 2, false), old)).isEmpty();
        assertThat(new RollingUpdate(3, 1, 1).next(now, List.of(new Size("old", 2, 2, false)))).isEmpty();
        assertThat(new RollingUpdate(3, 1, 1).next(new Size("new", 2, 0, false), List.of(new Size("old", 2, 2, true)))).isEmpty();
        assertThat(new RollingUpdate(3, 1, 1).next(new Size("new", 1, 0, false), List.of(new Size("old", 3, 3, true))))
                .as("none of a new set is counted too often").isEqualTo(Map.of("old", 2));
        assertThat(new RollingUpdate(3, 1, 1).next(new Size("new", 1, 1, false), old)).as("it may grow").isEqualTo(Map.of("new", 2));
    }

    @Test
    void comesToItsEndWithoutLeavingItsBounds() {
        for (long seed = 1; seed <= 2_000; seed++) {
            var random = new Random(seed);
            int replicas = random.nextInt(12);
            int surge = random.nextInt(4);
            var rolling = new RollingUpdate(replicas, surge, surge == 0 ? 1 + random.nextInt(3) : random.nextInt(3));
            var now = new Size("new", 0, 0, true);
            List<Size> old = new ArrayList<>(List.of(new Size("a", replicas / 2, replicas / 2, true),
                    new Size("b", replicas - replicas / 2, replicas - replicas / 2, true)));
            for (int step = 0; step < 200; step++) {
                int before = available(now, old);
                Map<String, Integer> next = rolling.next(now, old);
                now = resized(now, next);
                old.replaceAll(set -> resized(set, next));
                assertThat(now.replicas() + old.stream().mapToInt(Size::replicas).sum()).as("seed %d", seed)
                        .isLessThanOrEqualTo(replicas + surge);
                assertThat(available(now, old)).as("seed %d", seed).isGreaterThanOrEqualTo(Math.min(before, rolling.minAvailable()));
                boolean wellNow = step > 100 || random.nextInt(3) > 0;
                now = new Size("new", now.replicas(), wellNow ? now.replicas() : random.nextInt(now.replicas() + 1), true);
            }
            assertThat(now.replicas()).as("seed %d", seed).isEqualTo(replicas);
            assertThat(old).as("seed %d", seed).allMatch(set -> set.replicas() == 0);
        }
    }

    /** Of those that go, the ones that are not available go first. */
    private static Size resized(Size set, Map<String, Integer> next) {
        return new Size(set.name(), next.getOrDefault(set.name(), set.replicas()), set.available(), true);
    }

    private static int available(Size now, List<Size> old) {
        return now.available() + old.stream().mapToInt(Size::available).sum();
    }
}
