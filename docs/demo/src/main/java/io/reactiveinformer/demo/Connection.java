package io.reactiveinformer.demo;

import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.config.ClusterConfig;
import io.reactiveinformer.test.FakeApiServer;
import io.reactiveinformer.test.simulation.Simulation;
import java.time.Duration;
import reactor.core.publisher.Mono;

/** A client, and what has to be closed after it. */
record Connection(KubernetesClient client, Runnable then) implements AutoCloseable {

    /** Slow enough to follow, fast enough to show changes within seconds. */
    private static final Duration PACE = Duration.ofMillis(250);
    private static final Duration LONGEST_CLOSE = Duration.ofSeconds(5);

    static Connection to(KubernetesClient client) {
        return new Connection(client, () -> {});
    }

    /** To an embedded server with a small cluster in motion, which other clients can use, too. */
    static Connection toEmbeddedServer(Surroundings surroundings) {
        FakeApiServer server = FakeApiServer.create().start();
        Simulation.of(server).smallCluster().start(PACE);
        surroundings.sayEmbedded(server.url());
        return new Connection(KubernetesClient.create(ClusterConfig.of(server.url())), server::close);
    }

    @Override
    public void close() {
        client.dispose().timeout(LONGEST_CLOSE, Mono.empty()).block(); // a credential plugin that runs must not outlive this process
        then.run();
    }
}
