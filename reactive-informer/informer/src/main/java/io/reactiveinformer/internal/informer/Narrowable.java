package io.reactiveinformer.internal.informer;

import java.util.function.Predicate;
import reactor.core.publisher.Mono;

/** Caches a part of what it watches, which can be changed while it runs, for all callers that share it. For sharding. */
public interface Narrowable<K> {

    /**
     * Caches, from now on, only objects whose key {@code which} accepts. The others leave, with the cause {@code LEFT}, and are skipped
     * before they are decoded. What is cached stays; the rest is listed again, and until then this is not complete. Completes when it is.
     * Takes effect on subscription.
     *
     * @param which quick, with the same answer each time, and throws nothing; called by any thread that reads
     * @throws IllegalStateException if this begins with what was saved: that may be another part of it
     */
    Mono<Void> keep(Predicate<? super K> which);

    /**
     * As {@link #keep}, for a predicate that accepts a part of what is cached: nothing is listed, and this stays complete. Call it after
     * {@link #keep} has completed.
     */
    void narrow(Predicate<? super K> which);
}
