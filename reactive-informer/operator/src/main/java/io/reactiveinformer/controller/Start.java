package io.reactiveinformer.controller;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.util.retry.Retry;

/** The controllers that one start of a manager creates, and the status of each. */
final class Start {

    private final Map<String, Controller<?>> made = new LinkedHashMap<>(); // guarded by itself; no foreign code is called under the lock
    private final Map<String, ControllerStatus> statuses = new ConcurrentHashMap<>();
    private final Sinks.Empty<Void> done = Sinks.empty();

    void make(String name, Supplier<? extends Controller<?>> supplier) {
        Controller<?> controller = supplier.get();
        synchronized (made) {
            made.put(name, controller);
        }
        controller.status()
                .retryWhen(Retry.fixedDelay(Long.MAX_VALUE, Duration.ofSeconds(1))) // fails if a status cannot be delivered
                .subscribe(status -> statuses.put(name, status));
    }

    /** The controllers in the order of creation. */
    List<Controller<?>> controllers() {
        synchronized (made) {
            return new ArrayList<>(made.values());
        }
    }

    /** The statuses in the order of creation, without those of controllers that have emitted none yet. */
    Map<String, ControllerStatus> statuses() {
        List<String> names;
        synchronized (made) {
            names = List.copyOf(made.keySet());
        }
        Map<String, ControllerStatus> inOrder = new LinkedHashMap<>();
        for (String name : names) {
            ControllerStatus status = statuses.get(name);
            if (status != null) {
                inOrder.put(name, status);
            }
        }
        return inOrder;
    }

    void succeed() {
        done.tryEmitEmpty();
    }

    void fail(Throwable failure) {
        controllers().forEach(Controller::close);
        done.tryEmitError(failure);
    }

    /** Completes when all controllers are created and have subscribed to their views; fails with the error of this start. */
    Mono<Void> done() {
        return done.asMono();
    }
}
