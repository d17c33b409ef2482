package io.reactiveinformer.sharding;

import io.reactiveinformer.controller.Reconciler;
import io.reactiveinformer.queue.Result;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * What this process works on, and what it may begin. A key is entered before it is asked whether it is ours and held, and a smaller share is set before it is looked
 * up what is worked on: so nothing is begun that the look would miss.
 */
final class Work<K> {

    private final Map<K, Long> present = new ConcurrentHashMap<>();
    private final Division division;
    private final Holding holding;
    private final Sinks.Empty<Void> leaving = Sinks.empty();
    private volatile Share share = Share.NONE;
    private volatile boolean left;

    Work(Division division, Holding holding) {
        this.division = division;
        this.holding = holding;
    }

    boolean mayBegin(K key) {
        return !left && share.owns(key) && holding.has(division.hash(key));
    }

    /** Works as {@code reconciler} does, on keys that are ours. */
    Reconciler<K> guard(Reconciler<K> reconciler) {
        return request -> Mono.using(
                () -> {
                    present.put(request.key(), division.hash(request.key()));
                    return request.key();
                },
                key -> mayBegin(key) ? reconciler.reconcile(request) : Mono.just(Result.done()),
                present::remove);
    }

    Share share() {
        return share;
    }

    void share(Share next) {
        share = next;
    }

    /** What is worked on and is not {@code member}'s by {@code members}. */
    Set<Long> outside(SortedSet<String> members, String member) {
        Set<Long> outside = new TreeSet<>();
        present.values().forEach(key -> {
            if (!Rendezvous.owner(members, key).equals(member)) {
                outside.add(key);
            }
        });
        return outside;
    }

    /** The hashes of what is worked on. */
    Collection<Long> present() {
        return present.values();
    }

    /** Begins nothing more, ever. */
    void leave() {
        left = true;
        leaving.tryEmitEmpty();
    }

    boolean isLeaving() {
        return left;
    }

    /** Completes when it {@link #leave leaves}. */
    Mono<Void> leaving() {
        return leaving.asMono();
    }
}
