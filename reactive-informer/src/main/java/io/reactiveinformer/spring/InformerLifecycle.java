package io.reactiveinformer.spring;

import io.reactiveinformer.informer.InformerFactory;
import java.time.Duration;
import org.springframework.context.SmartLifecycle;
import reactor.core.scheduler.Schedulers;

/**
 * Starts the informers before the web server takes requests, and stops them when it takes no more: subscribers get what is pending, snapshots are saved. The
 * stop waits on no thread.
 */
final class InformerLifecycle implements SmartLifecycle {

    /** Below the phases of Boot's web servers, the lowest of which is 2,048 below the default: what is lower starts earlier and stops later. */
    private static final int PHASE = SmartLifecycle.DEFAULT_PHASE - 4_096;

    private final InformerFactory informers;
    private final ReactiveInformerProperties properties;
    private final InformerBeans beans;
    private volatile boolean running;

    InformerLifecycle(InformerFactory informers, ReactiveInformerProperties properties, InformerBeans beans) {
        this.informers = informers;
        this.properties = properties;
        this.beans = beans;
    }

    @Override
    public void start() {
        running = true;
        beans.connect();
        informers.start();
        Duration patience = properties.waitForSync();
        if (patience != null) {
            awaitSync(patience);
        }
    }

    private void awaitSync(Duration patience) {
        if (Schedulers.isInNonBlockingThread()) {
            throw new IllegalStateException("an application that is started on " + Thread.currentThread().getName() + ", where nobody may block, cannot wait there: remove "
                    + ReactiveInformerProperties.PREFIX + ".wait-for-sync, or start it elsewhere");
        }
        informers.synced(patience).block();
    }

    @Override
    public void stop(Runnable callback) {
        running = false;
        informers.stop(properties.grace()).doFinally(end -> callback.run()).subscribe();
    }

    @Override
    public void stop() {
        stop(() -> {});
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public boolean isAutoStartup() {
        return properties.autoStartup();
    }

    @Override
    public int getPhase() {
        return PHASE;
    }
}
