package io.reactiveinformer.test;

import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.config.ClusterConfig;
import io.reactiveinformer.config.ConfigException;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.test.internal.NamedClustersOnly;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** With the kit on the class path, no test uses the cluster of the person or of the build that runs it. */
class NamedClustersTest {

    private static final String FORBIDDEN = "io.reactiveinformer.detect.forbidden";
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final ResourceType<JsonNode> PODS = ResourceType.dynamic("", "v1", "pods");

    @Test
    void aClientOfADetectedClusterFailsAndSaysHowToNameOne() {
        KubernetesClient client = KubernetesClient.create(ClusterConfig.detect());
        assertThatThrownBy(() -> client.resources(PODS).delete(ObjectKey.of("default", "mine")).block(LIMIT))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith("this test names no cluster")
                .hasMessageContainingAll("ClusterConfig.of(server.url())", "detect().context(", FORBIDDEN);
        client.close();
    }

    @Test
    void aContextOrAFileNamesTheCluster(@TempDir Path directory) throws IOException {
        assertThatThrownBy(() -> ClusterConfig.detect().context("none-of-this-name").cluster().block(LIMIT))
                .hasMessageNotContaining("this test names no cluster");
        try (FakeApiServer server = FakeApiServer.create().start()) {
            Path file = Files.writeString(directory.resolve("config"), server.kubeconfig());
            assertThat(ClusterConfig.kubeconfig(file).cluster().block(LIMIT).server()).hasToString(server.url());
            assertThat(ClusterConfig.of(server.url()).cluster().block(LIMIT).server()).hasToString(server.url());
        }
    }

    @Test
    void anEmptyTextAllowsWhatKubectlWouldUse() {
        String forbidden = System.setProperty(FORBIDDEN, "");
        try {
            new NamedClustersOnly().launcherSessionOpened(null);
            assertThat(System.getProperty(FORBIDDEN)).as("stays as the build has set it").isEmpty();
            String found = ClusterConfig.detect().cluster().map(cluster -> "a cluster")
                    .onErrorResume(ConfigException.class, failure -> Mono.just(failure.getMessage())).block(LIMIT);
            assertThat(found).doesNotContain("this test names no cluster");
        } finally {
            System.setProperty(FORBIDDEN, forbidden);
        }
    }
}
