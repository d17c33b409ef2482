package io.reactiveinformer.client;

import io.reactiveinformer.config.ClusterConfig;
import java.time.Duration;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** The name of the server that a saved snapshot belongs to. */
class ServerNameTest {

    private static String name(ClusterConfig config) {
        return config.cluster().flatMap(ServerName::of).block(Duration.ofSeconds(20));
    }

    @Test
    void saysAddressAndAuthorities() {
        assertThat(name(ClusterConfig.of("https://here:6443/clusters/c-1")))
                .isEqualTo("https://here:6443/clusters/c-1 believed by the system's authorities");
        assertThat(name(ClusterConfig.of("https://here").insecure())).isEqualTo("https://here:443 believed unseen");
    }
}
