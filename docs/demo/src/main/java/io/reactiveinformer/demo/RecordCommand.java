package io.reactiveinformer.demo;

import io.reactiveinformer.config.ClusterConfig;
import io.reactiveinformer.config.ConfigException;
import io.reactiveinformer.test.Recorder;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import reactor.core.publisher.Mono;

/** {@code ./informer record}: writes down what a program asks an API server and gets. */
@Command(name = "record", mixinStandardHelpOptions = true, sortOptions = false, usageHelpAutoWidth = true,
        description = "Starts a proxy in front of an API server on this machine, and records what a program asks it and gets, until it is "
                + "interrupted. Tests replay the recording, with @FakeCluster(recording = \"DIR\").",
        footer = {"", "Data of Secrets, tokens and passwords are left out. Whoever can reach the port has the rights of the kubeconfig: it "
                + "listens on 127.0.0.1."})
final class RecordCommand implements Callable<Integer> {

    @Option(names = "--out", paramLabel = "DIR", required = true, description = "Write recording.jsonl and a kubeconfig there.")
    Path out = Path.of("");

    @Mixin
    ClusterOptions cluster = new ClusterOptions();

    @Option(names = "--port", paramLabel = "N", defaultValue = "0", description = "Listen here; on any free port unless given.")
    int port;

    @Option(names = "--secrets", description = "Record data of Secrets, tokens and passwords, too.")
    boolean secrets;

    @Option(names = "--duration", paramLabel = "TIME", description = "End after this time: 30s, 1m30s.")
    @Nullable Duration duration;

    private final Surroundings surroundings;

    RecordCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        Mono<Void> end = surroundings.end(duration);
        ClusterConfig config = cluster.config();
        try (Recorder recorder = secrets ? Recorder.startWithSecrets(config, out, port) : Recorder.start(config, out, port)) {
            surroundings.say("recording " + cluster + " as " + recorder.url() + "; let the program use --kubeconfig "
                    + out.resolve("kubeconfig") + " or KUBECONFIG=" + out.resolve("kubeconfig"));
            end.block();
            surroundings.say("recorded in " + out.resolve("recording.jsonl"));
            return ExitCode.OK;
        } catch (ConfigException | IOException mistake) {
            throw new UsageException(String.valueOf(mistake.getMessage()));
        }
    }
}
