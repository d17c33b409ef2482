package io.reactiveinformer.internal.trie;

import io.reactiveinformer.Rounds;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

class HashTrieTest {

    /** A key with a hash of our choice. */
    private record Key(int id, int hash) {
        @Override
        public int hashCode() {
            return hash;
        }
    }

    private static HashTrie<Key, Integer> trie(Map<Key, Integer> entries) {
        HashTrie<Key, Integer> trie = HashTrie.empty();
        var edit = new Edit();
        for (var entry : entries.entrySet()) {
            trie = trie.with(entry.getKey(), entry.getValue(), edit);
        }
        return trie;
    }

    private static Map<Key, Integer> entries(HashTrie<Key, Integer> trie) {
        Map<Key, Integer> entries = new HashMap<>();
        trie.forEach((key, value) -> assertThat(entries.put(key, value)).as("%s is walked once", key).isNull());
        return entries;
    }

    @ParameterizedTest(name = "{0} hashes")
    @ValueSource(ints = {1, 3, 50, 5_000})
    void equalsAPlainMapAfterRandomEdits(int hashes) {
        for (long seed : Rounds.seeds("trie", 20, 2)) {
            var random = new Random(seed);
            Map<Key, Integer> model = new HashMap<>();
            HashTrie<Key, Integer> trie = HashTrie.empty();
            var edit = new Edit();
            for (int i = 0; i < 2_000; i++) {
                var key = new Key(random.nextInt(200), 0);
                key = new Key(key.id, spreadOver(key.id, hashes));
                edit = random.nextInt(4) == 0 ? new Edit() : edit;
                if (random.nextInt(5) < 3) {
                    trie = trie.with(key, i, edit);
                    model.put(key, i);
                } else {
                    trie = trie.without(key, edit);
                    model.remove(key);
                }
                assertThat(trie.size()).as("seed %d, step %d", seed, i).isEqualTo(model.size());
                assertThat(trie.get(key)).as("seed %d, step %d", seed, i).isEqualTo(model.get(key));
            }
            assertThat(entries(trie)).as("seed %d", seed).isEqualTo(model);
            for (Key key : model.keySet()) {
                trie = trie.without(key);
            }
            assertThat(trie.root).as("seed %d: nothing is left", seed).isNull();
        }
    }

    /** Some close together, so that they part late, some far apart. */
    private static int spreadOver(int id, int hashes) {
        int hash = id % hashes;
        return (hash & 1) == 0 ? hash : hash << 27 | hash;
    }

    @Test
    void isNotChangedByEditsOfWhatWasMadeFromIt() {
        for (long seed : Rounds.seeds("trie", 50, 5)) {
            var random = new Random(seed);
            HashTrie<Key, Integer> trie = HashTrie.empty();
            List<HashTrie<Key, Integer>> versions = new ArrayList<>();
            List<Map<Key, Integer>> models = new ArrayList<>();
            Map<Key, Integer> model = new HashMap<>();
            for (int i = 0; i < 50; i++) {
                var edit = new Edit();
                for (int j = 0; j < 20; j++) {
                    int id = random.nextInt(100);
                    var key = new Key(id, spreadOver(id, 30));
                    if (random.nextBoolean()) {
                        trie = trie.with(key, i * 100 + j, edit);
                        model.put(key, i * 100 + j);
                    } else {
                        trie = trie.without(key, edit);
                        model.remove(key);
                    }
                }
                versions.add(trie);
                models.add(Map.copyOf(model));
            }
            for (int i = 0; i < versions.size(); i++) {
                assertThat(entries(versions.get(i))).as("seed %d, version %d", seed, i).isEqualTo(models.get(i));
            }
        }
    }

    @ParameterizedTest(name = "{0} hashes")
    @ValueSource(ints = {1, 2, 7, 40, 1_000})
    void knowsAtEveryPositionOfAWalkWhichKeysAreAhead(int hashes) {
        HashTrie<Key, Integer> trie = sixty(hashes);
        checkAhead(trie.walk(), order(trie.walk()), hashes);
        for (int id = 0; id < 130; id++) { // there, and not there
            Key after = new Key(id, spreadOver(id, hashes));
            checkAhead(trie.walkAfter(after), order(trie.walkAfter(after)), hashes);
        }
    }

