package io.reactiveinformer.benchmarks.trial;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import static io.reactiveinformer.benchmarks.trial.Entrant.FABRIC8;
import static io.reactiveinformer.benchmarks.trial.Entrant.FABRIC8_PAGED;
import static io.reactiveinformer.benchmarks.trial.Entrant.METADATA;
import static io.reactiveinformer.benchmarks.trial.Entrant.OFFICIAL;
import static io.reactiveinformer.benchmarks.trial.Entrant.PROJECTED;
import static io.reactiveinformer.benchmarks.trial.Entrant.TYPED;
import static io.reactiveinformer.benchmarks.trial.Entrant.TYPED_JSON;
import static io.reactiveinformer.benchmarks.trial.Entrant.TYPED_MANAGED;

/**
 * Puts contenders on trial and prints a section for each scenario: {@code ROUNDS SCENARIO...}. Properties: {@code trial.<library>} is the
 * class path of each library, {@code trial.machine} what is printed of where this was; if given, {@code trial.results} is a document to
 * keep the sections in, and
 * {@code trial.flags} what each contender's JVM is given beside its own flags.
 */
public final class Trials {

    private static final Map<String, Scenario> SCENARIOS = scenarios();

    private static Map<String, Scenario> scenarios() {
        ClusterShape large = pods(50_000);
        ClusterShape middle = pods(10_000);
        List<Entrant> all = List.of(TYPED, FABRIC8, OFFICIAL);
        Map<String, Scenario> scenarios = new LinkedHashMap<>();
        scenarios.put("list",
                new Comparison("list", large, 0, 0, "-Xmx6g", List.of(
                        TYPED, TYPED_JSON, TYPED_MANAGED, FABRIC8, PROJECTED, FABRIC8_PAGED, METADATA, Entrant.plain(large, false),
                        OFFICIAL, Entrant.plain(large, true))));
        scenarios.put("list-100", new Comparison("list", pods(100), 0, 0, "-Xmx1g", List.of(TYPED_JSON, OFFICIAL, FABRIC8, TYPED)));
        scenarios.put("list-unequal", new Comparison("list", ClusterShape.of(Corpus.Kind.B, 20_000),
                0, 0, "-Xmx6g", List.of(TYPED, OFFICIAL, FABRIC8)));
        scenarios.put("fits", new Fits(List.of(
                new Fits.Line(new ClusterShape(Corpus.Kind.A, 5_000, 9, 200), 16, 1024,
                        List.of(TYPED, PROJECTED, FABRIC8, FABRIC8_PAGED, OFFICIAL), null),
                new Fits.Line(large, 96, 3072, List.of(TYPED, FABRIC8, FABRIC8_PAGED, OFFICIAL), TYPED))));
        scenarios.put("churn", new Comparison("churn", pods(20_000), 0, 0, "-Xmx6g", List.of(TYPED, OFFICIAL, FABRIC8, PROJECTED)));
        scenarios.put("relist", new Comparison("relist", large, 0, 0, "-Xmx6g", List.of(TYPED, TYPED_JSON, FABRIC8)));
        scenarios.put("burst", new Comparison("burst", large, 200_000, 0, "-Xmx6g", List.of(TYPED, TYPED_JSON, FABRIC8, OFFICIAL)));
        scenarios.put("delay", new Comparison("delay", middle, 60_000, 2_000, "-Xmx3g", List.of(TYPED, TYPED_JSON, FABRIC8, OFFICIAL)));
        scenarios.put("delay-500", new Comparison("delay", middle, 15_000, 500, "-Xmx3g", all));
        scenarios.put("slow", new Comparison("slow", pods(1_000), 50_000, 2_000, "-Xmx64m", List.of(TYPED)));
        scenarios.put("lister", new Comparison("lister", middle, 120_000, 2_000, "-Xmx3g", all));
        scenarios.put("many", new Comparison("many", new ClusterShape(Corpus.Kind.A, 2_000, 6, 100), 20, 0, "-Xmx1g", all));
        scenarios.put("hundred", new Comparison("many", new ClusterShape(Corpus.Kind.A, 2_500, 6, 25), 60, 0, "-Xmx1g", List.of(TYPED)));
        scenarios.put("cuts", new Comparison("cuts", middle, 40_000, 1_000, "-Xmx3g", all));
        scenarios.put("operators", operators(1_000, 60, 0));
        scenarios.put("operators-10", operators(1_000, 60, 10));
        scenarios.put("quick-operators", operators(50, 5, 0));
        scenarios.put("discovery", new Discovery(500, List.of(Entrant.CLOUD, Entrant.CLOUD_FABRIC8, Entrant.CLOUD_OFFICIAL)));
        scenarios.put("quick-list", quick("list", pods(5_000), 0, 0));
        scenarios.put("quick-burst", quick("burst", pods(5_000), 20_000, 0));
        scenarios.put("quick-delay", quick("delay", pods(5_000), 10_000, 2_000));
        scenarios.put("quick-lister", quick("lister", pods(5_000), 10_000, 2_000));
        return scenarios;
    }

    private static Scenario operators(int pages, int restSeconds, int writeMillis) {
        return new Operators(pages, Duration.ofSeconds(restSeconds), Duration.ofMillis(writeMillis),
                List.of(Entrant.WEB_PAGES, Entrant.WEB_PAGES_UNLIMITED, Entrant.JOSDK, Entrant.JOSDK_8));
    }

    private static Scenario quick(String trial, ClusterShape cluster, int count, int perSecond) {
        return new Comparison(trial, cluster, count, perSecond, "-Xmx3g", List.of(TYPED, FABRIC8), Duration.ofMinutes(1));
    }

    private static ClusterShape pods(int count) {
        return ClusterShape.of(Corpus.Kind.A, count);
    }

    private Trials() {}

    public static void main(String... arguments) throws IOException, InterruptedException {
        int rounds = Integer.parseInt(arguments[0]);
        List<String> names = Arrays.asList(arguments).subList(1, arguments.length);
        for (String name : names) {
            if (!SCENARIOS.containsKey(name)) {
                System.err.println("error: there is no scenario " + name + "; there are: " + String.join(" ", SCENARIOS.keySet()));
                System.exit(2);
            }
        }
        // or a client went on
        Runtime.getRuntime()
                .addShutdownHook(new Thread(() -> ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly)));
        String results = System.getProperty("trial.results");
        boolean failed = false;
        for (String name : names) {
            Scenario scenario = Objects.requireNonNull(SCENARIOS.get(name));
            Scenario.Report report = scenario.measure(rounds);
            String section = "### " + name + ": " + scenario.title() + "\n\n" + System.getProperty("trial.machine", "")
                    + "\n\n" + report.text();
            failed |= report.failed();
            System.out.println("\n" + section);
            if (results != null) {
                new Results(Path.of(results)).write(name, section);
            }
        }
        if (failed) {
            System.exit(1);
        }
    }
}
