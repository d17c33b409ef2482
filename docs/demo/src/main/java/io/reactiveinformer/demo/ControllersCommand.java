package io.reactiveinformer.demo;

import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.config.ClusterConfig;
import io.reactiveinformer.controller.Controller.Reconciled;
import io.reactiveinformer.demo.controllers.WorkloadControllers;
import io.reactiveinformer.queue.Result;
import io.reactiveinformer.test.FakeApiServer;
import io.reactiveinformer.test.simulation.Run;
import io.reactiveinformer.test.simulation.Simulation;
import io.reactiveinformer.test.simulation.Workload;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** {@code ./informer controllers}: Deployments, ReplicaSets and Jobs with running controllers, to try out with kubectl. */
@Command(name = "controllers", mixinStandardHelpOptions = true, sortOptions = false, usageHelpAutoWidth = true,
        description = "Starts an embedded server with nodes, and runs controllers for Deployments, ReplicaSets and Jobs against it: "
                + "kubectl --server finds it at the address that is printed. Shows what the controllers do, a line for each reconcile.",
        footer = {"", "Containers run forever, but those of an image with \"task\" in its name succeed after 2 s, with \"broken\" they "
                + "fail after 2 s, and \"missing\" cannot be pulled."})
final class ControllersCommand implements Callable<Integer> {

    private static final Duration PACE = Duration.ofMillis(200);
    private static final Duration WHILE = Duration.ofSeconds(2);

    @Option(names = "--port", paramLabel = "N", defaultValue = "0", description = "Listen here; on any free port unless given.")
    int port;

    @Option(names = "--duration", paramLabel = "TIME", description = "End after this time: 30s, 1m30s.")
    @Nullable Duration duration;

    private final Surroundings surroundings;

    ControllersCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        if (port < 0 || port > 65_535) {
            throw new UsageException("--port must be from 1 to 65535, was " + port);
        }
        Mono<Void> end = surroundings.end(duration);
        Scheduler output = Schedulers.newSingle("output", true);
        try (FakeApiServer server = FakeApiServer.create().start(port);
                KubernetesClient client = KubernetesClient.create(ClusterConfig.of(server.url()));
                WorkloadControllers controllers = WorkloadControllers.over(client)) {
            live(server);
            Mono<Void> shown = controllers.results()
                    .publishOn(output)
                    .doOnNext(result -> surroundings.out().print(Lines.onOneLine(line(result))))
                    .takeUntilOther(end)
                    .then()
                    .doOnSubscribe(subscription -> controllers.start());
            surroundings.say("embedded server: " + server.url());
            shown.block();
            return ExitCode.OK;
        } catch (OutputClosedException nobodyReads) {
            return ExitCode.OK;
        } finally {
            output.dispose();
        }
    }

    /** Moves the cluster until the server is closed. */
    private static void live(FakeApiServer server) {
        Simulation.withoutControllers(server)
                .nodes(3)
                .with(Workload.scheduler())
                .with(Workload.kubelet()
                        .image("task", Run.succeedAfter(WHILE))
                        .image("broken", Run.failAfter(WHILE))
                        .image("missing", Run.parse("never")))
                .start(PACE);
    }

    /** {@code replicasets default/web-1x5: done in 12 ms}. */
    private static String line(Reconciled<?> result) {
        String outcome = result.result() instanceof Result.Failed failed
                ? "failed, " + failed.cause().getMessage()
                : result.result() instanceof Result.Again again ? "done, again after " + again.delay().toSeconds() + " s" : "done";
        return result.request().controller() + " " + result.request().key() + ": " + outcome + " in " + result.took().toMillis() + " ms";
    }
}
