package io.reactiveinformer.store;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Notified of index functions that throw. The object is stored nevertheless, and is in no bucket of that index. */
@FunctionalInterface
public interface IndexFailures {

    /**
     * An index function, or {@code equals} or {@code hashCode} of its result, threw for a row. Called on the writer's thread: must be
     * quick, and must not throw.
     */
    void failed(Index<?, ?> index, Object key, Throwable failure);

    /** Logs the first failure of each index, as a warning; later ones are ignored. */
    static IndexFailures logged() {
        Logger log = LoggerFactory.getLogger(Index.class);
        Set<Index<?, ?>> known = ConcurrentHashMap.newKeySet();
        return (index, key, failure) -> {
            if (known.add(index)) {
                log.warn("{} fails on {}: left out of this index, as will be others it fails on, without further notice", index, key, failure);
            }
        };
    }
}
