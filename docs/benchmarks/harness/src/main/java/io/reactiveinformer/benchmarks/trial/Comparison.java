package io.reactiveinformer.benchmarks.trial;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

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
        return new Turns(trial + " of " + cluster, entrants)
                .take(rounds, "`" + heap + " -XX:+UseG1GC`", limit, (entrant, round) -> measure(entrant));
    }

    private ServerProcess.Outcome measure(Entrant entrant) throws IOException, InterruptedException {
        try (ServerProcess server = ServerProcess.start(cluster)) {
            return server.client(entrant, trial, count, perSecond, List.of(heap, "-XX:+UseG1GC"), limit);
        }
    }
}
