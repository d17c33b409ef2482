package io.reactiveinformer;

import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Which rounds of a test that repeats itself are played. A thorough build ({@code -Pthorough}) plays them all, another one those of its
 * day, so that the builds of a month play what a thorough one plays. The day is that of the build's seed, or today: the same seed, the
 * same rounds.
 */
public final class Rounds {

    private static final int MONTH = 30;
    private static final int LEAST = 20;
    private static final Rounds OF_THIS_BUILD = new Rounds(Boolean.getBoolean("test.thorough"), day());

    private final boolean thorough;
    private final long day;

    Rounds(boolean thorough, long day) {
        this.thorough = thorough;
        this.day = day;
    }

    public static boolean thorough() {
        return OF_THIS_BUILD.thorough;
    }

    /** Skips a test that takes long and shows what shorter ones show, with more luck. */
    public static void assumeThorough() {
        assumeTrue(thorough(), "takes long: only with -Pthorough");
    }

    /**
     * Of the seeds from 1 to this one, those to play: a thirtieth, but at least twenty. {@code -Dname.seed=} asks for one seed, with
     * {@code -Dname.seeds=} for that many from it on.
     */
    public static long[] seeds(String name, int all) {
        return seeds(name, all, LEAST);
    }

    /** The same, for rounds that take so long that there are to be fewer than twenty in a day. */
    public static long[] seeds(String name, int all, int least) {
        Long asked = Long.getLong(name + ".seed");
        Integer many = Integer.getInteger(name + ".seeds");
        if (asked == null && many == null) {
            return OF_THIS_BUILD.share(all, least).map(round -> round + 1).toArray();
        }
        return LongStream.range(0, many == null ? 1 : many).map(round -> round + (asked == null ? 1 : asked)).toArray();
    }

    /** How often to try what comes out differently each time though nothing chooses it, as a race of two threads. */
    public static int races(int all) {
        return thorough() ? all : Math.min(all, Math.max(all / 10, 300));
    }

    /** How many of the same to have, where few show what many do unless a bound is near. */
    public static int many(int all, int few) {
        return thorough() ? all : few;
    }

    /** The cells of a matrix to play: all of them within so many days, each day from everywhere in it. */
    public static <T> Stream<T> cells(Stream<T> all, int days) {
        return OF_THIS_BUILD.ofCells(all.toList(), days);
    }

    <T> Stream<T> ofCells(List<T> all, int days) {
        if (thorough) {
            return all.stream();
        }
        List<T> mixed = new ArrayList<>(all);
        Collections.shuffle(mixed, new Random(1));
        return mixed.subList(part(all.size(), days, today(days)), part(all.size(), days, today(days) + 1)).stream();
    }

    /** From 0 on. */
    LongStream share(int all, int least) {
        int days = thorough ? 1 : Math.max(1, Math.min(MONTH, all / least));
        return LongStream.range(part(all, days, today(days)), part(all, days, today(days) + 1));
    }

    private int today(int days) {
        return Math.floorMod(day, days);
    }

    private static int part(int all, int days, int day) {
        return (int) ((long) all * day / days);
    }

    private static long day() {
        String seed = System.getProperty("junit.jupiter.execution.order.random.seed");
        return seed == null ? LocalDate.now(ZoneOffset.UTC).toEpochDay() : dayOf(seed);
    }

    /** A seed is the time of its build, yyMMddHHmmssSSS, unless someone chose another one. */
    static long dayOf(String seed) {
        try {
            return LocalDate.parse(seed.substring(0, Math.min(6, seed.length())), DateTimeFormatter.ofPattern("yyMMdd")).toEpochDay();
        } catch (DateTimeParseException noDay) {
            return seed.hashCode();
        }
    }
}
