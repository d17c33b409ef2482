package io.reactiveinformer.metrics;

import java.util.HashMap;
import java.util.Map;

/**
 * Meters for each description, which exist while there are informers with it: an application that leases an informer for each user must not
 * accumulate meters.
 */
final class SharedReflectorMeters {

    private static final class Use {

        private final ReflectorMeters meters;
        private int users;

        Use(ReflectorMeters meters) {
            this.meters = meters;
        }
    }

    private final Meters meters;
    private final Map<String, Use> uses = new HashMap<>(); // guarded by this

    SharedReflectorMeters(Meters meters) {
        this.meters = meters;
    }

    synchronized ReflectorMeters use(String description) {
        Use use = uses.computeIfAbsent(description, name -> new Use(new ReflectorMeters(meters, name)));
        use.users++;
        return use.meters;
    }

    /** Must be called once for each {@link #use}. */
    synchronized void leave(String description) {
        Use use = uses.get(description);
        if (use != null && --use.users == 0) {
            uses.remove(description);
            use.meters.remove();
        }
    }
}
