package io.reactiveinformer.demo;

import io.reactiveinformer.client.ClientOptions;
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
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** {@code ./informer controllers}: Deployments, ReplicaSets and Jobs with running controllers, to try out with kubectl. */
@Command(name = "controllers", mixinStandardHelpOptions = true, sortOptions = false, usageHelpAutoWidth = true,
        description = "Starts an embedded server with nodes, and runs controllers for Deployments, ReplicaSets and Jobs against it: "
                + "kubectl --server finds it at the address that is printed. Shows what the controllers write, a line for each reconcile "
                + "that changes something or fails.",
        footer = {"", "Containers run forever, but those of an image with \"task\" in its name succeed after 2 s, with \"broken\" they "
                + "fail after 2 s, and \"missing\" cannot be pulled."})
final class ControllersCommand implements Callable<Integer> {

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss.SSS");
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
        var writes = new Writes();
        try (FakeApiServer server = FakeApiServer.create().start(port);
                KubernetesClient client = KubernetesClient.create(
                        ClusterConfig.of(server.url()), ClientOptions.defaults().withObserver(writes));
                WorkloadControllers controllers = WorkloadControllers.over(client)) {
            live(server);
            Mono<Void> shown = controllers.results()
                    .publishOn(output)
                    .mapNotNull(result -> line(result, writes.of(result.request())))
                    .doOnNext(line -> surroundings.out().print(Lines.onOneLine(line)))
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

    /** {@code 15:04:05.123  replicasets default/web-1x5: created 3 pods, in 12 ms}; null if nothing was written, and nothing failed. */
    private static @Nullable String line(Reconciled<?> result, String written) {
        String failure = result.result() instanceof Result.Failed failed ? "failed, " + failed.cause().getMessage() : "";
        String outcome = Stream.of(written, failure).filter(part -> !part.isEmpty()).collect(Collectors.joining("; "));
        return outcome.isEmpty() ? null : LocalTime.now(ZoneId.systemDefault()).format(TIME) + "  " + result.request().controller() + " "
                + result.request().key() + ": " + outcome + ", in " + result.took().toMillis() + " ms";
    }
}
