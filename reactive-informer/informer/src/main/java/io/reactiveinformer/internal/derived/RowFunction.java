package io.reactiveinformer.internal.derived;

import io.reactiveinformer.client.Known.Stale;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls a user's function for one row of a view. A failure affects that row only: it is recorded as stale until
 * the function succeeds for it, or the row is removed. Used by one thread at a time.
 */
public final class RowFunction {

    private static final Logger LOG = LoggerFactory.getLogger("io.reactiveinformer.view.View");

    private final String kind;
    private final String outcome;
    private final Map<Object, Stale> failures = new HashMap<>();
    private Map<Object, Stale> published = Map.of();
    private boolean news;
    private boolean logged;

    /** @param kind the kind of the view, for the log */
    RowFunction(String kind) {
        this(kind, "stays as it was");
    }

    /** @param outcome what becomes of a row for which the function throws, for the log */
    RowFunction(String kind, String outcome) {
        this.kind = kind;
        this.outcome = outcome;
    }

    /** Calls {@code function}; empty if it threw, which is logged the first time. */
    <R> Optional<R> call(Object key, Supplier<R> function) {
        try {
            R result = function.get();
            forget(key);
            return Optional.of(result);
        } catch (Throwable failure) { // of the user: this row only
            if (!logged) {
                logged = true;
                LOG.warn("the function of a {} view threw for {}: the row {}. Further failures are not logged; the status "
                        + "of the view has them", kind, key, outcome, failure);
            }
            var reason = new Stale(null, "the function of a " + kind + " view threw " + failure.getClass().getName());
            news |= !reason.equals(failures.put(key, reason));
            return Optional.empty();
        }
    }

    /** Whether the last call of the function for this row threw. */
    public boolean failsOn(Object key) {
        return failures.containsKey(key);
    }

    /** Drops the recorded failure of a row, because the function succeeded or the row was removed. */
    void forget(Object key) {
        news |= failures.remove(key) != null;
    }

    /** The rows for which the last call of the function threw; the same instance while nothing changes. */
    public Map<Object, Stale> failures() {
        if (news) {
            news = false;
            published = Map.copyOf(failures);
        }
        return published;
    }
}
