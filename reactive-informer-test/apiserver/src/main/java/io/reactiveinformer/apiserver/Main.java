package io.reactiveinformer.apiserver;

import java.io.IOException;
import java.net.BindException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import reactor.core.Exceptions;

/** {@code java -jar reactive-informer-apiserver-…-standalone.jar --port 8080 objects.yaml}. */
@Command(
        name = "apiserver",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "A Kubernetes API server in memory, on the loopback address, until it is interrupted. Nothing is stored.")
final class Main implements Callable<Integer> {

    @Option(names = "--port", paramLabel = "PORT", description = "The port to listen on; 0 for one that is free, which is the default.")
    private int port;

    @Option(names = "--tls", description = "Listen with TLS, with a certificate of an authority of its own.")
    private boolean tls;

    @Option(names = "--kubeconfig", paramLabel = "FILE", description = "Write a kubeconfig for an administrator to this file.")
    private @Nullable Path kubeconfig;

    @Parameters(paramLabel = "FILE", arity = "0..*", description = "Files of YAML or JSON with the objects that the cluster begins with.")
    private List<Path> files = new ArrayList<>();

    @CommandLine.Spec
    private CommandLine.Model.@Nullable CommandSpec spec;

    public static void main(String[] arguments) {
        System.exit(new CommandLine(new Main()).execute(arguments));
    }

    @Override
    public Integer call() throws InterruptedException {
        try (ApiServer server = start()) {
            write(server);
            out("listening on " + server.url() + (kubeconfig == null ? "" : "; kubectl --kubeconfig " + kubeconfig + " get namespaces"));
            Thread.currentThread().join(); // until the process is interrupted
            return ExitCode.OK;
        }
    }

    private void write(ApiServer server) {
        try {
            if (kubeconfig != null) {
                Files.writeString(kubeconfig, server.kubeconfig());
            }
        } catch (IOException unwritable) {
            throw wrong("cannot write the kubeconfig " + kubeconfig + ": " + unwritable);
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

    private ApiServer start() {
        ApiServer.Builder builder = ApiServer.builder();
        if (tls) {
            builder.tls();
        }
        for (Path file : files) {
            builder.with(read(file));
        }
        try {
            return builder.build().start(port);
        } catch (RuntimeException failure) {
            Throwable cause = Exceptions.unwrap(failure);
            boolean taken = cause instanceof BindException || cause.getCause() instanceof BindException;
            throw wrong(taken ? "port " + port + " is in use; choose another with --port" : String.valueOf(cause.getMessage()));
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
        return java.util.Objects.requireNonNull(spec).commandLine();
    }
}
