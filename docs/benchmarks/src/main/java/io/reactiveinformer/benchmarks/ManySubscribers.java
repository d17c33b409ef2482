package io.reactiveinformer.benchmarks;

import io.reactiveinformer.delta.Delta;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.store.Store;
import io.reactiveinformer.view.Change;
import io.reactiveinformer.view.ChangeHub;
import io.reactiveinformer.view.Delivery;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.scheduler.Schedulers;

/**
 * Many subscribers of one cache, a third of which stop asking after the first list, under a fixed rate of changes: how far the healthy ones
 * are behind the store, what the heap does, and how many threads there are.
 *
 * <p>A change carries the time at which the writer took it up, so what is measured includes applying it. Arguments: subscribers, objects,
 * changes a second, seconds.
 */
public final class ManySubscribers {

    private static final Duration WARM_UP = Duration.ofSeconds(10);

    private final int objects;
    private final int rate;
    private final Store<Long> store = Store.create();
    private final ChangeHub<ObjectKey, Long> hub = ChangeHub.of(store.snapshot());
    private final List<ObjectKey> keys = new ArrayList<>();
    private final List<Healthy> healthy = new ArrayList<>();
    private final List<Stalled> stalled = new ArrayList<>();
    private long version = 1;

    private ManySubscribers(int objects, int rate) {
        this.objects = objects;
        this.rate = rate;
    }

    public static void main(String... arguments) throws InterruptedException {
        int subscribers = argument(arguments, 0, 1_000);
        int seconds = argument(arguments, 3, 60);
        var run = new ManySubscribers(argument(arguments, 1, 10_000), argument(arguments, 2, 2_000));
        run.run(subscribers, Duration.ofSeconds(seconds));
        Schedulers.shutdownNow();
    }

    private static int argument(String[] arguments, int place, int otherwise) {
        return arguments.length > place ? Integer.parseInt(arguments[place]) : otherwise;
    }

    private void run(int subscribers, Duration time) throws InterruptedException {
        list();
        subscribe(subscribers);
        write(WARM_UP);
        settle();
        long heapBefore = heapInUse();
        int threadsBefore = ManagementFactory.getThreadMXBean().getThreadCount();
        healthy.forEach(one -> one.delays.reset());
        long cpuBefore = cpuTime();
        long begun = System.nanoTime();
        Histogram lateness = write(time);
        double elapsed = System.nanoTime() - begun;
        double cpu = cpuTime() - cpuBefore;
        settle();
        report(subscribers, lateness, cpu / elapsed, threadsBefore, heapBefore);
    }

    private void list() {
        List<Delta<Long>> all = new ArrayList<>();
        for (int i = 0; i < objects; i++) {
            keys.add(ObjectKey.of("namespace-" + i % 100, "object-" + i));
            all.add(upserted(keys.get(i)));
        }
        hub.publish(store.apply(new Delta.Replaced<>(Namespaces.all(), all, String.valueOf(version), false)));
    }

    private Delta.Upserted<Long> upserted(ObjectKey key) {
        return new Delta.Upserted<>(Namespaces.all(), key,
                new Versioned<>("uid-" + key.name(), String.valueOf(version), System.nanoTime()));
    }

    private void subscribe(int subscribers) throws InterruptedException {
        var synced = new CountDownLatch(subscribers);
        for (int i = 0; i < subscribers; i++) {
            if (i % 3 == 0) {
                stalled.add(new Stalled(synced));
                hub.changes(Delivery.conflated()).subscribe(stalled.get(stalled.size() - 1));
            } else {
                healthy.add(new Healthy(synced));
                hub.changes(Delivery.conflated()).subscribe(healthy.get(healthy.size() - 1));
            }
        }
        if (!synced.await(2, TimeUnit.MINUTES)) {
            throw new IllegalStateException(synced.getCount() + " of " + subscribers + " subscribers not synced after 2 minutes");
        }
    }

