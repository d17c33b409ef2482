package io.reactiveinformer.test;

import io.reactiveinformer.apiserver.internal.cluster.Journal;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.test.simulation.Simulation;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import reactor.core.Exceptions;
import reactor.netty.ChannelBindException;
import tools.jackson.databind.JsonNode;

/** {@code java -jar reactive-informer-test-…-standalone.jar --port 8080 objects.yaml}. */
@Command(
        name = "apiserver",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "A Kubernetes API server in memory, on the loopback address, until it is interrupted. It begins with the roles and other"
                + " objects of a new cluster; who sends no certificate and impersonates nobody may do everything.")
final class Main implements Callable<Integer> {

    private static final String DEFINITION = "CustomResourceDefinition";
    private static final Duration PACE = Duration.ofMillis(250);
    private static final ResourceType<JsonNode> NODES = ResourceType.dynamic("", "v1", "nodes");

    @Option(names = "--port", paramLabel = "PORT", description = "The port to listen on; 0 for one that is free, which is the default.")
    private int port;

    @Option(names = "--tls", description = "Listen with TLS, with a certificate of an authority of its own, which is new at each start.")
    private boolean tls;

    @Option(names = "--kubeconfig", paramLabel = "FILE", description = "Write a kubeconfig for an administrator to this file.")
    private @Nullable Path kubeconfig;

    @Option(names = "--load", paramLabel = "PATH",
            description = "A file like FILE, or a directory: all of its .yaml, .yml and .json files, in those below it too.")
    private List<Path> loaded = new ArrayList<>();

    @Option(names = "--persist", paramLabel = "DIR",
            description = "Keep the cluster in this directory, and continue with what is there; then nothing is loaded. What was answered"
                    + " survives the end of the process, however it ends.")
    private @Nullable Path persisted;

    @Option(names = "--simulate",
            description = "Play the controllers of deployments and ReplicaSets, the scheduler and kubelets; with a node if there is none.")
    private boolean simulate;

    @Parameters(paramLabel = "FILE", arity = "0..*", description = "Files of YAML or JSON with the objects that the cluster begins with.")
    private List<Path> files = new ArrayList<>();

    @CommandLine.Spec
    private CommandLine.Model.@Nullable CommandSpec spec;

    public static void main(String[] arguments) {
        System.setProperty("slf4j.internal.verbosity", "ERROR"); // there is nothing to log with
        CommandLine commandLine = new CommandLine(new Main());
        System.exit(commandLine.setParameterExceptionHandler((wrong, all) -> {
            PrintWriter err = commandLine.getErr();
            err.println(wrong.getMessage());
            if (!CommandLine.UnmatchedArgumentException.printSuggestions(wrong, err)) {
                err.println("See --help.");
            }
            err.flush();
            return ExitCode.USAGE;
        }).execute(arguments));
    }

    @Override
    public Integer call() throws InterruptedException, IOException {
        if (port < 0 || port > 65535) {
            throw wrong("port " + port + " is none: it must be between 0 and 65535");
        }
        FakeApiServer.Builder builder = FakeApiServer.builder().seed(new SecureRandom().nextLong());
        if (tls) {
            builder.tls();
        }
        try (InputStream packed = Main.class.getResourceAsStream("bootstrap.json.gz")) {
            builder.with(new String(new GZIPInputStream(packed).readAllBytes(), StandardCharsets.UTF_8));
        }
        try (FakeApiServer server = builder.build()) {
            begin(server);
            start(server);
            write(server);
            out("listening on " + server.url() + (kubeconfig == null ? "" : "; kubectl --kubeconfig " + kubeconfig + " get namespaces"));
            Thread.currentThread().join(); // until the process is interrupted
            return ExitCode.OK;
        }
    }

    private void begin(FakeApiServer server) {
        if (persisted == null) {
            load(server);
            return;
        }
        try {
            boolean[] begun = {false};
            Journal.keep(server.cluster(), persisted, () -> {
                load(server);
                begun[0] = true;
            });
            if (!begun[0]) {
                out("continuing with " + server.backup() + " of " + persisted);
            }
        } catch (IOException unusable) {
            throw wrong("cannot keep the cluster in " + persisted + ": " + unusable);
        } catch (IllegalArgumentException damaged) {
            throw wrong(String.valueOf(damaged.getMessage()));
        }
    }

    /** Files with definitions come first. */
    private void load(FakeApiServer server) {
        Map<Path, String> texts = new LinkedHashMap<>();
        Stream.concat(loaded.stream(), files.stream()).flatMap(path -> files(path).stream()).forEach(file -> texts.put(file, read(file)));
        texts.entrySet().stream().sorted(Comparator.comparing(file -> !file.getValue().contains(DEFINITION))).forEach(file -> {
            try {
                server.objects().load(file.getValue());
            } catch (MarkedYamlEngineException malformed) {
                String line = malformed.getProblemMark().map(mark -> ", line " + (mark.getLine() + 1)).orElse("");
                throw wrong(file.getKey() + line + ": " + malformed.getProblem());
            } catch (RuntimeException refused) {
                throw wrong(file.getKey() + ": " + refused.getMessage());
            }
        });
    }

    private List<Path> files(Path path) {
        if (!Files.isDirectory(path)) {
            return List.of(path);
        }
        try (Stream<Path> below = Files.walk(path)) {
            List<Path> found = below.filter(file -> file.toString().matches(".*\\.(yaml|yml|json)")).sorted().toList();
            if (found.isEmpty()) {
                throw wrong("there is no .yaml, .yml or .json file in " + path);
            }
            return found;
        } catch (IOException unreadable) {
            throw wrong("cannot read " + path + ": " + unreadable);
        }
    }

    private String read(Path file) {
        try {
            return Files.readString(file);
        } catch (NoSuchFileException missing) {
            throw wrong("there is no file " + file);
        } catch (IOException unreadable) {
            throw wrong("cannot read " + file + ": " + unreadable);
        }
    }

    private void start(FakeApiServer server) {
        try {
            server.start(port);
        } catch (RuntimeException failure) {
            Throwable cause = Exceptions.unwrap(failure);
            boolean taken = cause instanceof ChannelBindException;
            throw wrong(taken ? "port " + port + " is in use; choose another with --port" : String.valueOf(cause.getMessage()));
        }
        if (simulate) {
            Simulation simulation = Simulation.of(server);
            if (server.objects().list(NODES).isEmpty()) {
                simulation.nodes(1);
            }
            simulation.start(PACE);
        }
    }

    private void write(FakeApiServer server) {
        try {
            if (kubeconfig != null) {
                Files.writeString(kubeconfig, server.kubeconfig());
            }
        } catch (IOException unwritable) {
            throw wrong("cannot write the kubeconfig " + kubeconfig + ": " + unwritable);
        }
    }

    private void out(String line) {
        commandLine().getOut().println(line);
        commandLine().getOut().flush();
    }

    private CommandLine.ParameterException wrong(String message) {
        return new CommandLine.ParameterException(commandLine(), message);
    }

    private CommandLine commandLine() {
        return Objects.requireNonNull(spec).commandLine();
    }
}
