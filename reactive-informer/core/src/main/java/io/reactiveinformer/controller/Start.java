package io.reactiveinformer.controller;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** The controllers that one start of a manager makes, and how each stands. */
final class Start {

    private final Map<String, Controller<?>> made = new LinkedHashMap<>(); // guarded by itself; no call leaves while it is held
    private final Map<String, ControllerStatus> statuses = new ConcurrentHashMap<>();
    private final Sinks.Empty<Void> done = Sinks.empty();

    void make(String name, Supplier<? extends Controller<?>> supplier) {
        Controller<?> controller = supplier.get();
        synchronized (made) {
            made.put(name, controller);
        }
        controller.status().subscribe(status -> statuses.put(name, status));
    }

    /** In the order in which they were made. */
    List<Controller<?>> controllers() {
        synchronized (made) {
            return new ArrayList<>(made.values());
        }
    }

    /** In the order in which they were made; those only that have told how they stand. */
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

    /** Completes when all are made and follow their views; fails with what this start failed of. */
    Mono<Void> done() {
        return done.asMono();
    }
}
