package io.reactiveinformer.benchmarks.trial;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An operator of web pages, written with each library, in turns, each before a server of its own. This library with its default limit of
 * writes has one turn: the limit decides its times.
 *
 * @param rest in the first round, of those with their defaults; a short one otherwise
 * @param writing how long the server takes for each request that writes
 */
record Operators(int pages, Duration rest, Duration writing, List<Entrant> entrants) implements Scenario {

    private static final String RUN = "io.reactiveinformer.benchmarks.operators.OperatorRun";
    private static final List<Entrant> WITH_DEFAULTS = List.of(Entrant.WEB_PAGES, Entrant.JOSDK);
    private static final Duration SHORT_REST = Duration.ofSeconds(5);
    private static final Duration LIMIT = Duration.ofMinutes(10);
    private static final List<String> FLAGS = List.of("-Xmx256m", "-XX:+UseG1GC");

    @Override
    public String title() {
        return pages + " web pages" + (writing.isZero() ? "" : ", " + writing.toMillis() + " ms for each write");
    }

    @Override
    public Report measure(int rounds) throws IOException, InterruptedException {
        String how = "`%s`; `%s` has a turn in the first round only, in which it and `%s` are at rest for %d s; otherwise %d s".formatted(
                String.join(" ", FLAGS), WITH_DEFAULTS.get(0).name(), WITH_DEFAULTS.get(1).name(),
                rest.toSeconds(), SHORT_REST.toSeconds());
        return new Turns(title(), entrants).take(rounds, how, LIMIT, this::turn);
    }

    private ServerProcess.@Nullable Outcome turn(Entrant entrant, int round) throws IOException, InterruptedException {
        if (round > 1 && entrant.equals(Entrant.WEB_PAGES)) {
            return null;
        }
        List<String> arguments = new ArrayList<>(List.of(System.getProperty("trial." + entrant.classPath(), ""), entrant.contender(),
                "" + pages, "" + (round == 1 && WITH_DEFAULTS.contains(entrant) ? rest : SHORT_REST).toSeconds(), "" + writing.toMillis()));
        arguments.addAll(ServerProcess.flags(FLAGS));
        return ServerProcess.run(1, "cluster", List.of("-Xmx2g", "-XX:+UseSerialGC"), RUN, arguments, LIMIT);
    }
}
