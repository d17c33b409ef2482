package io.reactiveinformer.demo;

import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.config.ClusterConfig;
import io.reactiveinformer.demo.controllers.WorkloadControllers;
import io.reactiveinformer.demo.dashboard.DashboardServer;
import io.reactiveinformer.demo.dashboard.EmbeddedCluster;
import io.reactiveinformer.demo.dashboard.FaultButtons;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.test.FakeApiServer;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import reactor.core.publisher.Mono;

/** {@code ./informer dashboard}: a page that shows a cluster while it changes. */
@Command(name = "dashboard", mixinStandardHelpOptions = true, sortOptions = false, usageHelpAutoWidth = true,
        description = "Serves a page on this machine that shows pods, deployments, jobs, nodes and events while they change. Without "
                + "--server and --kubeconfig it starts an embedded server with a small cluster in motion, and the page has buttons that "
                + "cause faults.",
        footer = {"", "The page is for this machine only: it listens on 127.0.0.1. It shows pods, deployments, jobs, nodes and events, "
                + "and no Secrets."})
final class DashboardCommand implements Callable<Integer> {

    @Option(names = "--port", paramLabel = "N", defaultValue = "0", description = "Serve the page here; on any free port unless given.")
    int port;

    @Mixin
    ClusterOptions cluster = new ClusterOptions();

    @Option(names = "--duration", paramLabel = "TIME", description = "End after this time: 30s, 1m30s.")
    @Nullable Duration duration;

    private final Surroundings surroundings;
    private @Nullable FakeApiServer embedded;

    DashboardCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        if (port < 0 || port > 65_535) {
            throw new UsageException("--port must be from 1 to 65535, was " + port);
        }
        Mono<Void> end = surroundings.end(duration);
        try (Connection connection = cluster.connect(this::embed, end)) {
            if (connection != null) {
                serve(connection.client(), end);
            }
            return ExitCode.OK;
        }
    }

    private void serve(KubernetesClient client, Mono<Void> end) {
        try (InformerFactory informers = InformerFactory.create(client)) {
            FakeApiServer server = embedded;
            if (server == null) {
                serve(informers, null, cluster.toString(), informers::start, end);
                return;
            }
            try (WorkloadControllers controllers = WorkloadControllers.over(client, informers)) {
                serve(informers, new FaultButtons(server), "embedded server " + server.url(), controllers::start, end);
            }
        }
    }

    /** Serves the page until {@code end}. */
    private void serve(InformerFactory informers, @Nullable FaultButtons faults, String what, Runnable start, Mono<Void> end) {
        try (DashboardServer dashboard = DashboardServer.start(informers, faults, what, port)) {
            start.run();
            surroundings.say("dashboard: " + dashboard.url());
            end.block();
        }
    }

    private Connection embed() {
        FakeApiServer server = FakeApiServer.create().start();
        embedded = server;
        EmbeddedCluster.live(server);
        surroundings.sayEmbedded(server.url());
        return new Connection(KubernetesClient.create(ClusterConfig.of(server.url())), server::close);
    }
}
