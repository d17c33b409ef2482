package io.reactiveinformer.demo;

import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.config.ClusterConfig;
import io.reactiveinformer.config.ConfigException;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import reactor.core.publisher.Mono;

/** The options that name the cluster: a real one, or an embedded one if none is named. The same for every command. */
final class ClusterOptions {

    @Option(names = "--kubeconfig", paramLabel = "FILE", description = "Connect to the cluster of this kubeconfig file.")
    @Nullable Path kubeconfig;

    @Option(names = "--context", paramLabel = "NAME", description = "A context of that file, instead of its current one.")
    @Nullable String context;

    @Option(names = "--server", paramLabel = "URL", description = "Connect to this API server.")
    @Nullable String server;

    @Option(names = "--token", paramLabel = "T", description = "A bearer token for that server.")
    @Nullable String token;

    @Option(names = "--ca", paramLabel = "FILE", description = "PEM file with the authorities that sign that server's certificate.")
    @Nullable Path ca;

    @Option(names = "--insecure", description = "Accept any certificate. Anyone on the network path can read and change everything.")
    boolean insecure;

    /**
     * Connects to the cluster of the options, or to {@code embedded} if they name none. Reads the files and fetches the credential now: a
     * mistake there is reported at once, and not retried like a server that cannot be reached. Null if {@code end} completes first.
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

    /** The cluster of the options, which must name one. */
    ClusterConfig config() {
        refuseIf(server == null && kubeconfig == null, "name the cluster: --kubeconfig FILE or --server URL");
        refuseIf(server != null && kubeconfig != null, "write either --server URL or --kubeconfig FILE");
        refuseIf(ca != null && insecure, "write either --ca FILE or --insecure");
        if (kubeconfig != null) {
            refuseIf(token != null || ca != null || insecure, "--token, --ca and --insecure go with --server URL, not with --kubeconfig");
            ClusterConfig config = ClusterConfig.kubeconfig(kubeconfig);
            return context == null ? config : config.context(context);
        }
        refuseIf(context != null, "--context NAME goes with --kubeconfig FILE, not with --server");
        refuseIf(namesSomebody(String.valueOf(server)), "write --server URL without a name and a password; use --token T");
        return serverConfig(String.valueOf(server));
    }

    /** Whether the address contains user information, which would be shown with it. */
    private static boolean namesSomebody(String url) {
        return url.replaceFirst("^[^/]*://", "").replaceFirst("[/?#].*", "").contains("@");
    }

    private ClusterConfig serverConfig(String url) {
        ClusterConfig config = ClusterConfig.of(url);
        config = token == null ? config : config.token(token);
        config = ca == null ? config : config.ca(ca);
        return insecure ? config.insecure() : config;
    }

    /** Replaces the methods in the library's messages by the options. */
    private static String inOptions(String message) {
        return message.replace("ClusterConfig.of", "--server").replace("ClusterConfig.ca", "--ca")
                .replace("ClusterConfig.token", "--token");
    }

    /** The cluster in words, without secrets. */
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
