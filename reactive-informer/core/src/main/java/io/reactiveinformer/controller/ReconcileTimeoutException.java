package io.reactiveinformer.controller;

import java.time.Duration;

/** The work on a key took longer than {@link ControllerBuilder#timeout} and was cancelled. It is tried again as after any failure. */
@SuppressWarnings("serial") // failures are not serialized here
public final class ReconcileTimeoutException extends RuntimeException {

    ReconcileTimeoutException(String controller, Object key, Duration timeout) {
        super(controller + ": the work on " + key + " took longer than " + timeout
                + " and was cancelled; do less per request, or set a longer timeout");
    }
}
