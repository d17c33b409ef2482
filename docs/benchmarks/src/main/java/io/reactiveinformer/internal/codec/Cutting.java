package io.reactiveinformer.internal.codec;

import io.reactiveinformer.benchmarks.micro.Pods;
import io.reactiveinformer.resource.ObjectKey;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What is done to the bytes of every object, before it is known whether it is to be decoded. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class Cutting {

    private static final int COUNT = 200;

    private final byte[][] pods = new byte[COUNT][];
    private final ValueScanner scanner = new ValueScanner();
    private final Skim skim = new Skim(new SharedStrings());
    private int next;

    public Cutting() {
        for (int i = 0; i < COUNT; i++) {
            pods[i] = Pods.A.bytes(i);
        }
    }

    private byte[] next() {
        next = (next + 1) % COUNT;
        return pods[next];
    }

    /** Where does it end? */
    @Benchmark
    public int cut() {
        byte[] pod = next();
        scanner.reset();
        return scanner.scan(pod, 0, 0, pod.length);
    }

    /** Which object is it, in which state? */
    @Benchmark
    public @Nullable ObjectKey skim() {
        byte[] pod = next();
        skim.object(pod, 0, pod.length);
        return skim.key();
    }
}