    private static HashTrie<Key, Integer> sixty(int hashes) {
        Map<Key, Integer> present = new HashMap<>();
        for (int id = 0; id < 60; id++) {
            present.put(new Key(id, spreadOver(id, hashes)), id);
        }
        return trie(present);
    }

    private static List<Key> order(TrieWalk<Key, Integer> walk) {
        List<Key> order = new ArrayList<>();
        while (walk.advance()) {
            order.add(walk.key());
        }
        return order;
    }

    private static void checkAhead(TrieWalk<Key, Integer> walk, List<Key> order, int hashes) {
        for (int walked = 0; walked <= order.size(); walked++) {
            for (int i = 0; i < order.size(); i++) {
                if (walk.isAhead(order.get(i)) != i >= walked) {
                    fail("ahead: %s, after %d steps", order.get(i), walked);
                }
            }
            for (int id = 100; id < 130; id++) {
                if (walk.isAhead(new Key(id, spreadOver(id, hashes)))) {
                    fail("ahead, and not in the trie: %d", id);
                }
            }
            assertThat(walk.advance()).isEqualTo(walked < order.size());
        }
        assertThat(order).noneMatch(walk::isAhead);
    }

    /** In a trie without the entries of its hash, and in any other of the same keys: the order is that of the hashes. */
    @ParameterizedTest(name = "{0} hashes")
    @ValueSource(ints = {1, 2, 7, 40, 1_000})
    void walksInACircleFromAnyKey(int hashes) {
        HashTrie<Key, Integer> trie = sixty(hashes);
        List<Key> straight = order(trie.walk());
        for (int id = 0; id < 130; id++) {
            int hash = HashTrie.spread(new Key(id, spreadOver(id, hashes)));
            List<Key> wanted = new ArrayList<>();
            straight.stream().filter(key -> Integer.compareUnsigned(HashTrie.spread(key), hash) > 0).forEach(wanted::add);
            straight.stream().filter(key -> Integer.compareUnsigned(HashTrie.spread(key), hash) <= 0).forEach(wanted::add);
            assertThat(order(trie.walkAfter(new Key(id, spreadOver(id, hashes))))).as("after %d", id).isEqualTo(wanted);
        }
        assertThat(order(HashTrie.<Key, Integer>empty().walkAfter(new Key(1, 1)))).isEmpty();
    }

    @Test
    void walksInTheSameOrderWhateverWayItWasMade() {
        for (long seed : Rounds.seeds("trie", 50, 5)) {
            var random = new Random(seed);
            Map<Key, Integer> model = new HashMap<>();
            HashTrie<Key, Integer> grown = HashTrie.empty();
            for (int i = 0; i < 500; i++) {
                var key = new Key(random.nextInt(100), 0);
                key = new Key(key.id, key.id * 31);
                grown = random.nextInt(3) == 0 ? grown.without(key) : grown.with(key, i);
            }
            grown.forEach(model::put);
            List<Key> order = new ArrayList<>();
            trie(model).forEach((key, value) -> order.add(key));
            List<Key> grownOrder = new ArrayList<>();
            grown.forEach((key, value) -> grownOrder.add(key));
            assertThat(grownOrder).as("seed %d", seed).isEqualTo(order);
        }
    }

    @Test
    void isItselfWhenNothingChanges() {
        Integer value = 7;
        var key = new Key(1, 1);
        HashTrie<Key, Integer> trie = HashTrie.<Key, Integer>empty().with(key, value).with(new Key(2, 1), 8).with(new Key(3, 77), 9);
        assertThat(trie.with(key, value)).isSameAs(trie);
        assertThat(trie.without(new Key(9, 1))).isSameAs(trie);
        assertThat(trie.without(new Key(9, 1234))).isSameAs(trie);
    }
}
