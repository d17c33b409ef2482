package io.reactiveinformer.config;

import java.io.File;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * Which cluster is meant, and who we are there. A recipe: nothing is read before {@link #cluster} is subscribed to, and a method that sets
 * something gives a copy. What is set by a method counts more than what a file says.
 */
public final class ClusterConfig {

    private final Source source;
    private final @Nullable String context;
    private final List<Consumer<Settings>> changes;

    private ClusterConfig(Source source, @Nullable String context, List<Consumer<Settings>> changes) {
        this.source = source;
        this.context = context;
        this.changes = List.copyOf(changes);
    }

    /** @param url such as {@code https://host:6443}, with a path if the API lives below one; https unless it says otherwise */
    public static ClusterConfig of(String url) {
        return new ClusterConfig(Source.address(url), null, List.of());
    }

    /** As kubectl with {@code --kubeconfig}; several files are merged as those of {@code $KUBECONFIG} are, but each must exist. */
    public static ClusterConfig kubeconfig(Path... files) {
        if (files.length == 0) {
            throw new IllegalArgumentException("kubeconfig needs a file; for the usual ones say ClusterConfig.detect()");
        }
        List<Path> all = List.of(files);
        return new ClusterConfig((environment, context) -> Kubeconfig.read(all, true).settings(context), null, List.of());
    }

    /** The service account of the pod that we run in. */
    public static ClusterConfig inCluster() {
        return new ClusterConfig(new InCluster(), null, List.of());
    }

    /** What kubectl would take: the files of {@code $KUBECONFIG}, else {@code ~/.kube/config}; where these say nothing, the service account. */
    public static ClusterConfig detect() {
        return new ClusterConfig(ClusterConfig::detect, null, List.of());
    }

    private static Settings detect(Environment environment, @Nullable String context) {
        String listed = environment.variable("KUBECONFIG");
        List<Path> files = listed == null
                ? List.of(environment.home().resolve(".kube").resolve("config"))
                : Arrays.stream(listed.split(File.pathSeparator)).filter(file -> !file.isEmpty()).map(Path::of).toList();
        Kubeconfig found = Kubeconfig.read(files, false);
        if (!found.isEmpty()) {
            return found.settings(context);
        }
        if (context == null && InCluster.seemsSo(environment)) {
            return new InCluster().read(environment, null);
        }
        throw new ConfigException("no cluster is configured: there is nothing in " + files
                + ", and this is no pod with a service account. Set KUBECONFIG, or name a server");
    }

    /** Another context of the kubeconfig than its current one. */
    public ClusterConfig context(String name) {
        return new ClusterConfig(source, name, changes);
    }

    public ClusterConfig namespace(String namespace) {
        return with(settings -> settings.namespace = new Setting(namespace, "ClusterConfig.namespace"));
    }

    /**
     * A bearer token, without the white space around it; replaces what a file says about who we are.
     *
     * @throws ConfigException if there is a control character within it
     */
    public ClusterConfig token(String token) {
        return credentials(CredentialSource.of(Credential.bearer(token, "ClusterConfig.token")));
    }

    /** Replaces what a file says about who we are. */
    public ClusterConfig credentials(CredentialSource credentials) {
        return with(settings -> {
            settings.credentials = credentials;
            settings.credentialsInTheClear = true;
        });
    }

    /** A PEM file with the authorities that sign the server's certificate. */
    public ClusterConfig ca(Path file) {
        return with(settings -> {
            settings.authority = new Setting(file.toString(), "ClusterConfig.ca");
            settings.authorityData = null;
            settings.insecure = null;
        });
    }

    /** Believes any server: whoever is on the way can read and change everything. Not for production. */
    public ClusterConfig insecure() {
        return with(settings -> {
            settings.authority = null;
            settings.authorityData = null;
            settings.insecure = new Setting("true", "ClusterConfig.insecure");
        });
    }

    /** The name that the server's certificate must carry, where it is not the host of the address. */
    public ClusterConfig serverName(String name) {
        return with(settings -> settings.serverName = new Setting(name, "ClusterConfig.serverName"));
    }

    /** @param address {@code http://}, {@code https://} or {@code socks5://}, with user and password if need be */
    public ClusterConfig proxy(URI address) {
        return with(settings -> settings.proxy = new Setting(address.toString(), "ClusterConfig.proxy"));
    }

    /** Acts as another user, if who we are may do that; replaces what a file says about it. The server adds no groups of its own. */
    public ClusterConfig impersonate(String user, String... groups) {
        List<String> all = List.of(groups);
        return with(settings -> {
            settings.impersonate = new Setting(user, "ClusterConfig.impersonate");
            settings.impersonateUid = null;
            settings.impersonateGroups = all;
            settings.impersonateExtra = Map.of();
        });
    }

    private ClusterConfig with(Consumer<Settings> change) {
        var more = new ArrayList<>(changes);
        more.add(change);
        return new ClusterConfig(source, context, more);
    }

    /**
     * Reads the files. They are read on a scheduler that may block, never on the caller's thread, and anew for each subscription; fails with
     * {@link ConfigException}.
     *
     * @param issuers ask for new ID tokens, where a kubeconfig has an {@code oidc} auth-provider
     */
    public Mono<Cluster> cluster(OidcIssuers issuers) {
        return cluster(Environment.ofProcess(), issuers, Schedulers.single());
    }

    /** As {@link #cluster(OidcIssuers)}; an ID token serves until it expires. */
    public Mono<Cluster> cluster() {
        return cluster(OidcIssuers.none());
    }

    Mono<Cluster> cluster(Environment environment, Scheduler clock) {
        return cluster(environment, OidcIssuers.none(), clock);
    }

    Mono<Cluster> cluster(Environment environment, OidcIssuers issuers, Scheduler clock) {
        return Mono.fromCallable(() -> {
                    Settings settings = source.read(environment, context);
                    changes.forEach(change -> change.accept(settings));
                    return Resolution.of(settings, environment, issuers, clock);
                })
                .subscribeOn(Schedulers.boundedElastic());
    }
}
