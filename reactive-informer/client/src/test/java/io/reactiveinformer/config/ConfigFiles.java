package io.reactiveinformer.config;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import reactor.test.scheduler.VirtualTimeScheduler;

/** What configuration is read from: files in a directory of the test, and an environment that is empty but for what the test puts there. */
abstract class ConfigFiles {

    static final Duration LIMIT = Duration.ofSeconds(10);

    @TempDir
    Path directory;

    final VirtualTimeScheduler clock = VirtualTimeScheduler.create();
    final Map<String, String> variables = new HashMap<>();
    private Environment environment;

    @BeforeEach
    void anEmptyEnvironment() {
        environment = new Environment(variables, directory.resolve("home"), directory.resolve("serviceaccount"));
    }

    Path file(String name, String text) throws IOException {
        Path file = directory.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }

    Cluster read(ClusterConfig config) {
        return config.cluster(environment, Cluster.OidcIssuers.none(), clock).block(LIMIT);
    }

    static String authorization(Cluster cluster) {
        return cluster.credentials().current().block(LIMIT).authorization();
    }

    static String kubeconfig(String cluster, String user) {
        return """
                apiVersion: v1
                kind: Config
                current-context: here
                clusters:
                - name: c
                  cluster: {%s}
                users:
                - name: u
                  user: {%s}
                contexts:
                - name: here
                  context: {cluster: c, user: u, namespace: prod}
                """.formatted(cluster, user);
    }

    static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
