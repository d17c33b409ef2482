package io.reactiveinformer.internal.trie;

import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Versioned;
import io.vavr.collection.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;
import org.openjdk.jol.info.GraphLayout;
import org.pcollections.HashPMap;
import org.pcollections.HashTreePMap;

/**
 * Maps from which the cache could be made: look up, change one entry and keep the map before, walk. Of those that are copied for each
 * snapshot a change is a copy. {@link #main} prints what an entry retains.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
public class PersistentMaps {

    /** One kind of map, as it is by now. */
    private interface Candidate {

        @Nullable Object get(ObjectKey key);

        Candidate with(ObjectKey key, Versioned<String> row);

        void walk(Blackhole sink);

        /** What to measure. */
        Object map();
    }

    private record Trie(HashTrie<ObjectKey, Versioned<String>> map) implements Candidate {
        @Override
        public @Nullable Object get(ObjectKey key) {
            return map.get(key);
        }

        @Override
        public Candidate with(ObjectKey key, Versioned<String> row) {
            return new Trie(map.with(key, row));
        }

        @Override
        public void walk(Blackhole sink) {
            for (TrieWalk<ObjectKey, Versioned<String>> walk = map.walk(); walk.advance(); ) {
                sink.consume(walk.value());
            }
        }
    }

    private record Copied(Map<ObjectKey, Versioned<String>> map) implements Candidate {
        @Override
        public @Nullable Object get(ObjectKey key) {
            return map.get(key);
        }

        @Override
        public Candidate with(ObjectKey key, Versioned<String> row) {
            Map<ObjectKey, Versioned<String>> copy = new java.util.HashMap<>(map);
            copy.put(key, row);
            return new Copied(copy);
        }

        @Override
        public void walk(Blackhole sink) {
            map.values().forEach(sink::consume);
        }
    }

    private record Pcollections(HashPMap<ObjectKey, Versioned<String>> map) implements Candidate {
        @Override
        public @Nullable Object get(ObjectKey key) {
            return map.get(key);
        }

        @Override
        public Candidate with(ObjectKey key, Versioned<String> row) {
            return new Pcollections(map.plus(key, row));
        }

        @Override
        public void walk(Blackhole sink) {
            map.values().forEach(sink::consume);
        }
    }

    private record Vavr(HashMap<ObjectKey, Versioned<String>> map) implements Candidate {
        @Override
        public @Nullable Object get(ObjectKey key) {
            return map.get(key).getOrNull();
        }

        @Override
        public Candidate with(ObjectKey key, Versioned<String> row) {
            return new Vavr(map.put(key, row));
        }

        @Override
        public void walk(Blackhole sink) {
            for (Iterator<Versioned<String>> rows = map.valuesIterator(); rows.hasNext(); ) {
                sink.consume(rows.next());
            }
        }
    }

    @Param({"trie", "copied", "pcollections", "vavr"})
    String kind = "trie";

    @Param({"100000"})
    int size = 100_000;

    private ObjectKey[] keys = {};
    private final Versioned<String> row = new Versioned<>("uid", "1", "object");
    private final Versioned<String> otherRow = new Versioned<>("uid", "2", "object");
    private Candidate map = new Trie(HashTrie.empty());
    private int next;
    private int changes;

    @Setup(Level.Trial)
    public void fill() {
        keys = new ObjectKey[size];
        map = switch (kind) {
            case "trie" -> new Trie(HashTrie.empty());
            case "copied" -> new Copied(new java.util.HashMap<>());
            case "pcollections" -> new Pcollections(HashTreePMap.empty());
            case "vavr" -> new Vavr(HashMap.empty());
            default -> throw new IllegalArgumentException("no such map: " + kind);
        };
        for (int i = 0; i < size; i++) {
            keys[i] = ObjectKey.of("namespace-" + i % 100, "object-" + i);
            if (map instanceof Copied copied) {
                copied.map.put(keys[i], row);
            } else {
                map = map.with(keys[i], row);
            }
        }
    }

    /** Another key each time, far from the one before, that is equal to the map's but not the very one. */
    private ObjectKey key() {
        next = (next + 7_919) % keys.length;
        ObjectKey known = keys[next];
        return ObjectKey.of(known.namespace(), known.name());
    }

    @Benchmark
    public @Nullable Object lookUp() {
        return map.get(key());
    }

    /** The map before stays as it was: that is what a snapshot costs. Each key in turn, and never the row that it has already. */
    @Benchmark
    public Object changeOne() {
        map = map.with(key(), changes++ / size % 2 == 0 ? otherRow : row);
        return map;
    }

    @Benchmark
    public void walkAll(Blackhole sink) {
        map.walk(sink);
    }

    public static void main(String... kinds) {
        for (String kind : kinds) {
            var maps = new PersistentMaps();
            maps.kind = kind;
            maps.fill();
            long whole = GraphLayout.parseInstance(maps.map.map()).totalSize();
            long contents = GraphLayout.parseInstance(maps.keys, maps.row).totalSize()
                    - GraphLayout.parseInstance((Object) new ObjectKey[maps.size]).totalSize();
            System.out.printf("%-13s %.1f bytes an entry beside key and row%n", kind, (whole - contents) / (double) maps.size);
        }
    }
}
