package io.reactiveinformer.benchmarks.trial;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Entrants in turns (ours, a peer, ours, a peer …), and the medians of their figures. */
record Turns(String what, List<Entrant> entrants) {

    interface Turn {
        /** Null if the entrant has no turn in this round. */
        ServerProcess.@Nullable Outcome of(Entrant entrant, int round) throws IOException, InterruptedException;
    }

    /** @param how the flags of each JVM, and what else all have in common */
    Scenario.Report take(int rounds, String how, Duration limit, Turn turn) throws IOException, InterruptedException {
        Map<Entrant, Map<String, List<Long>>> figures = new LinkedHashMap<>();
        Map<String, Integer> failures = new LinkedHashMap<>();
        for (int round = 1; round <= rounds; round++) {
            for (Entrant entrant : entrants) {
                Map<String, List<Long>> ofEntrant = figures.computeIfAbsent(entrant, first -> new LinkedHashMap<>());
                System.err.println(what + ", round " + round + " of " + rounds + ": " + entrant.name());
                ServerProcess.@Nullable Outcome outcome = turn.of(entrant, round);
                if (outcome == null) {
                    continue;
                }
                if (outcome.succeeded()) {
                    outcome.figures().forEach((name, values) -> ofEntrant.computeIfAbsent(name, first -> new ArrayList<>()).addAll(values));
                } else {
                    System.err.println("failed, perhaps by the limit of " + limit.toSeconds() + " s: " + outcome.lastWords());
                    failures.merge(entrant.name(), 1, Integer::sum);
                }
            }
        }
        String all = how + "; " + (rounds == 1 ? "one round" : "medians, from lowest to highest of " + rounds + " rounds") + ".";
        return new Scenario.Report(all + failed(failures, rounds) + "\n\n" + table(figures), !failures.isEmpty());
    }

    private static String failed(Map<String, Integer> failures, int rounds) {
        return failures.entrySet().stream()
                .map(failed -> " **" + failed.getKey() + " failed in " + failed.getValue() + " of " + rounds + "**, without figures.")
                .collect(Collectors.joining());
    }

    private String table(Map<Entrant, Map<String, List<Long>>> figures) {
        List<String> names = new ArrayList<>();
        figures.values().forEach(each -> merge(each.keySet(), names));
        var table = new StringBuilder(Scenario.head(entrants));
        for (String name : names) {
            table.append(Scenario.row(name, figures.values().stream().map(each -> text(each.get(name))).toList()));
        }
        return table.toString();
    }

    /** Adds what is missing, each name after the one that it follows. */
    private static void merge(Set<String> ofEntrant, List<String> names) {
        int at = 0;
        for (String name : ofEntrant) {
            int found = names.indexOf(name);
            if (found < 0) {
                names.add(at, name);
            }
            at = (found < 0 ? at : found) + 1;
        }
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
