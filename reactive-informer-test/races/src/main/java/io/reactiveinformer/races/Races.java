package io.reactiveinformer.races;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.infra.StateCase;
import org.openjdk.jcstress.infra.Status;
import org.openjdk.jcstress.infra.TestInfo;
import org.openjdk.jcstress.infra.collectors.TestResult;
import org.openjdk.jcstress.infra.runners.ForkedTestConfig;
import org.openjdk.jcstress.infra.runners.Runner;
import org.openjdk.jcstress.infra.runners.SpinLoopStyle;
import org.openjdk.jcstress.infra.runners.TestList;

/**
 * Plays all tests in turn, in this JVM, until the time is over, and stops at the first race. jcstress's own main
 * class tries every test in every mode of the compiler, each in a JVM of its own: with its first look at the machine
 * that is a quarter of an hour, of which the tests run for a tenth.
 */
public final class Races {

    /**
     * Of one test at a time; many short ones find more than a long one, since the states are warm and the threads
     * meet anew.
     */
    private static final int LEAST_MILLIS = 150;
    private static final int MOST_MILLIS = 2_000;

    private Races() {}

    /**
     * @param args the folder of the build, a regular expression of the names of tests, and for how many seconds to
     * play
     */
    public static void main(String[] args) throws Exception {
        List<String> names = new ArrayList<>(TestList.tests());
        names.removeIf(name -> !Pattern.compile(args[1]).matcher(name).find());
        if (names.isEmpty()) {
            System.out.println("no test is named like " + args[1]);
            System.exit(2);
        }
        long seconds = Long.parseLong(args[2]);
        long begin = System.nanoTime();
        long end = begin + TimeUnit.SECONDS.toNanos(seconds);
        long third = TimeUnit.SECONDS.toMillis(seconds) / names.size() / 3;
        long millis = Math.min(MOST_MILLIS, Math.max(LEAST_MILLIS, third));
        Map<String, Long> played = new TreeMap<>();
        var random = new Random();
        do {
            Collections.shuffle(names, random);
            for (String name : names) {
                TestInfo test = TestList.getInfo(name);
                TestResult result = play(test, (int) millis, random);
                played.merge(name, result.getTotalCount(), Long::sum);
                String race = race(test, result);
                if (race != null) {
                    double after = (System.nanoTime() - begin) / 1e9;
                    System.out.printf("""
                            A race, after %.1f s and %,d rounds of the test: %s
                            %s
                            Again: -Draces.only='%s'
                            """, after, played.get(name), name, race, name.replace("$", ".") + "$");
                    System.exit(1);
                }
            }
        } while (System.nanoTime() < end);
        long least = Collections.min(played.values());
        if (Boolean.getBoolean("races.verbose")) {
            played.forEach((name, rounds) -> System.out.printf("%,15d %s%n", rounds, name));
        }
        System.out.printf("races: %d tests of two signals at a time, each %,d times or more, and no race%n",
                names.size(), least);
        System.exit(0); // a thread of the library may be there still
    }

    private static TestResult play(TestInfo test, int millis, Random random) throws Exception {
        ForkedTestConfig config = config(test, millis, 1 << 3 + random.nextInt(6), random.nextBoolean());
        Class<?> runner = Class.forName(test.generatedRunner());
        return ((Runner<?>) runner.getConstructor(ForkedTestConfig.class).newInstance(config)).run();
    }

    /** jcstress passes it between processes, in this form. */
    private static ForkedTestConfig config(TestInfo test, int millis, int stride, boolean yields) throws IOException {
        var bytes = new ByteArrayOutputStream();
        var form = new DataOutputStream(bytes);
        form.writeInt((yields ? SpinLoopStyle.THREAD_YIELD : SpinLoopStyle.THREAD_SPIN_WAIT).ordinal());
        form.writeInt(millis);
        form.writeInt(1);
        form.writeUTF(test.generatedRunner());
        form.writeInt(32); // MB of states at a time
        form.writeInt(stride);
        form.writeInt(20);
        form.writeBoolean(false);
        return new ForkedTestConfig(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())));
    }

    private static @Nullable String race(TestInfo test, TestResult result) {
        var lines = new StringBuilder();
        if (result.status() != Status.NORMAL) {
            lines.append("  ").append(result.status()).append(": ").append(String.join("\n  ", result.getMessages()));
        }
        for (String outcome : result.getStateKeys()) {
            StateCase matched = test.unmatched();
            for (StateCase one : test.cases()) {
                if (one.matchesExactly(outcome)) {
                    matched = one;
                }
            }
            if (matched.expect() == Expect.FORBIDDEN && result.getCount(outcome) > 0) {
                lines.append("  ").append(outcome).append(", ").append(result.getCount(outcome)).append(" of ")
                        .append(result.getTotalCount()).append(" times\n");
            }
        }
        return lines.length() == 0 ? null : lines.toString().stripTrailing();
    }
}
