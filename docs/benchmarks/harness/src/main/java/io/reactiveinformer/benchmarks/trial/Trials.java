package io.reactiveinformer.benchmarks.trial;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Puts each contender on trial in turns (ours, a peer, ours, a peer …), the server on one core and the client on another, and prints a table of
 * the medians. {@code ROUNDS SCENARIO...}; the class path of each library is the property {@code trial.<library>}.
 */
public final class Trials {

    private static final int MOST_MINUTES = 12;

    /** Who takes part: the class of {@link Contender}, and the library that is its class path. */
    private record Entrant(String name, String classPath, String contender) {}

    private static final String OURS = "io.reactiveinformer.benchmarks.ReactiveInformer";
    private static final Entrant TYPED = new Entrant("typed", "ours", OURS + ":typed");
    private static final Entrant PROJECTED = new Entrant("projected", "ours", OURS + ":projected");
    private static final Entrant METADATA = new Entrant("metadata", "ours", OURS + ":metadata");
    private static final Entrant OFFICIAL = new Entrant("client-java", "official", "io.reactiveinformer.benchmarks.official.OfficialClient");
    private static final Entrant FABRIC8 = new Entrant("fabric8", "fabric8", "io.reactiveinformer.benchmarks.fabric8.Fabric8Client");
    private static final Entrant FABRIC8_PAGED = new Entrant("fabric8, pages", "fabric8", "io.reactiveinformer.benchmarks.fabric8.Fabric8Client:500");

    private static Entrant plain(Cluster of) {
        return new Entrant("Jackson alone", "ours", "io.reactiveinformer.codec.PlainBinding:" + of.corpus() + "," + of.pods());
    }

    private record Cluster(String corpus, int pods, int containers, int podsPerNamespace) {

        List<String> arguments() {
            return List.of(corpus, "" + pods, "" + containers, "" + podsPerNamespace);
        }

        @Override
        public String toString() {
            return pods + " pods of " + (containers == 2 ? 6 : 9) + " KB, corpus " + corpus;
        }
    }

    /** @param trial what {@link Trial} calls it */
    private record Scenario(String trial, Cluster cluster, int count, int perSecond, String heap, List<Entrant> entrants) {}

    private static final Map<String, Scenario> SCENARIOS = scenarios();

    private static Map<String, Scenario> scenarios() {
        var large = new Cluster("A", 50_000, 2, 200);
        var unequal = new Cluster("B", 20_000, 2, 200);
        var middle = new Cluster("A", 10_000, 2, 200);
        Map<String, Scenario> scenarios = new LinkedHashMap<>();
        scenarios.put("list", new Scenario("list", large, 0, 0, "-Xmx6g", List.of(TYPED, FABRIC8, PROJECTED, FABRIC8_PAGED, METADATA, plain(large), OFFICIAL)));
        scenarios.put("list-unequal", new Scenario("list", unequal, 0, 0, "-Xmx6g", List.of(TYPED, OFFICIAL, FABRIC8)));
        scenarios.put("churn", new Scenario("churn", new Cluster("A", 20_000, 2, 200), 0, 0, "-Xmx6g", List.of(TYPED, OFFICIAL, FABRIC8, PROJECTED)));
        scenarios.put("relist", new Scenario("relist", large, 0, 0, "-Xmx6g", List.of(TYPED, FABRIC8)));
        scenarios.put("burst", new Scenario("burst", large, 200_000, 0, "-Xmx6g", List.of(TYPED, FABRIC8, OFFICIAL)));
        scenarios.put("delay", new Scenario("delay", middle, 60_000, 2_000, "-Xmx3g", List.of(TYPED, FABRIC8, OFFICIAL)));
        scenarios.put("slow", new Scenario("slow", new Cluster("A", 1_000, 2, 200), 50_000, 2_000, "-Xmx64m", List.of(TYPED)));
        scenarios.put("lister", new Scenario("lister", middle, 0, 2_000, "-Xmx3g", List.of(TYPED, FABRIC8, OFFICIAL)));
        scenarios.put("many", new Scenario("many", new Cluster("A", 2_000, 2, 100), 0, 0, "-Xmx1g", List.of(TYPED, FABRIC8, OFFICIAL)));
        scenarios.put("hundred", new Scenario("many", new Cluster("A", 2_500, 2, 25), 0, 0, "-Xmx1g", List.of(TYPED)));
        scenarios.put("cuts", new Scenario("cuts", middle, 40_000, 1_000, "-Xmx3g", List.of(TYPED, FABRIC8, OFFICIAL)));
        return scenarios;
    }

