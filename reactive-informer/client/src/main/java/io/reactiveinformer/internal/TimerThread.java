package io.reactiveinformer.internal;

import java.util.concurrent.ScheduledThreadPoolExecutor;
import reactor.core.scheduler.NonBlocking;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * The daemon thread of a timer that all parts of the process share unless they were given another one. Tasks on it must not block. It is
 * not made by Reactor's factory of schedulers: under virtual time, such a timer would end with the first test that needs it; this one
 * outlives the test.
 */
public final class TimerThread extends Thread implements NonBlocking {

    private TimerThread(Runnable work, String name) {
        super(work, name);
        setDaemon(true);
    }

    /** A timer on one daemon thread named {@code name}, started on first use; replaced by another one after each shortage of memory. */
    public static Scheduler scheduler(String name) {
        return new SparedTimer(another(name), () -> another(name));
    }

    private static Scheduler another(String name) {
        return Schedulers.fromExecutorService(executor(name), name);
    }

    /** Cancelled tasks are removed at once, as by Reactor's own: each received part of a body cancels a time limit of a minute. */
    static ScheduledThreadPoolExecutor executor(String name) {
        var timer = new ScheduledThreadPoolExecutor(1, work -> new TimerThread(work, name));
        timer.setRemoveOnCancelPolicy(true);
        return timer;
    }
}
