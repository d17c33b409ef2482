package io.reactiveinformer.demo;

import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.config.ClusterConfig;
import io.reactiveinformer.config.ConfigException;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import reactor.core.publisher.Mono;

/** Which cluster: a real one, or an embedded one where none is named. The same options for every command. */
final class ClusterOptions {

    @Option(names = "--kubeconfig", paramLabel = "FILE", description = "Connect to the cluster of this kubeconfig file.")
    @Nullable Path kubeconfig;

    @Option(names = "--context", paramLabel = "NAME", description = "Another context of that file than its current one.")
    @Nullable String context;

    @Option(names = "--server", paramLabel = "URL", description = "Connect to this API server.")
    @Nullable String server;

    @Option(names = "--token", paramLabel = "T", description = "A bearer token for that server.")
    @Nullable String token;

    @Option(names = "--ca", paramLabel = "FILE", description = "PEM file with the authorities that sign that server's certificate.")
    @Nullable Path ca;

    @Option(names = "--insecure", description = "Believe any certificate. Whoever is on the way can read and change everything.")
    boolean insecure;

    /**
     * A client for what the options mean, which is {@code embedded} where they name no cluster. Files are read now, and the credential is
     * fetched: a mistake there is reported at once, not retried as if the server were away. Null if {@code end} comes first.
     */
    @Nullable Connection connect(Supplier<Connection> embedded, Mono<Void> end) {
        if (server == null && kubeconfig == null) {
            refuseIf(context != null, "--context NAME goes with --kubeconfig FILE");
            refuseIf(token != null || ca != null || insecure, "--token, --ca and --insecure go with --server URL");
            return embedded.get();
        }
        Connection connection = null;
        boolean checked = false;
        try {
            connection = Connection.to(KubernetesClient.create(config()));
            Mono<Boolean> check = connection.client().checkConfiguration().thenReturn(true);
            checked = Boolean.TRUE.equals(Mono.firstWithSignal(check, end.thenReturn(false)).block());
            return checked ? connection : null;
        } catch (ConfigException mistake) {
            throw new UsageException(inOptions(String.valueOf(mistake.getMessage())));
        } finally {
            if (connection != null && !checked) {
                connection.close();
            }
        }
    }

    private ClusterConfig config() {
        refuseIf(server != null && kubeconfig != null, "write either --server URL or --kubeconfig FILE");
        refuseIf(ca != null && insecure, "write either --ca FILE or --insecure");
        if (kubeconfig != null) {
            refuseIf(token != null || ca != null || insecure, "--token, --ca and --insecure go with --server URL, not with --kubeconfig");
            ClusterConfig config = ClusterConfig.kubeconfig(kubeconfig);
            return context == null ? config : config.context(context);
        }
        refuseIf(context != null, "--context NAME goes with --kubeconfig FILE, not with --server");
        refuseIf(namesSomebody(String.valueOf(server)), "write --server URL without a name and a password; --token T says who you are");
        return serverConfig(String.valueOf(server));
    }

    /** The address is shown. */
    private static boolean namesSomebody(String url) {
        return url.replaceFirst("^[^/]*://", "").replaceFirst("[/?#].*", "").contains("@");
    }

    private ClusterConfig serverConfig(String url) {
        ClusterConfig config = ClusterConfig.of(url);
        config = token == null ? config : config.token(token);
        config = ca == null ? config : config.ca(ca);
        return insecure ? config.insecure() : config;
    }

    /** The library speaks of the methods that were called. */
    private static String inOptions(String message) {
        return message.replace("ClusterConfig.of", "--server").replace("ClusterConfig.ca", "--ca")
                .replace("ClusterConfig.token", "--token");
    }

    /** In words, without secrets. */
    @Override
    public String toString() {
        return server != null ? "server " + server : "cluster of " + kubeconfig + (context == null ? "" : ", context " + context);
    }

    private static void refuseIf(boolean wrong, String instead) {
        if (wrong) {
            throw new UsageException(instead);
        }
    }
}
