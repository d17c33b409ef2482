package io.reactiveinformer.leader;

import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** A timer of one's own: on a shared one, whoever blocks it keeps others in a term that is over. Its thread goes when there is nothing to wait for. */
final class ElectionTimer {

    private static final int IDLE_SECONDS = 10;

    private ElectionTimer() {}

    static Scheduler create() {
        var executor = new ScheduledThreadPoolExecutor(1, task -> {
            var thread = new Thread(task, "leader-election");
            thread.setDaemon(true);
            return thread;
        });
        executor.setRemoveOnCancelPolicy(true);
        executor.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
        executor.allowCoreThreadTimeOut(true);
        return Schedulers.fromExecutorService(executor, "leader-election");
    }
}
