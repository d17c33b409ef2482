package io.reactiveinformer.test;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** kubectl in a process of its own, against one server. Where there is none, a test is skipped and says so; on CI it fails. */
public final class Kubectl {

    private final String url;
    private final Path home;
    private Path kubeconfig;
    private String editor = "false";

    public Kubectl(FakeApiServer server, Path home) {
        this(server.url(), home.resolve("none"), home);
    }

    /** Against the server of this kubeconfig. */
    public Kubectl(Path kubeconfig, Path home) {
        this("", kubeconfig, home);
    }

    private Kubectl(String url, Path kubeconfig, Path home) {
        this.url = url;
        this.home = home;
        this.kubeconfig = kubeconfig;
        boolean there = available();
        if ("true".equals(System.getenv("CI"))) {
            assertThat(there).as("kubectl must be on the PATH of CI").isTrue();
        }
        if (!there) {
            System.err.println("SKIPPED: no kubectl on the PATH, so what it does against FakeApiServer is not tested");
        }
        assumeTrue(there, "kubectl is not on the PATH");
    }

    private static boolean available() {
        for (String directory : System.getenv().getOrDefault("PATH", "").split(":", -1)) {
            if (Files.isExecutable(Path.of(directory, "kubectl"))) {
                return true;
            }
        }
        return false;
    }

    /** What {@code kubectl edit} starts: a command that changes the file that it is given. */
    public Kubectl editor(String command) {
        editor = command;
        return this;
    }

    /** From here on by this file, and not by the server's address. */
    public Kubectl with(Path file) {
        kubeconfig = file;
        return this;
    }

    public record Result(int exit, String output) {}

    /** Runs it to its end and returns what it printed; fails if it failed. */
    public String run(String... arguments) {
        Result result = tryRun(arguments);
        assertThat(result.exit()).as("kubectl %s: %s", String.join(" ", arguments), result.output()).isZero();
        return result.output();
    }

    public Result tryRun(String... arguments) {
        try {
            Path output = Files.createTempFile(home, "kubectl", ".out");
            Process process = start(output, arguments);
            if (!process.waitFor(4, TimeUnit.MINUTES)) {
                process.destroyForcibly();
                throw new AssertionError("kubectl " + String.join(" ", arguments) + " did not end: " + Files.readString(output));
            }
            return new Result(process.exitValue(), Files.readString(output, StandardCharsets.UTF_8));
        } catch (IOException | InterruptedException failure) {
            throw new AssertionError("kubectl could not be run", failure);
        }
    }

    /** Runs it on, with what it prints in {@code output}. */
    public Process start(Path output, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("kubectl", "--cache-dir", home.resolve("cache").toString()));
        if (!Files.exists(kubeconfig)) {
            command.addAll(List.of("--server", url));
        }
        command.addAll(List.of(arguments));
        var builder = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().put("KUBECONFIG", kubeconfig.toString());
        builder.environment().put("KUBE_EDITOR", editor);
        return builder.start();
    }

    /** A file with {@code yaml}, for {@code -f}. */
    public String file(String yaml) {
        try {
            return Files.writeString(Files.createTempFile(home, "objects", ".yaml"), yaml).toString();
        } catch (IOException failure) {
            throw new AssertionError("cannot write a file for kubectl", failure);
        }
    }
}
