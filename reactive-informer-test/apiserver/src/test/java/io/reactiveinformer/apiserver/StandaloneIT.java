package io.reactiveinformer.apiserver;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.config.ClusterConfig;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** The jar that {@code java -jar} runs, in a process of its own. */
@Timeout(60)
class StandaloneIT {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @TempDir
    private Path directory;

    private static Process run(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-jar",
                Objects.requireNonNull(System.getProperty("standalone.jar"), "standalone.jar is set by the build")));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command).start();
    }

    @Test
    void servesTheObjectsOfAFileOverTls() throws IOException {
        Path objects = Files.writeString(directory.resolve("objects.yaml"), """
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: settings, namespace: shop}
                data: {color: green}
                """);
        Path kubeconfig = directory.resolve("kubeconfig");
        Process server = run("--tls", "--kubeconfig", kubeconfig.toString(), objects.toString());
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(server.getInputStream(), StandardCharsets.UTF_8))) {
            assertThat(lines.readLine()).startsWith("listening on https://127.0.0.1:");
            try (KubernetesClient client = KubernetesClient.create(ClusterConfig.kubeconfig(kubeconfig))) {
                V1ConfigMap found = client.resources(ResourceType.of(V1ConfigMap.class)).get(ObjectKey.of("shop", "settings"))
                        .block(PATIENCE);
                assertThat(found.getData()).containsEntry("color", "green");
            }
        } finally {
            server.destroy();
        }
    }

    @Test
    void namesTheFileThatIsMissing() throws Exception {
        Process server = run(directory.resolve("none.yaml").toString());
        String said = new String(server.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(server.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(server.exitValue()).isEqualTo(2);
        assertThat(said).startsWith("there is no file " + directory.resolve("none.yaml")).doesNotContain("\tat ");
    }
}
