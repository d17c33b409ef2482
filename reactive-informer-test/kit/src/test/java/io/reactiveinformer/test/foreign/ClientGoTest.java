package io.reactiveinformer.test.foreign;

import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.test.FakeApiServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * client-go's own shared informer and client keep up with the server, over TLS and HTTP/2 and in protocol buffers, through restarts.
 * {@code CLIENT_GO} names a Go module whose vendor directory has client-go, and {@code go} must be on the PATH:
 *
 * <pre>CLIENT_GO=…/kubernetes ./mvnw -pl reactive-informer-test/kit test -Dtest=ClientGoTest</pre>
 */
@Timeout(300)
@EnabledIfEnvironmentVariable(named = "CLIENT_GO", matches = ".+", disabledReason = "CLIENT_GO names no Go module with client-go")
class ClientGoTest {

    private static final ResourceType<JsonNode> CONFIG_MAPS = ResourceType.dynamic("", "v1", "configmaps");

    @TempDir
    private Path directory;

    private static String map(String name, int value) {
        return "{apiVersion: v1, kind: ConfigMap, metadata: {name: %s, namespace: shop}, data: {value: '%d'}}".formatted(name, value);
    }

    /** The program, built in a module beside its own go.mod and the vendor directory of {@code CLIENT_GO}. */
    private Path build() throws Exception {
        Path module = Path.of(System.getenv("CLIENT_GO"));
        for (String file : List.of("go.mod", "go.sum")) {
            Files.copy(module.resolve(file), directory.resolve(file));
        }
        Files.createSymbolicLink(directory.resolve("vendor"), module.resolve("vendor").toAbsolutePath());
        Files.createDirectories(directory.resolve("cmd/follow"));
        Files.copy(Path.of("src/test/go/follow/main.go"), directory.resolve("cmd/follow/main.go"));
        Path program = directory.resolve("follow");
        Process go = new ProcessBuilder("go", "build", "-mod=vendor", "-o", program.toString(), "./cmd/follow")
                .directory(directory.toFile()).redirectErrorStream(true).start();
        String output = new String(go.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(go.waitFor()).as(output).isZero();
        return program;
    }

    /** Reads until each of these lines was there, in any order; a list notifies of objects that have not changed, too. */
    private static void await(BufferedReader lines, String... wanted) throws IOException {
        List<String> missing = new ArrayList<>(List.of(wanted));
        List<String> seen = new ArrayList<>();
        while (!missing.isEmpty()) {
            String line = lines.readLine();
            assertThat(line).as("after %s", seen).isNotNull();
            seen.add(line);
            missing.remove(line);
        }
    }

    @Test
    void keepsUpThroughRestartsAndCompactions() throws Exception {
        Path program = build();
        try (FakeApiServer server = FakeApiServer.builder().tls().with(map("a", 1), map("b", 1)).build().start()) {
            Path kubeconfig = Files.writeString(directory.resolve("kubeconfig"), server.kubeconfig());
            Process follow = new ProcessBuilder(program.toString(), kubeconfig.toString(), "shop")
                    .redirectError(ProcessBuilder.Redirect.INHERIT).start();
            try (BufferedReader lines = new BufferedReader(new InputStreamReader(follow.getInputStream(), StandardCharsets.UTF_8))) {
                assertThat(lines.readLine()).isEqualTo("synced a b");
                await(lines, "added own 1", "updated own 2", "deleted own 2");
                server.objects().update(map("a", 2));
                await(lines, "updated a 2");
                server.restart(); // without history: it lists again
                server.objects().update(map("a", 3));
                server.objects().delete(CONFIG_MAPS, ObjectKey.of("shop", "b"));
                await(lines, "updated a 3", "deleted b 1");
                server.restartKeeping(100); // it resumes
                server.objects().update(map("a", 4));
                await(lines, "updated a 4");
                server.objects().create(map("end", 1));
                await(lines, "added end 1");
                assertThat(follow.waitFor(60, TimeUnit.SECONDS)).isTrue();
                assertThat(follow.exitValue()).isZero();
            } finally {
                follow.destroyForcibly();
            }
        }
    }
}
