package io.reactiveinformer.benchmarks.trial;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** One application that discovers services, with each library on its class path in turns, each before a server of its own. */
record Discovery(int services, List<Entrant> entrants) implements Scenario {

    private static final String RUN = "io.reactiveinformer.benchmarks.services.DiscoveryRun";
    private static final Duration LIMIT = Duration.ofMinutes(6);
    private static final List<String> FLAGS = List.of("-Xmx512m", "-XX:+UseG1GC");

    @Override
    public String title() {
        return services + " services with 10 endpoints each";
    }

    @Override
    public Report measure(int rounds) throws IOException, InterruptedException {
        return new Turns(title(), entrants).take(rounds, "`" + String.join(" ", FLAGS) + "`", LIMIT, (entrant, round) -> turn(entrant));
    }

    private ServerProcess.Outcome turn(Entrant entrant) throws IOException, InterruptedException {
        List<String> arguments = new ArrayList<>(
                List.of(System.getProperty("trial." + entrant.classPath(), ""), entrant.contender(), "" + services));
        arguments.addAll(ServerProcess.flags(FLAGS));
        return ServerProcess.run(1, "cluster", List.of("-Xmx2g", "-XX:+UseSerialGC"), RUN, arguments, LIMIT);
    }
}
