package io.reactiveinformer.sharding;

import io.reactiveinformer.controller.Reconciler;
import io.reactiveinformer.queue.Result;
import io.reactiveinformer.sharding.ShardedController.Division;
import io.reactiveinformer.sharding.ShardedController.Share;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * The keys that this process works on, and those it may begin. A key is entered before the check that it is owned and cached, and a smaller
 * share is set before the running keys are read. So no work begins that the reader misses.
 */
final class Work<K> {

    private final Map<K, Long> present = new ConcurrentHashMap<>();
    final Division division;
    final ShareCache cache;
    private final Sinks.Empty<Void> leaving = Sinks.empty();
    private volatile Share share = Share.NONE;
    private volatile boolean left;

    Work(Division division, ShareCache cache) {
        this.division = division;
        this.cache = cache;
    }

    boolean mayBegin(K key) {
        return !left && share.owns(key) && cache.has(division.hash(key));
    }

    /** Calls {@code reconciler} for keys that this member may begin; the result for others is {@link Result#done}. */
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

    /** The hashes of the keys worked on that do not belong to {@code member} if {@code members} divide the keys. */
    Set<Long> outside(SortedSet<String> members, String member) {
        return present.values().stream().filter(key -> !Rendezvous.owner(members, key).equals(member))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** The hashes of the keys worked on. */
    Collection<Long> present() {
        return present.values();
    }

    /** Permanently stops beginning work. */
    void leave() {
        left = true;
        leaving.tryEmitEmpty();
    }

    boolean isLeaving() {
        return left;
    }

    /** Completes after {@link #leave}. */
    Mono<Void> leaving() {
        return leaving.asMono();
    }
}
