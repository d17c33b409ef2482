package io.reactiveinformer.store;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Is notified of index functions that throw. The object is cached nevertheless, but the index does not find it. */
@FunctionalInterface
interface IndexFailures {

    /** The function of {@code index}, or {@code equals} or {@code hashCode} of its result, threw for the row of {@code key}. */
    void failed(Index<?, ?> index, Object key, Throwable failure);

    /** Logs the first failure of each index, and ignores later ones. */
    static IndexFailures logged() {
        Logger log = LoggerFactory.getLogger(Index.class);
        Set<Index<?, ?>> known = ConcurrentHashMap.newKeySet();
        return (index, key, failure) -> {
            if (known.add(index)) {
                log.warn("{} throws for {}, which the index therefore does not find; further failures of it are not logged",
                        index, key, failure);
            }
        };
    }
}
