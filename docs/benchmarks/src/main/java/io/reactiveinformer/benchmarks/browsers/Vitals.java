package io.reactiveinformer.benchmarks.browsers;

import com.sun.management.OperatingSystemMXBean;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufAllocatorMetric;
import io.netty.buffer.ByteBufAllocatorMetricProvider;
import io.reactiveinformer.view.SubscriberStatus;
import java.lang.management.ManagementFactory;
import java.util.List;

/** What a process holds and has used by now. */
final class Vitals {

    private Vitals() {}

    /** One line: heap after a collection, Netty's buffers, threads, processor time so far, and what the subscribers received. */
    static String now(List<SubscriberStatus> subscribers) {
        System.gc();
        long heap = Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
        ByteBufAllocatorMetric buffers = ((ByteBufAllocatorMetricProvider) ByteBufAllocator.DEFAULT).metric();
        return "heap %d MB; buffers %d MB; %d threads; %.1f s of processor time; %d subscribers, emitted %d, conflated %d, waiting %d"
                .formatted(
                heap >> 20,
                buffers.usedDirectMemory() + buffers.usedHeapMemory() >> 20,
                ManagementFactory.getThreadMXBean().getThreadCount(),
                ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime() / 1e9,
                subscribers.size(),
                subscribers.stream().mapToLong(SubscriberStatus::emitted).sum(),
                subscribers.stream().mapToLong(SubscriberStatus::conflated).sum(),
                subscribers.stream().mapToLong(SubscriberStatus::backlog).sum());
    }
}
