package io.reactiveinformer.benchmarks.trial;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The smallest heap in which a cluster can be cached, by bisection: each try is a client of its own. Once, whatever the rounds. */
record Fits(List<Line> lines) implements Scenario {

    private static final Duration LIMIT = Duration.ofMinutes(2);

    /**
     * A cluster, and the contenders that try to cache it.
     *
     * @param least where to begin, in megabytes
     * @param most where to give up, in megabytes
     * @param relists the contender that must be able to list again with little more than that
     */
    record Line(ClusterShape cluster, int least, int most, List<Entrant> entrants, @Nullable Entrant relists) {

        /** What is tried: multiples of 8 below 512, and of 64 above. */
        int[] heaps() {
            return IntStream.rangeClosed(least, most).filter(heap -> heap % (heap < 512 ? 8 : 64) == 0).toArray();
        }
    }

    @Override
    public String title() {
        return "the smallest heap";
    }

    @Override
    public Report measure(int rounds) throws IOException, InterruptedException {
        List<Entrant> entrants = lines.stream().flatMap(line -> line.entrants().stream()).distinct().toList();
        var report = new StringBuilder("The smallest `-Xmx` in MB with which the first list succeeds within " + LIMIT.toSeconds()
                + " s, a multiple of 8 below 512 and of 64 above; `-XX:+UseG1GC -XX:+ExitOnOutOfMemoryError`; one round.\n\n"
                + Scenario.head(entrants));
        var relists = new StringBuilder();
        for (Line line : lines) {
            try (ServerProcess server = ServerProcess.start(line.cluster())) {
                List<String> cells = new ArrayList<>();
                for (Entrant entrant : entrants) {
                    int smallest = line.entrants().contains(entrant) ? smallest(server, line, entrant) : -1;
                    cells.add(smallest < 0 ? "" : smallest > line.most() ? "more than " + line.most() : "" + smallest);
                    if (entrant.equals(line.relists()) && smallest <= line.most()) {
                        relists.append('\n').append(relist(server, line, entrant, (smallest * 115 + 99) / 100)).append('\n');
                    }
                }
                report.append(Scenario.row(line.cluster().toString(), cells));
            }
        }
        return new Report(report.append(relists).toString(), false);
    }

    /** The least of the heaps that suffices; beyond the most if none does. */
    private static int smallest(ServerProcess server, Line line, Entrant entrant) throws IOException, InterruptedException {
        int[] heaps = line.heaps();
        int low = 0;
        int high = heaps.length;
        while (low < high) {
            int middle = (low + high) / 2;
            boolean fits = succeeds(server, entrant, "fits", heaps[middle], LIMIT);
            System.err.println("fits of " + line.cluster() + " in " + heaps[middle] + " MB: "
                    + entrant.name() + ": " + (fits ? "yes" : "no"));
            if (fits) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low < heaps.length ? heaps[low] : Integer.MAX_VALUE;
    }

    private static String relist(ServerProcess server, Line line, Entrant entrant, int heap) throws IOException, InterruptedException {
        boolean fits = succeeds(server, entrant, "relist", heap, Comparison.LIMIT);
        return entrant.name() + ", " + line.cluster() + ", with 1.15 times that, " + heap + " MB: relist fits: " + (fits ? "yes" : "no");
    }

    private static boolean succeeds(ServerProcess server, Entrant entrant, String trial, int heap, Duration limit)
            throws IOException, InterruptedException {
        ServerProcess.Outcome outcome =
                server.client(entrant, trial, 0, 0, List.of("-Xmx" + heap + "m", "-XX:+UseG1GC", "-XX:+ExitOnOutOfMemoryError"), limit);
        return outcome.succeeded() && !outcome.figures().isEmpty();
    }
}
