package io.reactiveinformer.internal;

import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;

/** The calls of one observer. What it throws is caught, logged the first time, and has no other effect: the contract of each observer. */
public final class ObserverCalls {

    private final Logger log;
    private final String observed;
    private final AtomicBoolean logged = new AtomicBoolean();

    /** @param observed for the log, such as {@code a queue} */
    public ObserverCalls(Logger log, String observed) {
        this.log = log;
        this.observed = observed;
    }

    /** Runs {@code call}, a call of the observer. */
    public void contain(Runnable call) {
        try {
            call.run();
        } catch (Throwable thrown) { // an observer has no effect on what it observes
            threw(thrown);
        }
    }

    /** Notes what a call has thrown. For callers that catch it themselves, as they need a result or may not allocate. Does not throw. */
    public void threw(Throwable thrown) {
        try {
            if (!logged.getAndSet(true)) {
                log.warn("the observer of {} threw, and its figures may be wrong from now on; all else goes on, and further failures are "
                        + "not logged", observed, thrown);
            }
        } catch (Throwable again) { // from the log: what is observed goes on
        }
    }
}
