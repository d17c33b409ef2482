package io.reactiveinformer.spring;

import org.springframework.context.SmartLifecycle;

/**
 * Stops the informers when Boot's web server begins to wait for the requests in progress. A stream of changes, which never ends by itself,
 * is then completed, and does not delay the stop of the application. Requests that only read can still do so.
 */
final class EndOfSubscriptions implements SmartLifecycle {

    /** The phase of Boot's {@code WebServerGracefulShutdownLifecycle}: beans of one phase are stopped at the same time. */
    private static final int PHASE = SmartLifecycle.DEFAULT_PHASE - 1_024;

    private final InformerLifecycle informers;
    private volatile boolean running;

    EndOfSubscriptions(InformerLifecycle informers) {
        this.informers = informers;
    }

    /** Starts no informer: they were started long before, or the application starts them. */
    @Override
    public void start() {
        running = true;
    }

    @Override
    public void stop(Runnable callback) {
        running = false;
        informers.stop(callback);
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
    public boolean isPauseable() {
        return false;
    }

    @Override
    public int getPhase() {
        return PHASE;
    }
}
