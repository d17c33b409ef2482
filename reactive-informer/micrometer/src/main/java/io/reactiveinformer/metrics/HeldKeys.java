package io.reactiveinformer.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.reactiveinformer.controller.Controller;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A gauge for each name of a controller: the number of keys that wait until a cache has caught up with what was written for them.
 * Controllers with one name may follow each other, and overlap; when the last of them has ended, the gauge is removed.
 */
final class HeldKeys {

    private final Meters meters;
    private final Map<String, OfName> names = new HashMap<>(); // guarded by this

    HeldKeys(Meters meters) {
        this.meters = meters;
    }

    private record OfName(Set<Controller<?>> controllers, Meter gauge) {}

    /** False if it was added before. */
    synchronized boolean add(Controller<?> controller) {
        return names.computeIfAbsent(controller.name(), this::show).controllers().add(controller);
    }

    private OfName show(String name) {
        Set<Controller<?>> controllers = ConcurrentHashMap.newKeySet();
        return new OfName(controllers, Gauge.builder("controller.held", controllers,
                all -> all.stream().mapToInt(one -> one.held().size()).sum())
                .description("Keys that wait until a cache has caught up with what was written for them")
                .tags(meters.tags("controller", name))
                .strongReference(true)
                .register(meters.registry()));
    }

    synchronized void remove(Controller<?> controller) {
        OfName left = names.get(controller.name());
        if (left != null && left.controllers().remove(controller) && left.controllers().isEmpty()) {
            names.remove(controller.name());
            meters.registry().remove(left.gauge());
        }
    }
}
