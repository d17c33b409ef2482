package io.reactiveinformer.config;

import io.reactiveinformer.config.Cluster.Impersonation;
import io.reactiveinformer.config.Cluster.OidcIssuers;
import io.reactiveinformer.config.Cluster.Proxy;
import io.reactiveinformer.config.Cluster.Trust;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * Checks settings and makes a {@link Cluster} of them. Files are read on first use.
 *
 * @param again reads the settings again; may block, and fail
 */
record Resolution(
        ConfigValues settings, Supplier<ConfigValues> again, Environment environment, OidcIssuers issuers, Scheduler clock) {

    private static final Logger LOG = LoggerFactory.getLogger(ClusterConfig.class);

    Cluster cluster() {
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
        ConfigValue setting = settings.server;
        if (setting == null) {
            throw new ConfigException("no server is configured; expected an address such as https://host:6443");
        }
        String text = setting.value().contains("://") ? setting.value() : "https://" + setting.value();
        URI uri = address(new ConfigValue(text, setting.origin()), Set.of("https", "http"));
        if (uri.getRawQuery() != null || uri.getRawFragment() != null) {
            throw new ConfigException(setting.origin() + ": expected an address without query and fragment");
        }
        String path = uri.getRawPath() == null ? "" : uri.getRawPath().replaceFirst("/+$", "");
        int port = uri.getPort() >= 0 ? uri.getPort() : uri.getScheme().equals("https") ? 443 : 80;
        return URI.create(uri.getScheme().toLowerCase(Locale.ROOT) + "://" + uri.getHost() + ":" + port + path);
    }

    /** A configured proxy is used even for servers on this machine; those of the environment are not. */
    private @Nullable Proxy proxy(URI server) {
        return settings.proxy == null ? new Proxies(environment).to(server) : Proxy.of(address(settings.proxy, Proxies.SCHEMES));
    }

    private static URI address(ConfigValue setting, Set<String> schemes) {
        URI address = setting.address(schemes);
        if (address == null) {
            throw new ConfigException(setting + ": expected an address with a host, and one of the schemes "
                    + schemes.stream().sorted().toList());
        }
        return address;
    }

    private Mono<Trust> trust(URI server) {
        String serverName = settings.serverName == null ? null : settings.serverName.value();
        ConfigValue authority = settings.authority;
        if (settings.insecure != null) {
            if (authority != null) {
                throw new ConfigException(authority + ": expected no certificate authority, since insecure-skip-tls-verify ignores it");
            }
            LOG.warn("the certificate of {} is not checked, as {} says: any server that answers there receives the credentials",
                    server.getAuthority(), settings.insecure);
            return Mono.just(Trust.insecure().withServerName(serverName));
        }
        if (authority == null) {
            return Mono.just(Trust.system().withServerName(serverName));
        }
        if (!authority.isFile()) {
            return Mono.just(trust(authority, authority.content(), serverName)).doOnNext(expiryOf(authority.source()));
        }
        Renewable<Trust> trust = WatchedFile.of(List.of(authority), content -> trust(authority, content.get(0), serverName), clock);
        return new WatchedTrust(trust, expiryOf(authority.source()));
    }

    private static Trust trust(ConfigValue authority, byte[] content, @Nullable String serverName) {
        return Trust.authorities(Pem.certificates(content, authority.source()), authority.source()).withServerName(serverName);
    }

    private Consumer<Trust> expiryOf(String origin) {
        var expiry = new ExpiryWarnings("certificate authority", origin, clock);
        return read -> expiry.check(read.authorities());
    }

    /** Trust by a file of authorities, which may be replaced while the process runs. */
    static final class WatchedTrust extends Mono<Trust> {

        private final Renewable<Trust> file;
        private final Mono<Trust> current;

        /** @param check called with each emitted value */
        WatchedTrust(Renewable<Trust> file, Consumer<Trust> check) {
            this.file = file;
            this.current = file.get().doOnNext(check);
        }

        @Override
        public void subscribe(CoreSubscriber<? super Trust> actual) {
            current.subscribe(actual);
        }

        /** A server's certificate failed verification by {@code used}: the next subscription reads the file again. */
        void refused(Trust used) {
            file.refused(used);
        }
    }
}
