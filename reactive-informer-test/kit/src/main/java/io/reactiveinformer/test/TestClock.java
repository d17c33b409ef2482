package io.reactiveinformer.test;

import java.lang.StackWalker.StackFrame;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Schedulers;
import reactor.test.scheduler.VirtualTimeScheduler;

/**
 * The clock of a test. From {@link #start} to {@link #close} it replaces Reactor's own schedulers. Everything that is built in between, of
 * this library or of the test, and is given no other scheduler runs on it: fake servers, clients, informers, deliveries, queues,
 * controllers, recorders. Nothing that is due later happens until the test calls {@link #advance}; it then happens on the test's thread.
 *
 * <pre>{@code
 * try (TestClock clock = TestClock.start(); FakeApiServer server = FakeApiServer.create()) {
 *     Informer<V1Pod> pods = InformerFactory.create(KubernetesClient.over(server.transport())).of(PODS);
 *     pods.start();
 *     clock.advance(Duration.ofHours(1));
 * }
 * }</pre>
 *
 * <p>If a part runs in real time nevertheless, because it was built before or has a timer of its own, {@link #advance} and {@link #close}
 * fail and name it. Sockets are always in real time: use {@link FakeApiServer#transport}. There is one clock at a time in a process: tests
 * that start one in parallel wait for each other. A test without a clock must not run beside them, since its schedulers are replaced too:
 * give the classes with a clock JUnit's {@code @Isolated}.
 */
public final class TestClock implements AutoCloseable {

    private static final String HOOK = TestClock.class.getName();

    /** Longer than tests with virtual time take. */
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    /** The clock that has replaced the schedulers; null if none has. Guarded by the class. */
    private static @Nullable TestClock current;

    /** Allowed in real time: sockets and their timers, and the time that a closed client waits for its dependents. */
    private static final List<String> IN_REAL_TIME =
            List.of("io.reactiveinformer.transport.", "io.reactiveinformer.client.DefaultKubernetesClient");

    private final VirtualTimeScheduler scheduler = VirtualTimeScheduler.create();
    private final Map<String, String> inRealTime = new TreeMap<>(); // from class name to remedy; guarded by itself
    private final Thread thread = Thread.currentThread();

    private TestClock() {}

    /**
     * Starts a clock, at the current instant of the real one, so that certificates are valid. Waits until the clock of a test that runs in
     * parallel is closed.
     *
     * @throws IllegalStateException if another virtual clock has replaced Reactor's schedulers already: one of this thread, of a thread
     *     that has ended, of other code, or one that was not closed for two minutes of real time
     */
    public static synchronized TestClock start() {
        long start = System.nanoTime();
        while (current != null && current.thread != Thread.currentThread() && current.thread.isAlive()
                && System.nanoTime() - start < PATIENCE.toNanos()) {
            awaitClose();
        }
        if (VirtualTimeScheduler.isFactoryEnabled()) {
            throw new IllegalStateException("another virtual clock has replaced Reactor's schedulers: close it first; "
                    + "tests with a clock cannot run in parallel");
        }
        var clock = new TestClock();
        clock.scheduler.advanceTimeTo(Instant.now());
        VirtualTimeScheduler.set(clock.scheduler);
        Schedulers.onScheduleHook(HOOK, clock::noteRealTime);
        current = clock;
        return clock;
    }

    private static synchronized void awaitClose() {
        try {
            TestClock.class.wait(100); // and then looks again whether the other thread has ended
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while another test has a virtual clock", interrupted);
        }
    }

    /**
     * This clock as a scheduler, for code that must be given one because it does not use Reactor's own schedulers by default. Elections are
     * such code: they have a timer of their own, in real time, unless their options have
     * {@code withTimer(clock.scheduler()).withWorkers(clock.scheduler())}.
     */
    public VirtualTimeScheduler scheduler() {
        return scheduler;
    }

    /** The current instant of this clock, in milliseconds. */
    public Instant now() {
        return Instant.ofEpochMilli(scheduler.now(TimeUnit.MILLISECONDS));
    }

    /**
     * Advances the clock by {@code time}. Everything that is due meanwhile runs before this returns, in order, on the caller's thread.
     *
     * @throws AssertionError if anything has run in real time since {@link #start}
     */
    public TestClock advance(Duration time) {
        scheduler.advanceTimeBy(time);
        verify();
        return this;
    }

    /**
     * Restores Reactor's own schedulers and real time. Tasks that still wait on this clock never run.
     *
     * @throws AssertionError if anything has run in real time since {@link #start}
     */
    @Override
    public void close() {
        end();
        verify();
    }

    private void end() {
        synchronized (TestClock.class) {
            if (current == this) { // and not that of a test that waited for this one
                Schedulers.resetOnScheduleHook(HOOK);
                VirtualTimeScheduler.reset();
                current = null;
                TestClock.class.notifyAll();
            }
        }
    }

    private void verify() {
        synchronized (inRealTime) {
            if (!inRealTime.isEmpty()) {
                throw new AssertionError("not on the test's clock, but in real time: " + inRealTime.entrySet().stream()
                        .map(each -> each.getKey() + " (" + each.getValue() + ")").collect(Collectors.joining("; ")));
            }
        }
    }

    /**
     * Called for each task of a Reactor scheduler other than this one, on the thread that schedules it. The test, and everything on this
     * clock, runs on no scheduler's thread; a caller on such a thread was left behind by another test and is ignored.
     */
    private Runnable noteRealTime(Runnable task) {
        if (Schedulers.isInNonBlockingThread() || Thread.currentThread().getName().startsWith("boundedElastic-")) {
            return task;
        }
        String who = StackWalker.getInstance().walk(frames -> frames.map(StackFrame::getClassName).filter(TestClock::isOurs).findFirst())
                .map(name -> name.replaceAll("\\$.*", ""))
                .orElse(null);
        if (who != null && IN_REAL_TIME.stream().noneMatch(who::startsWith)) {
            synchronized (inRealTime) {
                inRealTime.put(who, remedy(who));
            }
        }
        return task;
    }

    private static boolean isOurs(String name) {
        return name.startsWith("io.reactiveinformer.") && !name.startsWith("io.reactiveinformer.internal.") && !name.startsWith(HOOK);
    }

    private static String remedy(String who) {
        return who.startsWith("io.reactiveinformer.leader.")
                ? "give its ElectionOptions withTimer(clock.scheduler()).withWorkers(clock.scheduler())"
                : "create it after TestClock.start(), or give it clock.scheduler()";
    }
}
