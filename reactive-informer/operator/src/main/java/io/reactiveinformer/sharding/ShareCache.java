package io.reactiveinformer.sharding;

import io.reactiveinformer.sharding.MemberLease.Statement;
import io.reactiveinformer.sharding.ShardedController.Division;
import java.util.Collection;
import java.util.Set;
import java.util.SortedSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

/**
 * The range that the narrowed informers cache: the keys that belong to this member, or may soon. It grows before work
 * on a new key begins. It shrinks only when no key outside is worked on any more, since running work must not see its
 * objects disappear.
 */
final class ShareCache {

    private static final Logger LOG = LoggerFactory.getLogger(ShardedController.class);

    private final Division division;
    private final Runnable grown;
    private KeyRange asked = KeyRange.NOTHING; // guarded by this
    private volatile KeyRange held = KeyRange.NOTHING;

    /** @param grown called when the informers cache more */
    ShareCache(Division division, Runnable grown) {
        this.division = division;
        this.grown = grown;
        if (!isAll()) {
            ask(KeyRange.NOTHING).subscribe(null, failure -> LOG.error("the informers cannot be narrowed to a share", failure));
        }
    }

    /** A set of keys: the union of the shares of a member by several divisions, described without listing the keys. */
    record KeyRange(Set<Claim> claims) {

        static final KeyRange NOTHING = new KeyRange(Set.of());

        /** The keys of {@code member} if {@code members} divide the keys. */
        record Claim(String member, SortedSet<String> members) {

            boolean has(long key) {
                return Rendezvous.owner(members, key).equals(member);
            }

            /**
             * Whether this includes all keys of {@code other}: among more members, a member has a subset of what it has
             * among fewer.
             */
            boolean covers(Claim other) {
                return member.equals(other.member) && members.contains(member) && other.members.containsAll(members);
            }
        }

        boolean has(long key) {
            for (Claim claim : claims) {
                if (claim.has(key)) {
                    return true;
                }
            }
            return false;
        }

        boolean covers(KeyRange other) {
            return other.claims.stream().allMatch(theirs -> claims.stream().anyMatch(ours -> ours.covers(theirs)));
        }

        KeyRange and(KeyRange other) {
            Set<Claim> all = Stream.concat(claims.stream(), other.claims.stream()).collect(Collectors.toSet());
            return new KeyRange(all.stream()
                    .filter(claim -> all.stream().noneMatch(wider -> !wider.equals(claim) && wider.covers(claim)))
                    .collect(Collectors.toSet()));
        }
    }

    private boolean isAll() {
        return division.narrowed().isEmpty();
    }

    boolean has(long key) {
        return isAll() || held.has(key);
    }

    boolean covers(KeyRange other) {
        return isAll() || held.covers(other);
    }

    /** The keys of {@code member} by any of {@code divisions}, or by the division among {@code living}. */
    static KeyRange of(String member, Set<Statement> divisions, SortedSet<String> living) {
        return KeyRange.NOTHING.and(new KeyRange(Stream.concat(divisions.stream().map(Statement::members), Stream.of(living))
                .map(members -> new KeyRange.Claim(member, members)).collect(Collectors.toSet())));
    }

    /**
     * Moves the cached range towards {@code wanted}; call it in each round until that is reached.
     *
     * @param working the hashes of the keys that are worked on
     */
    synchronized void aim(KeyRange wanted, Collection<Long> working) {
        if (isAll() || wanted.equals(asked)) {
            return;
        }
        if (!asked.covers(wanted)) {
            KeyRange more = asked.and(wanted);
            asked = more;
            ask(more).subscribe(null, failure -> LOG.error("a larger share cannot be cached", failure), () -> grow(more));
        } else if (held.equals(asked) && working.stream().allMatch(wanted::has)) {
            held = wanted;
            asked = wanted;
            division.narrowed().forEach(informer -> informer.narrow(key -> wanted.has(division.hash(key))));
        }
    }

    private Mono<Void> ask(KeyRange range) {
        return Mono.when(division.narrowed().stream().map(informer -> informer.keep(key -> range.has(division.hash(key)))).toList());
    }

    private void grow(KeyRange more) {
        synchronized (this) {
            if (!asked.equals(more)) {
                return; // an even larger range was requested meanwhile
            }
            held = more;
        }
        grown.run();
    }
}
