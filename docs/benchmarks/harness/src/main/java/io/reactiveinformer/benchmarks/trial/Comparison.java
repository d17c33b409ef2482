package io.reactiveinformer.benchmarks.trial;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One trial of each contender in turns (ours, a peer, ours, a peer …), each against a server of its own; the medians.
 *
 * @param trial what {@link Trial} calls it
 * @param count how many changes are made
 * @param limit after which a contender has failed
 */
record Comparison(String trial, ClusterShape cluster, int count, int perSecond, String heap, List<Entrant> entrants, Duration limit)
        implements Scenario {

    static final Duration LIMIT = Duration.ofMinutes(12);

    Comparison(String trial, ClusterShape cluster, int count, int perSecond, String heap, List<Entrant> entrants) {
        this(trial, cluster, count, perSecond, heap, entrants, LIMIT);
    }

    @Override
    public String title() {
        return cluster.toString();
    }

    @Override
    public Report measure(int rounds) throws IOException, InterruptedException {
        Map<Entrant, Map<String, List<Long>>> figures = new LinkedHashMap<>();
        Map<String, Integer> failures = new LinkedHashMap<>();
        for (int round = 1; round <= rounds; round++) {
            for (Entrant entrant : entrants) {
                System.err.println(trial + " of " + cluster + ", round " + round + " of " + rounds + ": " + entrant.name());
                Map<String, List<Long>> ofEntrant = figures.computeIfAbsent(entrant, first -> new LinkedHashMap<>());
                ServerProcess.Outcome outcome = measure(entrant);
                if (outcome.succeeded()) {
                    outcome.figures().forEach((name, values) -> ofEntrant.computeIfAbsent(name, first -> new ArrayList<>()).addAll(values));
                } else {
                    System.err.println("failed, perhaps by the limit of " + limit.toSeconds() + " s: " + outcome.lastWords());
                    failures.merge(entrant.name(), 1, Integer::sum);
                }
            }
        }
        String how = "`" + heap + " -XX:+UseG1GC`; "
                + (rounds == 1 ? "one round" : "medians, from lowest to highest of " + rounds + " rounds") + ".";
        return new Report(how + failed(failures, rounds) + "\n\n" + table(figures), !failures.isEmpty());
    }

    private static String failed(Map<String, Integer> failures, int rounds) {
        return failures.entrySet().stream()
                .map(failed -> " **" + failed.getKey() + " failed in " + failed.getValue() + " of " + rounds + "**, without figures.")
                .collect(Collectors.joining());
    }

    private ServerProcess.Outcome measure(Entrant entrant) throws IOException, InterruptedException {
        try (ServerProcess server = ServerProcess.start(cluster)) {
            return server.client(entrant, trial, count, perSecond, List.of(heap, "-XX:+UseG1GC"), limit);
        }
    }

    private String table(Map<Entrant, Map<String, List<Long>>> figures) {
        Set<String> names = new LinkedHashSet<>();
        figures.values().forEach(each -> names.addAll(each.keySet()));
        var table = new StringBuilder(Scenario.head(entrants));
        for (String name : names) {
            table.append(Scenario.row(name, figures.values().stream().map(each -> text(each.get(name))).toList()));
        }
        return table.toString();
    }

    private static String text(@Nullable List<Long> values) {
        if (values == null) {
            return "";
        }
        long[] sorted = values.stream().mapToLong(Long::longValue).sorted().toArray();
        long median = (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
        return sorted.length == 1 ? "" + median : median + " (" + sorted[0] + " … " + sorted[sorted.length - 1] + ")";
    }
}
