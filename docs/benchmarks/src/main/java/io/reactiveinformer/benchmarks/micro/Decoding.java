package io.reactiveinformer.benchmarks.micro;

import io.reactiveinformer.internal.codec.ObjectCodec;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Versioned;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** A list of pods by a codec that has seen pods like them, to what each form makes of them; a pod is an operation. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 1)
public class Decoding {

    private static final int COUNT = 500;

    @Param({"A", "B"})
    Pods pods = Pods.A;

    private final ObjectCodec codec = ObjectCodec.create();
    private byte[] list = {};
    private Map<ObjectKey, Versioned<?>> held = Map.of();

    @Setup(Level.Trial)
    public void list() {
        list = pods.list(COUNT);
        held = Form.TYPED.decode(codec, list);
    }

    @Benchmark
    @OperationsPerInvocation(COUNT)
    public Object typed() {
        return Form.TYPED.decode(codec, list);
    }

    /** Five fields. */
    @Benchmark
    @OperationsPerInvocation(COUNT)
    public Object projected() {
        return Form.PROJECTED.decode(codec, list);
    }

    @Benchmark
    @OperationsPerInvocation(COUNT)
    public Object dynamic() {
        return Form.DYNAMIC.decode(codec, list);
    }

    /** All of them are cached, in the same state. */
    @Benchmark
    @OperationsPerInvocation(COUNT)
    public Object unchanged() {
        return Form.TYPED.decode(codec, list, held);
    }
}
