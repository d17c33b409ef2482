package io.reactiveinformer.benchmarks.micro;

import io.reactiveinformer.queue.Result;
import io.reactiveinformer.queue.WorkQueue;
import io.reactiveinformer.resource.ObjectKey;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import reactor.core.publisher.Mono;

/** The queue of a controller: a key that is worked on at once, and one that is in line already. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class Queueing {

    private static final int KEYS = 1_000;

    private final ObjectKey[] keys = new ObjectKey[KEYS];
    private final WorkQueue<ObjectKey> served = WorkQueue.create();
    private final WorkQueue<ObjectKey> waiting = WorkQueue.create();
    private int worked;
    private int next;

    @Setup(Level.Trial)
    public void serve() {
        for (int i = 0; i < KEYS; i++) {
            keys[i] = ObjectKey.of("namespace", "object-" + i);
            waiting.add(keys[i]);
        }
        served.process(1, key -> {
            worked++;
            return Mono.just(Result.done());
        }).subscribe();
    }

    private ObjectKey next() {
        next = (next + 1) % KEYS;
        return keys[next];
    }

    /** Added, taken, worked on, done. */
    @Benchmark
    public int work() {
        served.add(next());
        return worked;
    }

    @Benchmark
    public void addWhatIsInLine() {
        waiting.add(next());
    }
}
