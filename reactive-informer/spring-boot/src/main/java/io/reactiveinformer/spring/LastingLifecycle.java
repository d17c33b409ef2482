package io.reactiveinformer.spring;

import org.springframework.context.SmartLifecycle;

/** What runs from the start of an application to its end: stopped once and for good, without blocking a thread, and never paused. */
abstract class LastingLifecycle implements SmartLifecycle {

    private final int phase;
    private volatile boolean running;

    /** @param phase lower ones start earlier and stop later */
    LastingLifecycle(int phase) {
        this.phase = phase;
    }

    @Override
    public void start() {
        running = true;
    }

    @Override
    public void stop(Runnable callback) {
        running = false;
        end(callback);
    }

    /** Calls {@code callback} when it has stopped. A further call waits for the stop that the first call began. */
    abstract void end(Runnable callback);

    @Override
    public void stop() {
        stop(() -> {});
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    /** After a pause, as of a context between tests, all is as current as without it; a stop could not be undone. */
    @Override
    public boolean isPauseable() {
        return false;
    }

    @Override
    public int getPhase() {
        return phase;
    }
}
