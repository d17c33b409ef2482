package io.reactiveinformer.view;

import io.reactiveinformer.resource.InformerStatus.Stale;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls a user's function for one row of a view. Whatever it throws affects that row only: the row stays as it was, and is recorded as
 * stale until the function no longer throws on it, or the row is gone. Used by one thread at a time.
 */
final class RowFunction {

    private static final Logger LOG = LoggerFactory.getLogger(View.class);

    private final String kind;
    private final Map<Object, Stale> failures = new HashMap<>();
    private Map<Object, Stale> told = Map.of();
    private boolean news;
    private boolean logged;

    /** @param kind the kind of the view, for the log */
    RowFunction(String kind) {
        this.kind = kind;
    }

    /** Calls {@code function}; empty if it threw, which is logged the first time. */
    <R> Optional<R> call(Object key, Supplier<R> function) {
        try {
            R result = function.get();
            forget(key);
            return Optional.of(result);
        } catch (Throwable failure) {
            if (!logged) {
                logged = true;
                LOG.warn("The function of a {} view fails on {}: its row stays as it was, as will others, without further notice; the "
                        + "view's status names them", kind, key, failure);
            }
            var reason = new Stale(null, "the function of a " + kind + " view threw " + failure.getClass().getName());
            news |= !reason.equals(failures.put(key, reason));
            return Optional.empty();
        }
    }

    /** Whether the function threw when it was last called for the row. */
    boolean failsOn(Object key) {
        return failures.containsKey(key);
    }

    /** Drops a recorded failure: the function succeeded, or the row is gone. */
    void forget(Object key) {
        news |= failures.remove(key) != null;
    }

    /** The rows on which the function threw when it was last called; the same instance while they are the same. */
    Map<Object, Stale> failures() {
        if (news) {
            news = false;
            told = Map.copyOf(failures);
        }
        return told;
    }
}
