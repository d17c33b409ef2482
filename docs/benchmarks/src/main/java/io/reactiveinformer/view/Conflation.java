package io.reactiveinformer.view;

import io.reactiveinformer.delta.DeletionCause;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.store.Table;
import java.util.ArrayList;
import java.util.List;
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
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.scheduler.Schedulers;

/**
 * One change of one of 10,000 rows, emitted to all subscribers, or noted for all. On one thread, so that nothing is left to do when it is
 * measured: handing over to other threads is not included.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class Conflation {

    private static final int ROWS = 10_000;

    @Param({"1", "10", "1000"})
    int subscribers = 1;

    /** Whether they take what comes; else they ask for nothing after the first rows. */
    @Param({"true", "false"})
    boolean takeAll = true;

    private final Table<Integer, Integer> table = Table.create();
    private final List<Counting> all = new ArrayList<>();
    private ChangeHub<Integer, Integer> hub = ChangeHub.of(table.snapshot());
    private int version;

    @Setup(Level.Trial)
    public void subscribe() {
        for (int i = 0; i < ROWS; i++) {
            put(i);
        }
        table.commit(true);
        hub = ChangeHub.of(table.snapshot(), ChangeHub.FEW, Schedulers::immediate);
        for (int i = 0; i < subscribers; i++) {
            all.add(new Counting(takeAll ? Long.MAX_VALUE : ROWS + 1));
            hub.changes(Delivery.conflated().on(Schedulers.immediate())).subscribe(all.get(i));
        }
    }

    private void put(int row) {
        table.put(row, new Versioned<>("uid", null, version++), DeletionCause.OBSERVED);
    }

    @Benchmark
    public long change() {
        put(version * 7_919 % ROWS);
        hub.publish(table.commit(true));
        return all.get(0).told;
    }

    private static final class Counting extends BaseSubscriber<Change<Integer, Integer>> {

        private final long demand;
        private long told;

        Counting(long demand) {
            this.demand = demand;
        }

        @Override
        protected void hookOnSubscribe(Subscription subscription) {
            request(demand);
        }

        @Override
        protected void hookOnNext(Change<Integer, Integer> change) {
            told++;
        }
    }
}
