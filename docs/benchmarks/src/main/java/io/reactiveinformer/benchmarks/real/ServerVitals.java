package io.reactiveinformer.benchmarks.real;

import io.reactiveinformer.client.KubernetesClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What the API server used: read from {@code /proc} where its process is known, else from its own metrics, which take some of it. */
final class ServerVitals {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int TICK_MILLIS = 10;

    private final KubernetesClient client;
    private final @Nullable Path process;

    /** @param pid null if it is on another machine */
    ServerVitals(KubernetesClient client, @Nullable String pid) {
        this.client = client;
        this.process = pid == null ? null : Path.of("/proc", pid);
    }

    long cpuMillis() {
        if (process == null) {
            return (long) (metric("process_cpu_seconds_total") * 1000);
        }
        String stat = read(process.resolve("stat"));
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        return TICK_MILLIS * (Long.parseLong(fields[11]) + Long.parseLong(fields[12]));
    }

    /** Makes {@link #peakMegabytes} count from now on, where that is possible. */
    void resetPeak() {
        if (process != null) {
            try {
                Files.writeString(process.resolve("clear_refs"), "5");
            } catch (IOException notAllowed) {
                System.err.println("the server's peak counts from its start: " + notAllowed);
            }
        }
    }

    /** Most memory; what it has now, where the process is not at hand. */
    long peakMegabytes() {
        return process == null
                ? (long) metric("process_resident_memory_bytes") >> 20
                : read(process.resolve("status")).lines()
                        .filter(line -> line.startsWith("VmHWM"))
                        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) >> 10)
                        .findFirst()
                        .orElse(0);
    }

    private double metric(String name) {
        String text = Objects.requireNonNull(client.raw().text("/metrics").block(PATIENCE));
        return text.lines().filter(line -> line.startsWith(name + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1))).findFirst().orElse(0);
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
