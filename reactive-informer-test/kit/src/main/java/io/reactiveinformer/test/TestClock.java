package io.reactiveinformer.test;

import io.reactiveinformer.leader.ElectionOptions;
import java.lang.StackWalker.StackFrame;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import reactor.core.scheduler.Schedulers;
import reactor.test.scheduler.VirtualTimeScheduler;

/**
 * The clock of a test. From {@link #start} to {@link #close} it stands in the place of Reactor's own schedulers, so that whatever of this library, or of yours,
 * is built meanwhile and told of no other scheduler runs on it: fake servers, clients, informers, deliveries, queues, controllers, recorders. Nothing happens
 * later than at once until the test lets time pass, and what happens then happens on the test's thread.
 *
 * <pre>{@code
 * try (TestClock clock = TestClock.start(); FakeApiServer server = FakeApiServer.create()) {
 *     Informer<V1Pod> pods = InformerFactory.create(KubernetesClient.over(server.transport())).of(PODS);
 *     pods.start();
 *     clock.advance(Duration.ofHours(1));
 * }
 * }</pre>
 *
 * <p>What runs in real time all the same, since it was built before or has a timer of its own, makes {@link #advance} and {@link #close} fail and say what it
 * is. Sockets are always in real time: use {@link FakeApiServer#transport}. One clock at a time in a process: tests that have one do not run side by side with
 * others.
 */
public final class TestClock implements AutoCloseable {

    private static final String HOOK = TestClock.class.getName();

    /** Sockets and their timers, and how long a client that is closed waits for its dependents. */
    private static final List<String> IN_REAL_TIME =
            List.of("io.reactiveinformer.transport.", "io.reactiveinformer.client.DefaultKubernetesClient");

    private final VirtualTimeScheduler scheduler = VirtualTimeScheduler.create();
    private final Map<String, String> inRealTime = new TreeMap<>(); // from who to what to do; guarded by itself

    private TestClock() {}

    /** From here on. At the present instant of the real clock, so that certificates are valid. */
    public static synchronized TestClock start() {
        if (VirtualTimeScheduler.isFactoryEnabled()) {
            throw new IllegalStateException("another clock stands in the place of Reactor's schedulers: close it first; "
                    + "tests with a clock cannot run side by side");
        }
        var clock = new TestClock();
        clock.scheduler.advanceTimeTo(Instant.now());
        VirtualTimeScheduler.set(clock.scheduler);
        Schedulers.onScheduleHook(HOOK, clock::noteRealTime);
        return clock;
    }

    /** For what must be told, since it does not use Reactor's own schedulers unless it is told another. */
    public VirtualTimeScheduler scheduler() {
        return scheduler;
    }

    /** {@link ElectionOptions#defaults()} on this clock: they have a timer of their own otherwise, which is in real time. */
    public ElectionOptions elections() {
        return ElectionOptions.defaults().withTimer(scheduler).withWorkers(scheduler);
    }

    public Instant now() {
        return Instant.ofEpochMilli(scheduler.now(TimeUnit.MILLISECONDS));
    }

    /**
     * Lets time pass. What is due meanwhile happens before this returns, in order.
     *
     * @throws AssertionError if anything has run in real time since {@link #start}
     */
    public TestClock advance(Duration time) {
        scheduler.advanceTimeBy(time);
        verify();
        return this;
    }

    /**
     * Real time again. What still waits on this clock never happens.
     *
     * @throws AssertionError if anything has run in real time since {@link #start}
     */
    @Override
    public void close() {
        Schedulers.resetOnScheduleHook(HOOK);
        VirtualTimeScheduler.reset();
        verify();
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
     * Called for each task of a scheduler of Reactor's that is not this one, by who wants it done. What the test does, and all that happens on this clock, is on
     * no thread of a scheduler; what is, was left behind by another test.
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
        return who.startsWith("io.reactiveinformer.leader.") ? "take clock.elections(), or say withTimer(clock.scheduler())"
                : "make it after TestClock.start(), or give it clock.scheduler()";
    }
}
