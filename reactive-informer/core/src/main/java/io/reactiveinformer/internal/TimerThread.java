package io.reactiveinformer.internal;

import java.util.concurrent.ScheduledThreadPoolExecutor;
import reactor.core.scheduler.NonBlocking;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * A timer that whoever is given no other shares with the whole process: a daemon, on which nobody may block. It is of no factory of Reactor's, for those of a
 * test under virtual time end with it: whichever test is the first to need such a timer, it outlasts that.
 */
public final class TimerThread extends Thread implements NonBlocking {

    private TimerThread(Runnable work, String name) {
        super(work, name);
        setDaemon(true);
    }

    /** One thread, begun when it is first needed; another one after each shortage of memory. */
    public static Scheduler scheduler(String name) {
        return new SparedTimer(another(name), () -> another(name));
    }

    private static Scheduler another(String name) {
        return Schedulers.fromExecutorService(executor(name), name);
    }

    /** What is cancelled is forgotten at once, as with Reactor's own: each piece of a body that comes cancels a time limit of a minute. */
    static ScheduledThreadPoolExecutor executor(String name) {
        var timer = new ScheduledThreadPoolExecutor(1, work -> new TimerThread(work, name));
        timer.setRemoveOnCancelPolicy(true);
        return timer;
    }
}
