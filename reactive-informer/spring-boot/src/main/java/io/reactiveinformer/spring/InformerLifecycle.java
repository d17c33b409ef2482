package io.reactiveinformer.spring;

import io.reactiveinformer.informer.Informer;
import java.time.Duration;
import java.util.List;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.context.SmartLifecycle;
import reactor.core.scheduler.Schedulers;

/**
 * Starts the informers before the web server accepts requests, and stops them for good: subscribers receive their pending changes, and
 * snapshots are saved. The stop blocks no thread. A context that is only paused, as a cached one between tests, leaves them running.
 */
final class InformerLifecycle extends LastingLifecycle implements SmartInitializingSingleton {

    /**
     * Below the phases of Boot's web servers, the lowest of which is 2,048 below the default: lower phases start earlier and stop later.
     */
    private static final int PHASE = SmartLifecycle.DEFAULT_PHASE - 4_096;

    private final Factories informers;
    private final ReactiveInformerProperties properties;
    private final InformerBeans beans;
    private volatile boolean over;
    private boolean connected; // used by the thread that starts the application

    InformerLifecycle(Factories informers, ReactiveInformerProperties properties, InformerBeans beans) {
        super(PHASE);
        this.informers = informers;
        this.properties = properties;
        this.beans = beans;
    }

    /** Connects the beans also if the application itself starts the factory later. */
    @Override
    public void afterSingletonsInstantiated() {
        connect();
    }

    /** Called from {@link #start} too: with lazy beans, {@link #afterSingletonsInstantiated} may not have been called. */
    private void connect() {
        if (!connected) {
            connected = true;
            beans.connect();
        }
    }

    /** The names of the handler beans that receive no more changes of {@code informer}. */
    List<String> endedHandlers(Informer<?> informer) {
        return beans.ended(informer);
    }

    @Override
    public void start() {
        if (over) {
            throw new IllegalStateException(
                    "informers that were stopped cannot be started again: make a new application context instead of starting this one "
                    + "twice");
        }
        super.start();
        connect();
        informers.start();
        Duration patience = properties.waitForSync();
        if (patience != null) {
            awaitSync(patience);
        }
    }

    private void awaitSync(Duration patience) {
        if (Schedulers.isInNonBlockingThread()) {
            throw new InformerConfigurationException(
                    "cannot wait for informers on the thread " + Thread.currentThread().getName() + ", which must not block",
                    "Remove " + ReactiveInformerProperties.PREFIX + ".wait-for-sync, or start the application on another thread.");
        }
        informers.synced(patience).block();
    }

    @Override
    void end(Runnable callback) {
        over = true;
        informers.stop(properties.grace()).doFinally(end -> callback.run()).subscribe();
    }

    @Override
    public boolean isAutoStartup() {
        return properties.autoStartup();
    }
}
