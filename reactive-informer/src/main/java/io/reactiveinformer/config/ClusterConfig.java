package io.reactiveinformer.config;

import java.net.URI;

/** Which cluster is meant, and who we are there. */
public final class ClusterConfig {
    private final URI server;

    private ClusterConfig(URI server) {
        this.server = server;
    }

    public static ClusterConfig of(String url) {
        return new ClusterConfig(URI.create(url));
    }

    public URI server() {
        return server;
    }
}
