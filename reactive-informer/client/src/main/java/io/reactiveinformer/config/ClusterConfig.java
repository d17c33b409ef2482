package io.reactiveinformer.config;

import io.reactiveinformer.config.Cluster.OidcIssuers;
import io.reactiveinformer.internal.SparedTimer;
import java.io.File;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * Configuration of one cluster: its address, trust and credentials. Immutable: each method that sets something returns a copy. Nothing is
 * read or checked before {@link #cluster} is subscribed to. A value set by a method takes precedence over that of a file.
 */
public final class ClusterConfig {

    /** Reads the settings; may block. Receives the wanted context of a kubeconfig, null for its current one. */
    private interface Source {

        ConfigValues read(Environment environment, @Nullable String context);
    }

    private final Source source;
    private final @Nullable String context;
    private final List<Consumer<ConfigValues>> changes;

    private ClusterConfig(Source source, @Nullable String context, List<Consumer<ConfigValues>> changes) {
        this.source = source;
        this.context = context;
        this.changes = List.copyOf(changes);
    }

    /**
     * The server at {@code url}, without credentials unless a method sets them; they are then sent over http, too.
     *
     * @param url such as {@code https://host:6443}, with a path if the API lives below one; https if it names no scheme
     */
    public static ClusterConfig of(String url) {
        return withoutContexts(environment -> {
            var settings = new ConfigValues();
            settings.server = new ConfigValue(url, "ClusterConfig.of");
            settings.credentialsInTheClear = true;
            return settings;
        });
    }

    /**
     * Reads {@code files} as kubectl with {@code --kubeconfig}. Several files are merged as those of {@code $KUBECONFIG} are, but each must
     * exist. The credentials of a file are sent over https only, as with kubectl.
     *
     * @throws IllegalArgumentException if there is no file
     */
    public static ClusterConfig kubeconfig(Path... files) {
        if (files.length == 0) {
            throw new IllegalArgumentException("kubeconfig needs a file; for kubectl's default files use ClusterConfig.detect()");
        }
        List<Path> all = List.of(files);
        return new ClusterConfig((environment, context) -> Kubeconfig.read(all, true).settings(context), null, List.of());
    }

    /** The service account of the pod that this process runs in. {@link #cluster} fails with {@link ConfigException} outside of a pod. */
    public static ClusterConfig inCluster() {
        return withoutContexts(InCluster::read);
    }

    private static ClusterConfig withoutContexts(Function<Environment, ConfigValues> source) {
        return new ClusterConfig((environment, context) -> {
            if (context != null) {
                throw new ConfigException("context \"" + context + "\" was requested, but contexts exist in kubeconfig files only");
            }
            return source.apply(environment);
        }, null, List.of());
    }

    /**
     * The configuration that kubectl would use: the files of {@code $KUBECONFIG}, else {@code ~/.kube/config}; if these name no cluster,
     * the service account. {@link #cluster} fails with {@link ConfigException} if there is none of these. It also fails while the system
     * property {@code io.reactiveinformer.detect.forbidden} has a text, which is then the message, unless a {@link #context} is named: a
     * test kit sets it, so that tests do not use the cluster of whoever runs them.
     */
    public static ClusterConfig detect() {
        return new ClusterConfig(ClusterConfig::detect, null, List.of());
    }

    private static ConfigValues detect(Environment environment, @Nullable String context) {
        String forbidden = System.getProperty("io.reactiveinformer.detect.forbidden", "");
        if (context == null && !forbidden.isEmpty()) {
            throw new ConfigException(forbidden);
        }
        String listed = environment.variable("KUBECONFIG");
        List<Path> files = listed == null
                ? List.of(environment.home().resolve(".kube").resolve("config"))
                : Arrays.stream(listed.split(File.pathSeparator)).filter(file -> !file.isEmpty()).map(Path::of).toList();
        Kubeconfig found = Kubeconfig.read(files, false);
        if (!found.isEmpty()) {
            return found.settings(context);
        }
        if (context == null && InCluster.seemsSo(environment)) {
            return InCluster.read(environment);
        }
        throw new ConfigException("no cluster is configured: there is nothing in " + files
                + ", and this is no pod with a service account. Set KUBECONFIG, or name a server");
    }

    /**
     * Uses the context {@code name} of the kubeconfig instead of its current one. {@link #cluster} fails with {@link ConfigException} if
     * there is no such context, or no kubeconfig.
     */
    public ClusterConfig context(String name) {
        return new ClusterConfig(source, name, changes);
    }

    /** Sets the namespace of requests that name none; replaces that of a file. */
    public ClusterConfig namespace(String namespace) {
        return with(settings -> settings.namespace = new ConfigValue(namespace, "ClusterConfig.namespace"));
    }

    /**
     * Sets a bearer token; white space around it is dropped. Replaces all credentials of a file, and is sent over http, too.
     *
     * @throws ConfigException if there is a control character within it
     */
    public ClusterConfig token(String token) {
        return credentials(Credential.Source.of(Credential.bearer(token, "ClusterConfig.token")));
    }

    /** Sets the source of credentials. Replaces all credentials of a file, and is used over http, too. */
    public ClusterConfig credentials(Credential.Source credentials) {
        return with(settings -> {
            settings.credentials = credentials;
            settings.credentialsInTheClear = true;
        });
    }

    /**
     * Sets a PEM file with the authorities that sign the server's certificate; replaces those of a file, and {@link #insecure}. Read again
     * when what was read is a minute old.
     */
    public ClusterConfig ca(Path file) {
        return with(settings -> {
            settings.authority = new ConfigValue(file.toString(), "ClusterConfig.ca").asFile();
            settings.insecure = null;
        });
    }

    /** Disables TLS verification: anyone on the network path can read and change everything. Replaces {@link #ca}. Not for production. */
    public ClusterConfig insecure() {
        return with(settings -> {
            settings.authority = null;
            settings.insecure = new ConfigValue("true", "ClusterConfig.insecure");
        });
    }

    /** Sets the name that the server's certificate must carry, if it is not the host of the address. */
    public ClusterConfig serverName(String name) {
        return with(settings -> settings.serverName = new ConfigValue(name, "ClusterConfig.serverName"));
    }

    /**
     * Sets the proxy; replaces that of a file and of the environment. Unlike the latter, it is used even for servers on this machine.
     *
     * @param address {@code http://}, {@code https://} or {@code socks5://}, with user and password if need be
     */
    public ClusterConfig proxy(URI address) {
        return with(settings -> settings.proxy = new ConfigValue(address.toString(), "ClusterConfig.proxy"));
    }

    /**
     * Acts as another user, if the authenticated user may do that. Replaces all impersonation settings of a file. The server adds nothing
     * to {@code groups} but {@code system:authenticated}.
     */
    public ClusterConfig impersonate(String user, String... groups) {
        List<String> all = List.of(groups);
        return with(settings -> {
            settings.impersonate = new ConfigValue(user, "ClusterConfig.impersonate");
            settings.impersonateUid = null;
            settings.impersonateGroups = all;
            settings.impersonateExtra = Map.of();
        });
    }

    private ClusterConfig with(Consumer<ConfigValues> change) {
        var more = new ArrayList<>(changes);
        more.add(change);
        return new ClusterConfig(source, context, more);
    }

    /**
     * Resolves this configuration. Files are read on a scheduler that may block, never on the caller's thread, and again for each
     * subscription. Fails with {@link ConfigException}.
     *
     * @param issuers request new ID tokens, if a kubeconfig has an {@code oidc} auth-provider
     */
    public Mono<Cluster> cluster(OidcIssuers issuers) {
        return cluster(Environment.ofProcess(), issuers, SparedTimer.of(Schedulers.single()));
    }

    /** As {@link #cluster(OidcIssuers)}, but an ID token is not renewed: requests fail once it has expired. */
    public Mono<Cluster> cluster() {
        return cluster(OidcIssuers.none());
    }

    Mono<Cluster> cluster(Environment environment, OidcIssuers issuers, Scheduler clock) {
        return Mono.fromCallable(() ->
                        new Resolution(settings(environment), () -> settings(environment), environment, issuers, clock).cluster())
                .subscribeOn(Schedulers.boundedElastic());
    }

    private ConfigValues settings(Environment environment) {
        ConfigValues settings = source.read(environment, context);
        changes.forEach(change -> change.accept(settings));
        return settings;
    }
}
