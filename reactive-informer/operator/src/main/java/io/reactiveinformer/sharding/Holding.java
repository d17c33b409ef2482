package io.reactiveinformer.sharding;

import io.reactiveinformer.sharding.Extent.Claim;
import io.reactiveinformer.sharding.ShardedController.Division;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.SortedSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

/**
 * The extent that the narrowed informers cache: the keys that belong to this member, or may soon. It grows before work on a new key begins.
 * It shrinks only when no key outside is worked on any more, since running work must not see its objects disappear.
 */
final class Holding {

    private static final Logger LOG = LoggerFactory.getLogger(ShardedController.class);

    private final Division division;
    private final Runnable grown;
    private Extent asked = Extent.NOTHING; // guarded by this
    private volatile Extent held = Extent.NOTHING;

    /** @param grown called when the informers cache more */
    Holding(Division division, Runnable grown) {
        this.division = division;
        this.grown = grown;
        if (!isAll()) {
            ask(Extent.NOTHING).subscribe(null, failure -> LOG.error("the informers cannot be narrowed to a share", failure));
        }
    }

    private boolean isAll() {
        return division.narrowed().isEmpty();
    }

    boolean has(long key) {
        return isAll() || held.has(key);
    }

    boolean covers(Extent other) {
        return isAll() || held.covers(other);
    }

    /** The keys of {@code member} by any of {@code divisions}, or by the division among {@code living}. */
    static Extent of(String member, Set<Statement> divisions, SortedSet<String> living) {
        Set<Claim> claims = new HashSet<>();
        divisions.forEach(statement -> claims.add(new Claim(member, statement.members())));
        claims.add(new Claim(member, living));
        return Extent.NOTHING.and(new Extent(claims));
    }

    /**
     * Moves the cached extent towards {@code wanted}; call it in each round until that is reached.
     *
     * @param working the hashes of the keys that are worked on
     */
    synchronized void aim(Extent wanted, Collection<Long> working) {
        if (isAll() || wanted.equals(asked)) {
            return;
        }
        if (!asked.covers(wanted)) {
            Extent more = asked.and(wanted);
            asked = more;
            ask(more).subscribe(null, failure -> LOG.error("a larger share cannot be cached", failure), () -> grow(more));
        } else if (held.equals(asked) && working.stream().allMatch(wanted::has)) {
            held = wanted;
            asked = wanted;
            division.narrowed().forEach(informer -> informer.narrow(key -> wanted.has(division.hash(key))));
        }
    }

    private Mono<Void> ask(Extent extent) {
        return Mono.when(division.narrowed().stream().map(informer -> informer.keep(key -> extent.has(division.hash(key)))).toList());
    }

    private void grow(Extent more) {
        synchronized (this) {
            if (!asked.equals(more)) {
                return; // an even larger extent was requested meanwhile
            }
            held = more;
        }
        grown.run();
    }
}
