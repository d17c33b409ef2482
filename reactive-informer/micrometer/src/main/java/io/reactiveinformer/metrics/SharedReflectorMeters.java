package io.reactiveinformer.metrics;

import java.util.HashMap;
import java.util.Map;

/**
 * Meters for each description, kept while there are informers of it. Otherwise an application that leases an informer for each user would
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

    /** To be called once for each {@link #use}. */
    synchronized void leave(String description) {
        Use use = uses.get(description);
        if (use != null && --use.users == 0) {
            uses.remove(description);
            use.meters.remove();
        }
    }
}
