package io.reactiveinformer.transport;

import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.config.ClusterConfig;
import io.reactiveinformer.recordings.Recording;
import io.reactiveinformer.recordings.ReplayServer;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class HeaderBytesTest {

    /** As Go sends it: with a question mark in place of each letter, users of one alphabet would be one. */
    @Test
    void namesOfAllAlphabetsAreSentInUtf8() {
        try (var server = ReplayServer.of(Recording.of("15-not-found").exchange(1));
                var client = KubernetesClient.create(ClusterConfig.of(server.uri().toString()).impersonate("jané-用户", "Köln"))) {
            client.resources(ResourceType.dynamic("", "v1", "configmaps")).get(ObjectKey.of("a", "b"))
                    .onErrorComplete().block(Duration.ofSeconds(20));
            byte[] sent = server.received().get(0).getBytes(StandardCharsets.ISO_8859_1);
            assertThat(new String(sent, StandardCharsets.UTF_8)).contains("Impersonate-User: jané-用户\r\n", "Impersonate-Group: Köln\r\n");
        }
    }
}
