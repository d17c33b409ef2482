package io.reactiveinformer.controller;

import io.reactiveinformer.resource.KubernetesException;
import java.time.Duration;

/** The work on a key took longer than {@link ControllerBuilder#timeout} and was cancelled. It is tried again as after any failure. */
public final class ReconcileTimeoutException extends KubernetesException {
    private static final long serialVersionUID = 1L;

    ReconcileTimeoutException(String controller, Object key, Duration timeout) {
        super(controller + ": the work on " + key + " took longer than " + timeout
                + " and was cancelled; do less per request, or set a longer timeout", null);
    }
}
