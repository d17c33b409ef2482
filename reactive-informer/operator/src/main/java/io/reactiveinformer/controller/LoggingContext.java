package io.reactiveinformer.controller;

import java.util.Map;
import org.slf4j.MDC;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;

/** Puts a request into the logging MDC of a thread, and into the context of its work. */
final class LoggingContext {

    private LoggingContext() {}

    /** Runs {@code action} with the request in the MDC; restores the previous entries afterwards. */
    static void within(ReconcileRequest<?> request, Runnable action) {
        Map<String, String> before = MDC.getCopyOfContextMap();
        entries(request).forEach(MDC::put);
        try {
            action.run();
        } finally {
            MDC.setContextMap(before == null ? Map.of() : before);
        }
    }

    private static Map<String, String> entries(ReconcileRequest<?> request) {
        return Map.of(ReconcileRequest.CONTROLLER, request.controller(), ReconcileRequest.KEY,
                String.valueOf(request.key()), ReconcileRequest.ID, request.id());
    }

    /**
     * Wraps {@code work}: subscribed to with the request in the MDC, and run with it in the context.
     *
     * @param returned called when {@code subscribe} of the work has returned or thrown, whatever signals there were; must not throw
     */
    static <T> Mono<T> around(ReconcileRequest<?> request, Mono<T> work, Runnable returned) {
        Context context = Context.of(Map.<Object, Object>copyOf(entries(request))).put(ReconcileRequest.class, request);
        return Mono.<T>fromDirect(actual -> {
            try {
                within(request, () -> work.subscribe(actual));
            } finally {
                returned.run();
            }
        }).contextWrite(context);
    }
}
