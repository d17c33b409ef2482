package io.reactiveinformer.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** kubectl in a process of its own. Where there is none, a test is skipped and says so; on CI it fails. */
final class Kubectl {

    private final String server;
    private final Path home;

    Kubectl(String server, Path home) {
        this.server = server;
        this.home = home;
        if ("true".equals(System.getenv("CI"))) {
            assertThat(isThere()).as("kubectl must be on the PATH of CI").isTrue();
        }
        assumeTrue(isThere(), "kubectl is not on the PATH, so what it does with the controllers is not tested");
    }

    private static boolean isThere() {
        for (String directory : System.getenv().getOrDefault("PATH", "").split(":", -1)) {
            if (Files.isExecutable(Path.of(directory, "kubectl"))) {
                return true;
            }
        }
        return false;
    }

    /** Runs it to its end and returns what it printed; fails if it failed. The test's time limit ends a wait in vain. */
    String run(String... arguments) throws IOException, InterruptedException {
        Path output = Files.createTempFile(home, "kubectl", ".out");
        List<String> command = new ArrayList<>(List.of("kubectl", "--cache-dir", home.resolve("cache").toString(), "--server", server));
        command.addAll(List.of(arguments));
        var builder = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().put("KUBECONFIG", home.resolve("none").toString());
        int exit = builder.start().waitFor();
        String printed = Files.readString(output);
        assertThat(exit).as("kubectl %s: %s", String.join(" ", arguments), printed).isZero();
        return printed;
    }
}
