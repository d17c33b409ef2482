package io.reactiveinformer.config;

import io.reactiveinformer.config.Cluster.Impersonation;
import io.reactiveinformer.config.Cluster.OidcIssuers;
import io.reactiveinformer.config.Cluster.Proxy;
import io.reactiveinformer.config.Cluster.Trust;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/** Checks settings and makes a {@link Cluster} of them. Files are read on first use. */
final class Resolution {

    private static final Logger LOG = LoggerFactory.getLogger(ClusterConfig.class);

    private final Settings settings;
    private final Supplier<Settings> again;
    private final Environment environment;
    private final OidcIssuers issuers;
    private final Scheduler clock;

    private Resolution(
            Settings settings, Supplier<Settings> again, Environment environment, OidcIssuers issuers, Scheduler clock) {
        this.settings = settings;
        this.again = again;
        this.environment = environment;
        this.issuers = issuers;
        this.clock = clock;
    }

    /** @param again reads the settings again; may block, and fail */
    static Cluster of(Settings settings, Supplier<Settings> again, Environment environment, OidcIssuers issuers, Scheduler clock) {
        return new Resolution(settings, again, environment, issuers, clock).cluster();
    }

    private Cluster cluster() {
        URI server = server();
        boolean encrypted = "https".equals(server.getScheme());
        Credential.Source credentials = Credentials.of(settings, again, environment, issuers, clock);
        if (!encrypted && !settings.credentialsInTheClear) {
            if (settings.hasCredentials()) {
                LOG.warn("requests to {} are anonymous: credentials of a kubeconfig go over https only, as with kubectl",
                        server.getAuthority());
            }
            credentials = Credential.Source.of(Credential.none());
        }
        String namespace = settings.namespace == null ? "default" : settings.namespace.value();
        return new Cluster(server, namespace, trust(server), credentials, Impersonation.of(settings), proxy(server), settings.compression);
    }

    private URI server() {
        Setting setting = settings.server;
        if (setting == null) {
            throw new ConfigException("no server is configured; expected an address such as https://host:6443");
        }
        String text = setting.value().contains("://") ? setting.value() : "https://" + setting.value();
        URI uri = address(new Setting(text, setting.origin()), Set.of("https", "http"));
        if (uri.getRawQuery() != null || uri.getRawFragment() != null) {
            throw new ConfigException(setting.origin() + ": expected an address without query and fragment");
        }
        String path = uri.getRawPath() == null ? "" : uri.getRawPath().replaceFirst("/+$", "");
        int port = uri.getPort() >= 0 ? uri.getPort() : uri.getScheme().equals("https") ? 443 : 80;
        return URI.create(uri.getScheme().toLowerCase(Locale.ROOT) + "://" + uri.getHost() + ":" + port + path);
    }

    /** A configured proxy is used even for servers on this machine; those of the environment are not. */
    private @Nullable Proxy proxy(URI server) {
        return settings.proxy == null ? Proxies.of(environment).to(server) : Proxy.of(address(settings.proxy, Proxies.SCHEMES));
    }

    private static URI address(Setting setting, Set<String> schemes) {
        URI uri;
        try {
            uri = new URI(setting.value());
        } catch (URISyntaxException malformed) { // its message quotes the text, which may contain a password
            throw new ConfigException(setting.origin() + ": expected an address such as https://host:6443, found something else");
        }
        if (uri.getHost() == null || uri.getScheme() == null || !schemes.contains(uri.getScheme().toLowerCase(Locale.ROOT))) {
            throw new ConfigException(setting.origin() + ": expected an address with a host, and one of the schemes "
                    + schemes.stream().sorted().toList());
        }
        return Ports.checked(uri, setting.origin());
    }

    private Mono<Trust> trust(URI server) {
        String serverName = settings.serverName == null ? null : settings.serverName.value();
        if (settings.insecure != null) {
            if (settings.authority != null || settings.authorityData != null) {
                Setting authority = settings.authority != null ? settings.authority : settings.authorityData;
                throw new ConfigException(authority + ": expected no certificate authority, since insecure-skip-tls-verify ignores it");
            }
            LOG.warn("the certificate of {} is not checked, as {} says: any server that answers there receives the credentials",
                    server.getAuthority(), settings.insecure);
            return Mono.just(Trust.insecure().withServerName(serverName));
        }
        if (settings.authorityData != null) {
            Setting data = settings.authorityData;
            Trust trust = Trust.authorities(Pem.certificates(base64(data), data.origin()), data.origin()).withServerName(serverName);
            return Mono.just(trust).doOnNext(expiryOf(data.origin()));
        }
        if (settings.authority != null) {
            Setting file = settings.authority;
            String origin = file.origin() + " " + file.value();
            Renewable<Trust> trust = WatchedFile.of(
                    List.of(file), content -> Trust.authorities(Pem.certificates(content.get(0), origin), origin)
                            .withServerName(serverName), clock);
            return new WatchedTrust(trust, expiryOf(origin));
        }
        return Mono.just(Trust.system().withServerName(serverName));
    }

    private Consumer<Trust> expiryOf(String origin) {
        var expiry = new ExpiryWarnings("certificate authority", origin, clock);
        return read -> expiry.check(read.authorities());
    }

    /** Decodes the value of a key that ends in {@code -data}. */
    static byte[] base64(Setting setting) {
        try {
            return Base64.getMimeDecoder().decode(setting.value().getBytes(StandardCharsets.ISO_8859_1));
        } catch (IllegalArgumentException malformed) {
            throw new ConfigException(setting.origin() + ": expected base64");
        }
    }
}
