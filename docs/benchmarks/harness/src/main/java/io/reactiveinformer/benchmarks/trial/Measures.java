package io.reactiveinformer.benchmarks.trial;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** What the JVM and the system say of this process. */
public final class Measures {

    private static final com.sun.management.OperatingSystemMXBean SYSTEM =
            (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private static final com.sun.management.ThreadMXBean THREADS = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();

    private Measures() {}

    /** Bytes in use once nothing can be collected any more. */
    public static long retained() {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 4; i++) {
            System.gc();
            long used = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
            if (used >= least) {
                return least;
            }
            least = used;
        }
        return least;
    }

    static long cpuMillis() {
        return SYSTEM.getProcessCpuTime() / 1_000_000;
    }

    /** The processor time of the compilers. */
    static long compilingMillis() {
        try (var tasks = Files.list(Path.of("/proc/self/task"))) {
            return tasks.mapToLong(task -> {
                try {
                    String stat = Files.readString(task.resolve("stat"));
                    int name = stat.indexOf('(') + 1;
                    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
                    return stat.startsWith("C1 ", name) || stat.startsWith("C2 ", name)
                            ? 10 * (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) : 0;
                } catch (IOException over) {
                    return 0; // it ended meanwhile
                }
            }).sum();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    static long collectionMillis() {
        return ManagementFactory.getGarbageCollectorMXBeans().stream().mapToLong(one -> Math.max(one.getCollectionTime(), 0)).sum();
    }

    /** Bytes that each thread has allocated which lives now, by its number. */
    static Map<Long, Long> allocated() {
        long[] threads = THREADS.getAllThreadIds();
        long[] bytes = THREADS.getThreadAllocatedBytes(threads);
        Map<Long, Long> allocated = new HashMap<>();
        for (int i = 0; i < threads.length; i++) {
            allocated.put(threads[i], Math.max(bytes[i], 0));
        }
        return allocated;
    }

    /**
     * Bytes that were allocated since by threads which live now: those of a client that was closed before may end meanwhile, and count for
     * nothing.
     */
    static long allocatedSince(Map<Long, Long> before) {
        return allocated().entrySet().stream().mapToLong(thread -> thread.getValue() - before.getOrDefault(thread.getKey(), 0L)).sum();
    }

    static int threads() {
        return THREADS.getThreadCount();
    }

    /** The most memory that this process ever had of the machine. */
    static long peakMegabytes() {
        try (var lines = Files.lines(Path.of("/proc/self/status"))) {
            return lines.filter(line -> line.startsWith("VmHWM")).mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) >> 10)
                    .findFirst().orElse(0);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
