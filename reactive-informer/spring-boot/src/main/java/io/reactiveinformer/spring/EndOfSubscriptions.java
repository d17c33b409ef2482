package io.reactiveinformer.spring;

import org.springframework.context.SmartLifecycle;

/**
 * Stops the informers when Boot's web server begins to wait for the requests in progress. A stream of changes, which never ends by itself,
 * is then completed, and does not delay the stop of the application. Requests that only read can still do so.
 */
final class EndOfSubscriptions extends LastingLifecycle {

    /** The phase of Boot's {@code WebServerGracefulShutdownLifecycle}: beans of one phase are stopped at the same time. */
    private static final int PHASE = SmartLifecycle.DEFAULT_PHASE - 1_024;

    private final InformerLifecycle informers;

    EndOfSubscriptions(InformerLifecycle informers) {
        super(PHASE);
        this.informers = informers;
    }

    @Override
    void end(Runnable callback) {
        informers.stop(callback);
    }
}
