package io.reactiveinformer.demo;

import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.config.ClusterConfig;
import io.reactiveinformer.test.FakeApiServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class RecordCommandTest {

    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final Console console = new Console();

    @TempDir
    Path home;

    @Test
    void recordsUntilItIsInterrupted() throws Exception {
        try (FakeApiServer server = FakeApiServer.create().start()) {
            Path out = home.resolve("session");
            Path kubeconfig = Files.writeString(home.resolve("config"), server.kubeconfig());
            CompletableFuture<Integer> run = console.start("record", "--kubeconfig", kubeconfig.toString(), "--out", out.toString());
            assertThat(console.awaitErr("recording ")).contains("--kubeconfig " + out.resolve("kubeconfig"));
            KubernetesClient client = KubernetesClient.create(ClusterConfig.kubeconfig(out.resolve("kubeconfig")));
            assertThat(client.raw().text("/api/v1/nodes").block(LIMIT)).contains("NodeList");
            client.dispose().block(LIMIT);
            console.requestEnd();
            assertThat(run.get()).isZero();
            assertThat(console.err()).last().asString().isEqualTo("recorded in " + out.resolve("recording.jsonl"));
            assertThat(Files.readAllLines(out.resolve("recording.jsonl"))).hasSize(2);
            assertThat(console.run("record", "--kubeconfig", kubeconfig.toString(), "--out", out.toString())).isEqualTo(2);
            assertThat(console.err()).last().asString().contains("there is a recording already");
        }
    }

    @Test
    void mustKnowTheCluster() {
        assertThat(console.run("record", "--out", home.toString())).isEqualTo(2);
        assertThat(console.err()).containsExactly("error: name the cluster: --kubeconfig FILE or --server URL");
    }
}
