package io.reactiveinformer.benchmarks.readers;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One, twenty and two hundred readers of a topic beside as many informers: what the API server and the processes have to do, and after
 * which time a change arrives. Cluster, broker, publisher and readers are processes of their own. Prints Markdown.
 */
public final class Readers {

    /** Readers and changes a second: as many bytes as two cores bear. */
    private static final List<Size> SIZES = List.of(new Size(1, 200), new Size(20, 200), new Size(200, 20));

    private final int pods;
    private final int warmUp;
    private final int seconds;
    private final List<Seen> seen = new ArrayList<>();

    /** @param warmUp seconds before what is measured */
    Readers(int pods, int warmUp, int seconds) {
        this.pods = pods;
        this.warmUp = warmUp;
        this.seconds = seconds;
    }

    record Size(int readers, int rate) {}

    /**
     * What was seen of one kind and size.
     *
     * @param bytesPerChange of the API server
     * @param cores of cluster, broker, publisher and readers
     * @param arrived changes at all readers, which must be as many as were written for each
     * @param p50 and {@code p99}, in microseconds
     * @param heap of all readers, in MB
     */
    record Seen(
            String kind, Size size, String requests, long bytesPerChange, List<Double> cores, long arrived, long missing, long p50, long p99,
            String heap, String late) {

        String row() {
            return "| %s | %d | %d | %s | %.1f KB | %s | %d, %d missing | %.1f ms | %.1f ms | %s MB | %s ms |".formatted(
                    kind, size.readers, size.rate, requests, bytesPerChange / 1024.0,
                    cores.stream().map(used -> String.format(Locale.ROOT, "%.2f", used)).collect(Collectors.joining(", ")),
                    arrived, missing, p50 / 1e3, p99 / 1e3, heap, late);
        }
    }

    public static void main(String... arguments) throws IOException {
        Locale.setDefault(Locale.ROOT);
        var run = new Readers(2_000, 45, 20);
        for (Size size : SIZES) {
            run.informers(size);
            run.topic(size);
        }
        run.topic(new Size(1, 2_000));
        System.out.print(run.report());
        System.exit(0);
    }

    Seen informers(Size size) throws IOException {
        try (Child cluster = new Child("-Xmx1g", Cluster.class, pods);
                Child readers = new Child("-Xmx3g", Reading.class, "server", cluster.hello(), size.readers)) {
            return measure("informers", size, cluster, List.of(), readers);
        }
    }

    Seen topic(Size size) throws IOException {
        try (Child cluster = new Child("-Xmx1g", Cluster.class, pods);
                Child broker = new Child("-Xmx1g", Broker.class);
                Child publisher = new Child("-Xmx256m", Publisher.class, cluster.hello(), broker.hello());
                Child readers = new Child("-Xmx3g", Reading.class, "topic", broker.hello(), size.readers)) {
            return measure("topic", size, cluster, List.of(broker, publisher), readers);
        }
    }

    private Seen measure(String kind, Size size, Child cluster, List<Child> between, Child readers) throws IOException {
        int changes = size.rate * seconds;
        long expected = (long) changes * size.readers;
        readers.ask("begin");
        cluster.ask("write " + size.rate + " " + size.rate * warmUp);
        readers.ask("await " + (long) size.rate * warmUp * size.readers);
        readers.ask("begin");
        List<Child> all = Stream.of(List.of(cluster), between, List.of(readers)).flatMap(List::stream).toList();
        List<Duration> before = all.stream().map(Child::cpu).toList();
        long written = cluster.written();
        long begun = System.nanoTime();
        String late = cluster.ask("write " + size.rate + " " + changes);
        String[] arrived = readers.ask("await " + expected).split(" ", -1);
        double took = (System.nanoTime() - begun) / 1e9;
        List<Double> cores = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            cores.add(all.get(i).cpu().minus(before.get(i)).toMillis() / 1e3 / took);
        }
        long count = Long.parseLong(arrived[0]);
        var result = new Seen(kind, size, cluster.ask("requests"), (cluster.written() - written) / changes, cores, count, expected - count,
                Long.parseLong(arrived[1]), Long.parseLong(arrived[2]), readers.ask("heap"), late);
        System.err.println(result.row());
        seen.add(result);
        return result;
    }

    private String report() {
        String rows = seen.stream().map(Seen::row).collect(Collectors.joining("\n"));
        return """
                | kind | readers | changes a second | requests at the API server | from the API server for each change | cores: cluster, \
                (broker, publisher,) readers | changes received | p50 | p99 | heap of all readers | writer late |
                | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
                %s

                ```mermaid
                xychart-beta
                    title "KB from the API server for each change: informers, and readers of a topic"
                    x-axis "readers" [%s]
                    y-axis "KB"
                    line [%s]
                    line [%s]
                ```
                """.formatted(rows, SIZES.stream().map(size -> Integer.toString(size.readers)).collect(Collectors.joining(", ")),
                line("informers"), line("topic"));
    }

    private String line(String kind) {
        return seen.stream().filter(one -> one.kind.equals(kind) && SIZES.contains(one.size))
                .map(one -> Long.toString(one.bytesPerChange / 1024)).collect(Collectors.joining(", "));
    }
}