    /** Each change at its time; a writer that is late writes what is due at once. Returns by how much it was late. */
    private Histogram write(Duration time) {
        var lateness = new Histogram(3);
        long begun = System.nanoTime();
        long changes = time.toSeconds() * rate;
        for (long i = 0; i < changes; i++) {
            long due = begun + i * 1_000_000_000L / rate;
            long early = due - System.nanoTime();
            while (early > 0) {
                LockSupport.parkNanos(early);
                early = due - System.nanoTime();
            }
            lateness.recordValue(-early / 1_000);
            version++;
            int key = (int) (version * 0x9E3779B97F4A7C15L >>> 33) % objects;
            hub.publish(store.apply(upserted(keys.get(key))));
        }
        return lateness;
    }

    /** Until every healthy subscriber has the last change. */
    private void settle() throws InterruptedException {
        long limit = System.nanoTime() + Duration.ofMinutes(1).toNanos();
        while (!healthy.stream().allMatch(one -> one.newest == version)) {
            if (System.nanoTime() > limit) {
                throw new IllegalStateException("subscribers that never got version " + version);
            }
            TimeUnit.MILLISECONDS.sleep(10);
        }
    }

    private void report(int subscribers, Histogram lateness, double cores, int threadsBefore, long heapBefore) {
        var all = new Histogram(3);
        double slowest = 0;
        for (Healthy one : healthy) {
            all.add(one.delays);
            slowest = Math.max(slowest, one.delays.getValueAtPercentile(99) / 1e3);
        }
        System.out.printf("%d subscribers, %d of them stalled; %d objects, %d changes a second; %d changes delivered%n",
                subscribers, stalled.size(), objects, rate, all.getTotalCount());
        System.out.printf("behind the writer: p50 %.1f ms, p99 %.1f ms, max %.1f ms; the slowest subscriber's p99 %.1f ms%n",
                all.getValueAtPercentile(50) / 1e3, all.getValueAtPercentile(99) / 1e3, all.getMaxValue() / 1e3, slowest);
        System.out.printf("the writer behind its rate: p99 %.1f ms, max %.1f ms%n",
                lateness.getValueAtPercentile(99) / 1e3, lateness.getMaxValue() / 1e3);
        System.out.printf("processor time: %.2f cores; threads: %d before, %d after; heap in use: %d MB before, %d MB after%n",
                cores, threadsBefore, ManagementFactory.getThreadMXBean().getThreadCount(), heapBefore >> 20, heapInUse() >> 20);
    }

    private static long cpuTime() {
        return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
    }

    private static long heapInUse() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    private static long version(Change.Updated<?, ?> updated) {
        return Long.parseLong(Objects.requireNonNull(updated.entryAfter().resourceVersion()));
    }

    /** Takes what comes. */
    private static final class Healthy extends BaseSubscriber<Change<ObjectKey, Long>> {

        private final CountDownLatch synced;
        private final Histogram delays = new Histogram(2); // of microseconds
        private volatile long newest;

        Healthy(CountDownLatch synced) {
            this.synced = synced;
        }

        @Override
        protected void hookOnNext(Change<ObjectKey, Long> change) {
            if (change instanceof Change.Updated<ObjectKey, Long> updated) {
                delays.recordValue((System.nanoTime() - updated.after()) / 1_000);
                newest = Math.max(newest, version(updated));
            } else if (change instanceof Change.Synced) {
                synced.countDown();
            }
        }
    }

    /** Takes the first list, and never asks again. */
    private static final class Stalled extends BaseSubscriber<Change<ObjectKey, Long>> {

        private final CountDownLatch synced;

        Stalled(CountDownLatch synced) {
            this.synced = synced;
        }

        @Override
        protected void hookOnSubscribe(Subscription subscription) {
            request(1);
        }

        @Override
        protected void hookOnNext(Change<ObjectKey, Long> change) {
            if (change instanceof Change.Synced) {
                synced.countDown();
            } else {
                request(1);
            }
        }
    }
}
