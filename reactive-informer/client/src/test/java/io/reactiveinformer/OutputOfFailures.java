package io.reactiveinformer;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/**
 * Keeps the last lines that a test logs or prints, and prints them if it fails: the output of tests that pass hides the one that matters.
 *
 * <p>It stands behind {@code System.out} and {@code System.err}, so it needs to know of no logging system and no engine. Only where the
 * build sets {@code test.output} to {@code failed}; an IDE shows everything, as does {@code -Dtest.output=all}. If the JVM ends in the
 * middle of a test, it tries to print what it has.
 */
public final class OutputOfFailures implements LauncherSessionListener, TestExecutionListener {

    static final int KEPT = 2_000;
    private static final OutputOfFailures SHARED = "failed".equals(System.getProperty("test.output")) ? kept() : null;

    /** Plans that run: a test of an engine runs one of its own, whose failures are wanted. */
    private static final AtomicInteger PLANS = new AtomicInteger();

    private final Deque<String> lines = new ArrayDeque<>(); // guarded by itself; no call leaves while the lock is taken
    private volatile PrintStream printed;
    private final PrintStream out = new PrintStream(new Lines(), true, StandardCharsets.UTF_8);
    private final PrintStream err = new PrintStream(new Lines(), true, StandardCharsets.UTF_8);
    private int dropped; // guarded by lines
    private volatile String running = "";

    /** A service, of which JUnit makes one for each launcher; all of a JVM share the lines. */
    public OutputOfFailures() {
        this(System.err);
    }

    OutputOfFailures(PrintStream printed) {
        this.printed = printed;
    }

    private static OutputOfFailures kept() {
        var shared = new OutputOfFailures(System.err);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            if (!shared.running.isEmpty()) {
                // Surefire's stream is closed by now.
                shared.printed = new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8);
                shared.print("The JVM ends during " + shared.running);
            }
        }));
        return shared;
    }

    PrintStream out() {
        return out;
    }

    /** Where a line is seen, also if no test failed. */
    static PrintStream shown() {
        return SHARED == null || PLANS.get() > 1 ? System.err : SHARED.printed;
    }

    @Override
    public void launcherSessionOpened(LauncherSession session) {
        takeOver();
    }

    @Override
    public void testPlanExecutionStarted(TestPlan plan) {
        takeOver();
        PLANS.incrementAndGet();
    }

    @Override
    public void testPlanExecutionFinished(TestPlan plan) {
        PLANS.decrementAndGet();
    }

    /** Surefire may set its own streams after a session is opened. */
    private static void takeOver() {
        if (SHARED != null && PLANS.get() == 0 && System.err != SHARED.err) {
            SHARED.printed = System.err;
            System.setOut(SHARED.out);
            System.setErr(SHARED.err);
        }
    }

    @Override
    public void executionStarted(TestIdentifier test) {
        if (SHARED != null && PLANS.get() == 1) {
            SHARED.begin(test);
        }
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        if (SHARED != null && PLANS.get() == 1) {
            SHARED.end(test, result.getStatus() == TestExecutionResult.Status.FAILED);
        }
    }

    void begin(TestIdentifier test) {
        running = name(test);
        clear();
    }

    void end(TestIdentifier test, boolean failed) {
        if (failed) {
            print("Output of " + name(test));
        }
        running = "";
        clear();
    }

    private static String name(TestIdentifier test) {
        return test.getUniqueIdObject().getSegments().stream().map(segment -> segment.getValue())
                .reduce((above, last) -> above + " > " + last)
                .orElse(test.getDisplayName());
    }

    private void clear() {
        synchronized (lines) {
            lines.clear();
            dropped = 0;
        }
    }

    private void print(String title) {
        var text = new StringBuilder();
        synchronized (lines) {
            if (lines.isEmpty()) {
                return;
            }
            text.append("---- ").append(title).append(dropped == 0 ? "" : ", without the first " + dropped + " lines").append('\n');
            lines.forEach(line -> text.append(line).append('\n'));
        }
        printed.print(text.append("----\n"));
        printed.flush();
    }

    private void add(String line) {
        synchronized (lines) {
            lines.add(line);
            if (lines.size() > KEPT) {
                lines.remove();
                dropped++;
            }
        }
    }

    /** Cuts what is printed into lines. */
    private final class Lines extends OutputStream {

        private static final int LONGEST = 20_000;
        private final byte[] line = new byte[LONGEST];
        private int length;

        @Override
        public synchronized void write(int one) {
            if (one != '\n') {
                line[length++] = (byte) one;
            }
            if (one == '\n' || length == LONGEST) {
                add(new String(line, 0, length, StandardCharsets.UTF_8));
                length = 0;
            }
        }
    }
}
