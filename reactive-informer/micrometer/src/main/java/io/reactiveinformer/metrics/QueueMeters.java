package io.reactiveinformer.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.reactiveinformer.queue.WorkQueue;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** Meters of the queues with one name, which may follow each other, as client-go's {@code workqueue_*}. */
final class QueueMeters implements WorkQueue.Observer {

    private final AtomicLong depth = new AtomicLong();
    private final AtomicLong working = new AtomicLong();
    private final Counter adds;
    private final Timer latency;
    private final Timer work;
    private final Counter retries;
    private final Counter dropped;

    QueueMeters(Meters meters, String controller) {
        MeterRegistry registry = meters.registry();
        Tags tags = meters.tags("controller", controller);
        Gauge.builder("controller.queue.depth", depth, AtomicLong::get).description("Keys in line")
                .tags(tags).strongReference(true).register(registry);
        Gauge.builder("controller.working", working, AtomicLong::get).description("Keys that are worked on")
                .tags(tags).strongReference(true).register(registry);
        adds = Counter.builder("controller.queue.adds").description("Keys that got into line").tags(tags).register(registry);
        latency = Timer.builder("controller.queue.latency").description("The time for which keys were in line").tags(tags)
                .register(registry);
        work = Timer.builder("controller.work").description("The time for which keys were worked on").tags(tags).register(registry);
        retries = Counter.builder("controller.retries").description("Keys that failed and will be tried again")
                .tags(tags).register(registry);
        dropped = Counter.builder("controller.queue.dropped").description("Keys that were not worked on, because the queue was shut down")
                .tags(tags).register(registry);
    }

    @Override
    public void added() {
        depth.incrementAndGet();
        adds.increment();
    }

    @Override
    public void taken(Duration waited) {
        depth.decrementAndGet();
        working.incrementAndGet();
        latency.record(waited);
    }

    @Override
    public void merged() {
        depth.decrementAndGet();
    }

    @Override
    public void finished(Duration took) {
        working.decrementAndGet();
        work.record(took);
    }

    @Override
    public void retried(Duration delay) {
        retries.increment();
    }

    @Override
    public void dropped(int keys, int delayed) {
        depth.addAndGet(-keys);
        dropped.increment((double) keys + delayed);
    }
}
