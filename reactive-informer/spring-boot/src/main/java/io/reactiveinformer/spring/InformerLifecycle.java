package io.reactiveinformer.spring;

import java.time.Duration;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.context.SmartLifecycle;
import reactor.core.scheduler.Schedulers;

/**
 * Starts the informers before the web server takes requests, and stops them for good: subscribers get what is pending, snapshots are saved. The stop waits on no
 * thread. A context that is only paused, as those are that tests keep for each other, leaves them alone.
 */
final class InformerLifecycle implements SmartLifecycle, SmartInitializingSingleton {

    /** Below the phases of Boot's web servers, the lowest of which is 2,048 below the default: what is lower starts earlier and stops later. */
    private static final int PHASE = SmartLifecycle.DEFAULT_PHASE - 4_096;

    private final Factories informers;
    private final ReactiveInformerProperties properties;
    private final InformerBeans beans;
    private volatile boolean running;
    private volatile boolean over;
    private boolean connected; // by the thread that starts the application

    InformerLifecycle(Factories informers, ReactiveInformerProperties properties, InformerBeans beans) {
        this.informers = informers;
        this.properties = properties;
        this.beans = beans;
    }

    /** Also where the application starts the factory itself, later. */
    @Override
    public void afterSingletonsInstantiated() {
        connect();
    }

    /** Where beans are made lazily, nobody has been told that they are there. */
    private void connect() {
        if (!connected) {
            connected = true;
            beans.connect();
        }
    }

    @Override
    public void start() {
        if (over) {
            throw new IllegalStateException("informers that were stopped cannot be started again: make a new application context instead of starting this one twice");
        }
        running = true;
        connect();
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

    /** Again: waits for what the first time began. */
    @Override
    public void stop(Runnable callback) {
        running = false;
        over = true;
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

    /** What a paused application serves is as current afterwards as if it had not been; a stop could not be taken back. */
    @Override
    public boolean isPauseable() {
        return false;
    }

    @Override
    public int getPhase() {
        return PHASE;
    }
}
