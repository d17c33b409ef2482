package io.reactiveinformer.sharding;

import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.internal.informer.Narrowable;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.sharding.MemberLease.Statement;
import io.reactiveinformer.sharding.ShardedController.Division;
import io.reactiveinformer.sharding.ShareCache.KeyRange;
import io.reactiveinformer.sharding.ShareCache.KeyRange.Claim;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Sinks;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A worker must not see the object of its key gone: the cached share grows before a key is begun, and shrinks when nothing outside is
 * worked on.
 */
class ShareCacheTest {

    private static final KeyRange ALL = range("a", "a");
    private static final KeyRange HALF = range("a", "a", "b");

    private final List<String> asked = new ArrayList<>();
    private final List<Sinks.Empty<Void>> lists = new ArrayList<>();
    private final List<String> grown = new ArrayList<>();
    private final Division division = Division.byKey().narrowing(informer());
    private final ShareCache cache = new ShareCache(division, () -> grown.add("grown"));

    private static KeyRange range(String member, String... members) {
        return new KeyRange(Set.of(claim(member, members)));
    }

    private static Claim claim(String member, String... members) {
        return new Claim(member, new TreeSet<>(List.of(members)));
    }

    /** Notes what it shall keep, as how many of twenty keys. */
    @SuppressWarnings("unchecked") // its methods take predicates of keys
    private Informer<?> informer() {
        return (Informer<?>) Proxy.newProxyInstance(ShareCacheTest.class.getClassLoader(),
                new Class<?>[] {Informer.class, Narrowable.class},
                (proxy, method, arguments) -> {
                    Predicate<ObjectKey> which = (Predicate<ObjectKey>) arguments[0];
                    asked.add(method.getName() + " " + keys().filter(which).count());
                    if (method.getName().equals("narrow")) {
                        return null;
                    }
                    Sinks.Empty<Void> list = Sinks.empty();
                    lists.add(list);
                    return list.asMono();
                });
    }

    private static Stream<ObjectKey> keys() {
        return IntStream.range(0, 20).mapToObj(i -> ObjectKey.of("ns", "k" + i));
    }

    private long cached() {
        return keys().filter(key -> cache.has(division.hash(key))).count();
    }

    private long hashOfTheOthers() {
        return keys().mapToLong(division::hash).filter(key -> !HALF.has(key)).findFirst().orElseThrow();
    }

    private void isListed() {
        lists.get(lists.size() - 1).tryEmitEmpty();
    }

    @Test
    void holdsNothingUntilSomethingIsOurs() {
        isListed();
        assertThat(asked).containsExactly("keep 0");
        assertThat(cached()).isZero();
        assertThat(cache.covers(HALF)).isFalse();
        cache.aim(KeyRange.NOTHING, List.of());
        assertThat(asked).hasSize(1);
    }

    @Test
    void whoNarrowsNothingHoldsAll() {
        var everything = new ShareCache(Division.byKey(), () -> grown.add("grown"));
        everything.aim(HALF, List.of());
        assertThat(everything.covers(ALL)).isTrue();
        assertThat(everything.has(hashOfTheOthers())).isTrue();
        assertThat(grown).isEmpty();
    }

    @Test
    void hasMoreOnlyOnceItIsListed() {
        cache.aim(ALL, List.of());
        cache.aim(ALL, List.of());
        assertThat(asked).containsExactly("keep 0", "keep 20");
        assertThat(cached()).isZero();
        assertThat(cache.covers(ALL)).isFalse();
        assertThat(grown).isEmpty();
        isListed();
        assertThat(cached()).isEqualTo(20);
        assertThat(cache.covers(ALL)).isTrue();
        assertThat(cache.covers(HALF)).isTrue();
        assertThat(grown).hasSize(1);
    }

    @Test
    void aListThatIsNotEnoughAnyMoreIsNotWaitedFor() {
        cache.aim(HALF, List.of());
        cache.aim(ALL, List.of());
        lists.get(1).tryEmitEmpty();
        assertThat(cached()).isZero();
        assertThat(grown).isEmpty();
        lists.get(2).tryEmitEmpty();
        assertThat(cached()).isEqualTo(20);
    }

    @Test
    void whatCannotBeListedIsNotCached() {
        cache.aim(ALL, List.of());
        lists.get(1).tryEmitError(new IllegalStateException("planned"));
        assertThat(cached()).isZero();
    }

    @Test
    void shrinksWhenNothingOutsideIsWorkedOn() {
        cache.aim(ALL, List.of());
        isListed();
        cache.aim(HALF, List.of(hashOfTheOthers()));
        assertThat(cached()).isEqualTo(20);
        assertThat(asked).hasSize(2);
        cache.aim(HALF, keys().map(division::hash).filter(HALF::has).toList());
        long half = keys().filter(key -> HALF.has(division.hash(key))).count();
        assertThat(cached()).isEqualTo(half).isBetween(1L, 19L);
        assertThat(asked).containsExactly("keep 0", "keep 20", "narrow " + half);
        cache.aim(HALF, List.of());
        assertThat(asked).hasSize(3);
        cache.aim(ALL, List.of());
        assertThat(asked).endsWith("keep 20");
        assertThat(cached()).as("until it is listed again").isEqualTo(half);
    }

    /** What was asked for may come yet, and is not to be undone by it. */
    @Test
    void doesNotShrinkWhileAListIsUnderWay() {
        cache.aim(ALL, List.of());
        cache.aim(HALF, List.of());
        assertThat(asked).containsExactly("keep 0", "keep 20");
        isListed();
        assertThat(cached()).isEqualTo(20);
        cache.aim(HALF, List.of());
        assertThat(cached()).isLessThan(20);
    }

    /** By what we said, by what we are about to say, and by who lives. */
    @Test
    void isOfAllThatMayBeOurs() {
        var living = new TreeSet<>(List.of("a", "b", "c"));
        Set<Statement> said = Set.of(new Statement(new TreeSet<>(List.of("a", "x")), Set.of()));
        assertThat(ShareCache.of("a", said, living).claims()).containsExactlyInAnyOrder(claim("a", "a", "x"), claim("a", "a", "b", "c"));
        assertThat(ShareCache.of("a", Set.of(new Statement(new TreeSet<>(List.of("a", "b")), Set.of())), living).claims())
                .as("among more, each has some of what it had among fewer").containsExactly(claim("a", "a", "b"));
    }

    @Test
    void amongFewerOneHasAtLeastAsMuch() {
        assertThat(ALL.covers(HALF)).isTrue();
        assertThat(HALF.covers(ALL)).isFalse();
        assertThat(HALF.covers(HALF)).isTrue();
        assertThat(HALF.covers(range("b", "a", "b"))).isFalse();
        assertThat(range("a", "b").covers(range("a", "b", "c"))).as("who is no member has nothing").isFalse();
        assertThat(HALF.covers(KeyRange.NOTHING)).isTrue();
        assertThat(KeyRange.NOTHING.covers(HALF)).isFalse();
        assertThat(HALF.and(ALL)).isEqualTo(ALL);
        assertThat(HALF.and(range("b", "a", "b")).claims()).hasSize(2);
        keys().mapToLong(division::hash).forEach(key -> {
            assertThat(ALL.has(key)).isTrue();
            assertThat(HALF.has(key)).isNotEqualTo(range("b", "a", "b").has(key));
            assertThat(HALF.and(range("b", "a", "b")).has(key)).isTrue();
        });
    }
}
