package io.reactiveinformer.store;

import io.reactiveinformer.delta.DeletionCause;
import io.reactiveinformer.delta.Delta;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.store.Commit.Difference;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

/**
 * A store beside a plain map, under random deltas: live, late, listed, compared with an older state. A failure names its seed:
 * {@code -Dstore.seed=...} plays it again.
 */
class StoreModelTest {

    private static final Namespaces ALL = Namespaces.all();
    private static final Index<Integer, Integer> DIGITS = Index.ofMany("digits", number -> List.of(number % 10, number / 10 % 10));
    private static final Index<Integer, Boolean> EVEN = Index.of("even", number -> {
        if (number % 97 == 0) {
            throw new IllegalStateException("cannot tell of " + number);
        }
        return number % 2 == 0;
    });

    private final Store<Integer> store = Store.create(ALL);
    private final Map<ObjectKey, Versioned<Integer>> model = new TreeMap<>();
    private final Map<ObjectKey, Versioned<Integer>> replayed = new HashMap<>();
    private int version = 1;

    /** Stream scenario 75. */
    @Test
    void equalsAPlainMapAfterAHundredThousandRandomDeltas() {
        long seed = Long.getLong("store.seed", 1);
        assertThatCode(() -> play(seed)).as("-Dstore.seed=%s", seed).doesNotThrowAnyException();
    }

    private void play(long seed) {
        var random = new Random(seed);
        store.addIndex(DIGITS);
        step(new Delta.Replaced<>(ALL, List.of(), "1", false));
        for (int i = 0; i < 100_000; i++) {
            switch (random.nextInt(100)) {
                case 0 -> relist(random);
                case 1, 2, 3, 4, 5 -> late(random);
                case 6 -> step(new Delta.Progressed<>(ALL, "" + ++version));
                default -> live(random);
            }
            if (i == 5_000) {
                store.addIndex(EVEN);
            }
            if (i % 997 == 0) {
                compare("step " + i, i >= 5_000);
            }
        }
        compare("at the end", true);
    }

    private static ObjectKey key(Random random) {
        return ObjectKey.of("ns" + random.nextInt(3), "o" + random.nextInt(60));
    }

    private Versioned<Integer> next(ObjectKey key, Random random) {
        Versioned<Integer> known = model.get(key);
        String uid = known == null || random.nextInt(5) == 0 ? "u" + version : known.uid();
        version++;
        return new Versioned<>(uid, "" + version, random.nextInt(1_000));
    }

    private void live(Random random) {
        ObjectKey key = key(random);
        Versioned<Integer> state = next(key, random);
        if (random.nextInt(3) == 0) {
            model.remove(key);
            step(new Delta.Deleted<>(ALL, key, state, DeletionCause.OBSERVED));
        } else {
            model.put(key, state);
            step(new Delta.Upserted<>(ALL, key, state));
        }
    }

    private void late(Random random) {
        var state = new Versioned<>("u" + random.nextInt(version), "" + (1 + random.nextInt(version)), 1);
        step(random.nextBoolean()
                ? new Delta.Upserted<>(ALL, key(random), state)
                : new Delta.Deleted<>(ALL, key(random), state, DeletionCause.OBSERVED));
    }

    /** Some changes are not received; then a list contains them, as its differences from the store as it is or a little older. */
    private void relist(Random random) {
        Map<ObjectKey, Versioned<Integer>> compared = new HashMap<>(model);
        for (int i = random.nextInt(3); i > 0; i--) {
            live(random);
        }
        for (int i = random.nextInt(20); i > 0; i--) {
            ObjectKey key = key(random);
            Versioned<Integer> state = next(key, random);
            if (random.nextBoolean()) {
                model.remove(key);
            } else {
                model.put(key, state);
            }
        }
        List<Delta<Integer>> differences = new ArrayList<>();
        model.forEach((key, state) -> {
            if (!state.equals(compared.get(key)) || !state.equals(store.find(key))) {
                differences.add(new Delta.Upserted<>(ALL, key, state));
            }
        });
        Set<ObjectKey> known = new HashSet<>(compared.keySet());
        store.forEachKey(ALL, known::add);
        known.removeAll(model.keySet());
        known.forEach(key -> differences.add(
                new Delta.Deleted<>(ALL, key, compared.getOrDefault(key, new Versioned<>("?", "1", 0)), DeletionCause.INFERRED)));
        step(new Delta.Replaced<>(ALL, differences, "" + version, false));
    }

    private void step(Delta<Integer> delta) {
        long revision = store.snapshot().revision();
        Commit<ObjectKey, Integer> commit = store.apply(delta);
        assertThat(commit.snapshot()).isSameAs(store.snapshot());
        assertThat(commit.snapshot().revision()).isGreaterThanOrEqualTo(revision);
        for (Difference<ObjectKey, Integer> difference : commit.differences()) {
            assertThat(replayed.get(difference.key())).isSameAs(difference.before());
            if (difference.after() == null) {
                replayed.remove(difference.key());
            } else {
                replayed.put(difference.key(), difference.after());
            }
        }
    }

    private void compare(String when, boolean even) {
        Map<ObjectKey, Versioned<Integer>> cached = new TreeMap<>();
        Snapshot<ObjectKey, Integer> snapshot = store.snapshot();
        snapshot.forEach(cached::put);
        assertThat(cached).as(when).isEqualTo(model);
        assertThat(replayed).as(when).isEqualTo(model);
        assertThat(snapshot.size()).as(when).isEqualTo(model.size());
        assertThat(snapshot.resourceVersion()).as(when).contains("" + version);
        for (int digit = 0; digit < 10; digit++) {
            int wanted = digit;
            assertThat(snapshot.by(DIGITS, digit)).as(when).containsExactlyInAnyOrderElementsOf(model.values().stream()
                    .map(Versioned::object).filter(number -> number % 10 == wanted || number / 10 % 10 == wanted).toList());
        }
        if (even) {
            assertThat(snapshot.by(EVEN, true)).as(when).containsExactlyInAnyOrderElementsOf(model.values().stream()
                    .map(Versioned::object).filter(number -> number % 97 != 0 && number % 2 == 0).toList());
        }
        assertThat(store.lister().inNamespace("ns1").keys()).as(when).containsExactlyInAnyOrderElementsOf(
                model.keySet().stream().filter(key -> "ns1".equals(key.namespace())).collect(Collectors.toList()));
    }
}
