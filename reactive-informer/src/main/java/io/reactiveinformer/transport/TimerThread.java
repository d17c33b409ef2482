package io.reactiveinformer.transport;

import java.util.concurrent.ScheduledThreadPoolExecutor;
import reactor.core.scheduler.NonBlocking;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * The clients' timer, unless they are given another: a daemon, on which nobody may block. It is of no factory of Reactor's, for those of a test under virtual
 * time end with it: whichever test is the first to need this timer, it outlasts that.
 */
final class TimerThread extends Thread implements NonBlocking {

    private TimerThread(Runnable work) {
        super(work, "reactive-informer-timer");
        setDaemon(true);
    }

    static Scheduler scheduler() {
        return Schedulers.fromExecutorService(executor());
    }

    /** What is cancelled is forgotten at once, as with Reactor's own: each piece of a body that comes cancels a time limit of a minute. */
    static ScheduledThreadPoolExecutor executor() {
        var timer = new ScheduledThreadPoolExecutor(1, TimerThread::new);
        timer.setRemoveOnCancelPolicy(true);
        return timer;
    }
}
