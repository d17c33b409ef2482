package io.reactiveinformer.store;

import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares user objects by {@code equals}. An object whose {@code equals} throws equals only itself; the failure is logged once for each
 * class.
 */
final class Equality {

    private static final Logger LOG = LoggerFactory.getLogger(Store.class);

    private static final ClassValue<AtomicBoolean> REPORTED = new ClassValue<>() {
        @Override
        protected AtomicBoolean computeValue(Class<?> type) {
            return new AtomicBoolean();
        }
    };

    private Equality() {}

    static boolean holds(Object one, Object other) {
        try {
            return one == other || one.equals(other);
        } catch (Throwable failure) { // of an equals of the user
            if (REPORTED.get(one.getClass()).compareAndSet(false, true)) {
                LOG.warn("equals of {} throws: its objects count as different, and updates may be emitted although nothing changed;"
                        + " further failures are not logged", one.getClass().getName(), failure);
            }
            return false;
        }
    }
}
