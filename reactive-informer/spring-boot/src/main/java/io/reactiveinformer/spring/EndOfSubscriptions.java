package io.reactiveinformer.spring;

import org.springframework.context.SmartLifecycle;

/**
 * Stops the informers at the same time as Boot's web server begins to wait for the requests that are under way: a stream of changes, which never ends by itself,
 * is told its end, and does not hold up the stop of the application. Requests that only read go on doing so.
 */
final class EndOfSubscriptions implements SmartLifecycle {

    /** Of Boot's {@code WebServerGracefulShutdownLifecycle}: what is of the same phase is stopped at the same time. */
    private static final int PHASE = SmartLifecycle.DEFAULT_PHASE - 1_024;

    private final InformerLifecycle informers;
    private volatile boolean running;

    EndOfSubscriptions(InformerLifecycle informers) {
        this.informers = informers;
    }

    /** They were started long before, or the application does it. */
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
