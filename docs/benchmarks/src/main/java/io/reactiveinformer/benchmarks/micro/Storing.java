package io.reactiveinformer.benchmarks.micro;

import io.reactiveinformer.delta.Delta;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.store.Index;
import io.reactiveinformer.store.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
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

/** The cache, with 200 objects in each namespace and an index of 100 objects a value. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class Storing {

    private static final Index<Integer, Integer> NODE = Index.of("node", object -> object / 100);

    @Param({"10000", "100000"})
    int objects = 10_000;

    private final List<ObjectKey> keys = new ArrayList<>();
    private Store<Integer> store = Store.create();
    private Store<Integer> indexed = Store.create();
    private int next;
    private int version = 1;

    @Setup(Level.Trial)
    public void fill() {
        List<Delta<Integer>> all = new ArrayList<>();
        for (int i = 0; i < objects; i++) {
            keys.add(ObjectKey.of("namespace-" + i / 200, "object-" + i));
            all.add(upserted(i));
        }
        store.apply(new Delta.Replaced<>(io.reactiveinformer.resource.Namespaces.all(), all, "1", false));
        indexed.apply(new Delta.Replaced<>(io.reactiveinformer.resource.Namespaces.all(), all, "1", false));
        indexed.addIndex(NODE);
    }

    private Delta.Upserted<Integer> upserted(int object) {
        return new Delta.Upserted<>(io.reactiveinformer.resource.Namespaces.all(), keys.get(object),
                new Versioned<>("uid-" + object, String.valueOf(version), object));
    }

    /** Far from the one before. */
    private int next() {
        next = (next + 7_919) % objects;
        return next;
    }

    @Benchmark
    public Object apply() {
        version++;
        return store.apply(upserted(next()));
    }

    /** The object keeps its place in the index. */
    @Benchmark
    public Object applyWithAnIndex() {
        version++;
        return indexed.apply(upserted(next()));
    }

    @Benchmark
    public Optional<Integer> get() {
        return store.lister().get(keys.get(next()));
    }

    @Benchmark
    public List<Integer> listANamespace() {
        return store.lister().inNamespace("namespace-" + next() / 200).list();
    }

    @Benchmark
    public List<Integer> listByIndex() {
        return indexed.snapshot().by(NODE, next() / 100);
    }

    @Benchmark
    public Object snapshot() {
        return store.snapshot();
    }
}
