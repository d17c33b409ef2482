package io.reactiveinformer.spring;

import io.reactiveinformer.config.ClusterConfig;
import io.reactiveinformer.config.ConfigException;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Schedulers;

/** The cluster that properties name. */
final class ConfiguredCluster {

    private static final String PREFIX = ReactiveInformerProperties.PREFIX;

    /** Files only are read, so that more means a file system that hangs. */
    private static final Duration READING = Duration.ofSeconds(30);

    private ConfiguredCluster() {}

    /**
     * Reads the configuration once, without its credentials, if properties name it: a wrong one fails the start.
     *
     * @throws InformerConfigurationException if properties contradict each other, or name what does not exist
     */
    static ClusterConfig of(ReactiveInformerProperties properties) {
        boolean files = !properties.kubeconfig().isEmpty();
        if (properties.url() != null) {
            if (files || properties.context() != null) {
                throw new InformerConfigurationException(
                        PREFIX + ".url names the server already: set neither kubeconfig nor context beside it",
                        "Remove " + PREFIX + (files ? ".kubeconfig" : ".context") + ", or " + PREFIX + ".url.");
            }
            return readable(server(properties.url(), properties.token()), "url", "an address such as https://host:6443");
        }
        if (properties.token() != null) {
            throw new InformerConfigurationException(
                    PREFIX + ".token needs " + PREFIX + ".url beside it",
                    "Set " + PREFIX + ".url, or remove the token: a kubeconfig has credentials of its own.");
        }
        ClusterConfig cluster = files ? ClusterConfig.kubeconfig(properties.kubeconfig().toArray(Path[]::new)) : ClusterConfig.detect();
        if (properties.context() != null) {
            cluster = cluster.context(properties.context());
        }
        return properties.waitForKubeconfig() || !files && properties.context() == null
                ? cluster
                : readable(cluster, files ? "kubeconfig" : "context", files ? "an existing kubeconfig" : "a context of the kubeconfig");
    }

    private static ClusterConfig server(String url, @Nullable String token) {
        try {
            return token == null ? ClusterConfig.of(url) : ClusterConfig.of(url).token(token);
        } catch (ConfigException malformed) {
            throw new InformerConfigurationException(
                    PREFIX + ".token: " + malformed.getMessage(), "Set " + PREFIX + ".token to the token alone.", malformed);
        }
    }

    private static ClusterConfig readable(ClusterConfig cluster, String property, String expected) {
        if (!Schedulers.isInNonBlockingThread()) {
            try {
                cluster.cluster().block(READING);
            } catch (ConfigException wrong) {
                throw new InformerConfigurationException(
                        PREFIX + "." + property + ": " + wrong.getMessage(),
                        "Set " + PREFIX + "." + property + " to " + expected + "."
                                + (property.equals("url") ? "" : "\nIf it appears later, set " + PREFIX + ".wait-for-kubeconfig: true; the"
                                        + " application then starts,\nand is not ready until the informers are synced."),
                        wrong);
            }
        }
        return cluster;
    }
}