    private Trials() {}

    public static void main(String... arguments) throws InterruptedException {
        int rounds = Integer.parseInt(arguments[0]);
        for (String name : Arrays.asList(arguments).subList(1, arguments.length)) {
            Scenario scenario = SCENARIOS.get(name);
            if (scenario == null) {
                System.err.println("error: there is no scenario " + name + "; there are: " + String.join(" ", SCENARIOS.keySet()));
                System.exit(2);
                return;
            }
            print(name, scenario, rounds, run(scenario, rounds));
        }
    }

    private static Map<Entrant, Map<String, List<Long>>> run(Scenario scenario, int rounds) throws InterruptedException {
        Map<Entrant, Map<String, List<Long>>> figures = new LinkedHashMap<>();
        for (int round = 1; round <= rounds; round++) {
            for (Entrant entrant : scenario.entrants()) {
                System.err.println(scenario.trial() + " of " + scenario.cluster() + ", round " + round + " of " + rounds + ": " + entrant.name());
                Map<String, List<Long>> ofEntrant = figures.computeIfAbsent(entrant, first -> new LinkedHashMap<>());
                run(scenario, entrant).forEach((name, value) -> ofEntrant.computeIfAbsent(name, first -> new ArrayList<>()).addAll(value));
            }
        }
        return figures;
    }

    private static Map<String, List<Long>> run(Scenario scenario, Entrant entrant) throws InterruptedException {
        try {
            Process server = start(1, "harness", List.of("-Xmx3g", "-XX:+UseSerialGC"), LoadServer.class, scenario.cluster().arguments());
            try (BufferedReader addresses = reader(server)) {
                String url = addresses.readLine();
                Process client = start(0, entrant.classPath(), List.of(scenario.heap(), "-XX:+UseG1GC"), Trial.class,
                        List.of(entrant.contender(), scenario.trial(), url, "" + scenario.cluster().pods(), "" + scenario.count(),
                                "" + scenario.perSecond(), "" + scenario.cluster().podsPerNamespace()));
                try (BufferedReader lines = reader(client)) {
                    Map<String, List<Long>> figures = new LinkedHashMap<>();
                    lines.lines().map(line -> line.split(" ", -1)).filter(line -> line.length == 2 && line[1].matches("-?\\d+"))
                            .forEach(line -> figures.computeIfAbsent(line[0], first -> new ArrayList<>()).add(Long.parseLong(line[1])));
                    if (!client.waitFor(MOST_MINUTES, TimeUnit.MINUTES) || client.exitValue() != 0) {
                        figures.put("failed", List.of(1L));
                    }
                    return figures;
                } finally {
                    client.destroyForcibly();
                }
            } finally {
                server.destroyForcibly().waitFor();
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static Process start(int core, String classPath, List<String> flags, Class<?> main, List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("timeout", MOST_MINUTES + "m"));
        if (Runtime.getRuntime().availableProcessors() > 1) {
            command.addAll(List.of("taskset", "-c", "" + core));
        }
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(flags);
        command.addAll(List.of("-cp", System.getProperty("trial." + classPath), main.getName()));
        command.addAll(arguments);
        return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    }

    private static BufferedReader reader(Process process) {
        return new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    private static void print(String name, Scenario scenario, int rounds, Map<Entrant, Map<String, List<Long>>> figures) {
        System.out.printf("%n### %s: %s%n%n", name, scenario.cluster());
        System.out.printf("%s; medians, from lowest to highest of %d.%n%n", scenario.heap(), rounds);
        System.out.println("| | " + figures.keySet().stream().map(Entrant::name).collect(Collectors.joining(" | ")) + " |");
        System.out.println("| --- |" + " --- |".repeat(figures.size()));
        Map<String, String> names = new LinkedHashMap<>();
        figures.values().forEach(each -> each.keySet().forEach(figure -> names.put(figure, figure)));
        for (String figure : names.keySet()) {
            System.out.println("| " + figure + " | " + figures.values().stream().map(each -> text(each.get(figure))).collect(Collectors.joining(" | ")) + " |");
        }
    }

    private static String text(@Nullable List<Long> values) {
        if (values == null) {
            return "";
        }
        long[] sorted = values.stream().mapToLong(Long::longValue).sorted().toArray();
        String median = "" + sorted[sorted.length / 2];
        return sorted.length == 1 ? median : median + " (" + sorted[0] + " … " + sorted[sorted.length - 1] + ")";
    }
}
