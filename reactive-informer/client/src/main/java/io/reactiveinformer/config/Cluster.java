package io.reactiveinformer.config;

import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * A resolved {@link ClusterConfig}: the server's address, trust and credentials.
 *
 * @param server without a slash at its end
 * @param namespace for requests that name none; "default" unless configured
 * @param trust read again from time to time if it comes from a file
 * @param credentials supplies the credential of each request
 * @param impersonation the user to act as; null for the authenticated user itself
 * @param proxy null for a direct connection
 * @param compression whether answers may be compressed
 */
public record Cluster(
        URI server,
        String namespace,
        Mono<Trust> trust,
        Credential.Source credentials,
        @Nullable Impersonation impersonation,
        @Nullable Proxy proxy,
        boolean compression) {

    /**
     * Emits where to connect now, by the current trust and client certificate; a different endpoint after certificates have changed. Fails
     * as {@link #trust} or {@link Credential.Source#current} fails.
     */
    public Mono<Endpoint> endpoint() {
        return Mono.zip(trust, credentials.current(), (believed, credential) ->
                new Endpoint(server, believed, credential.identity(), proxy, compression));
    }

    /**
     * Reports that a server's certificate failed verification by {@code used}. If the authorities come from a file, the next
     * {@link #endpoint} reads it again; otherwise nothing happens.
     */
    public void refused(Trust used) {
        if (trust instanceof Resolution.WatchedTrust watched) {
            watched.refused(used);
        }
    }

    /**
     * Kills a running credential plugin with all processes that it started, and prevents further runs. Completes when that is done. Works
     * on a scheduler that may block. A {@link Credential.Source} of the application is not closed.
     */
    public Mono<Void> close() {
        return Mono.<Void>fromRunnable(() -> Credentials.close(credentials)).subscribeOn(Schedulers.boundedElastic());
    }

    /**
     * Where to connect, and how both sides authenticate. Connections are shared between equal endpoints only.
     *
     * @param server scheme, host, port, and the path before {@code /api} if there is one; without a slash at its end
     * @param trust how the server's certificate is verified
     * @param identity the client certificate; null for none
     * @param proxy null for a direct connection
     * @param compression whether answers may be compressed
     */
    public record Endpoint(URI server, Trust trust, Credential.@Nullable Identity identity, @Nullable Proxy proxy, boolean compression) {

        /** An endpoint with the Java runtime's trust, no client certificate, no proxy, and compression allowed. */
        public static Endpoint of(URI server) {
            return new Endpoint(server, Trust.system(), null, null, true);
        }
    }

    /**
     * How the certificate of a server is verified.
     *
     * @param kind how certificates are verified
     * @param authorities that sign certificates of servers; empty unless {@code kind} is {@link Trust.Kind#AUTHORITIES}
     * @param origin where the authorities were configured, for messages
     * @param serverName that the certificate must carry, and that is sent in the handshake (SNI); null for the host of the address
     */
    public record Trust(Trust.Kind kind, List<X509Certificate> authorities, String origin, @Nullable String serverName) {

        /** How certificates are verified. */
        public enum Kind {
            /** By the authorities that the Java runtime trusts. */
            SYSTEM,
            /** By the configured authorities, and no others. */
            AUTHORITIES,
            /** Not at all: anyone on the network path can read and change everything. */
            INSECURE
        }

        /** Keeps an immutable copy of {@code authorities}. */
        public Trust {
            authorities = List.copyOf(authorities);
        }

        /** Accepts certificates that the Java runtime's trust store accepts. */
        public static Trust system() {
            return new Trust(Trust.Kind.SYSTEM, List.of(), "the Java runtime's trust store", null);
        }

        /**
         * Accepts only certificates that one of {@code authorities} has signed.
         *
         * @param origin where the authorities were configured, for messages
         */
        public static Trust authorities(List<X509Certificate> authorities, String origin) {
            return new Trust(Trust.Kind.AUTHORITIES, authorities, origin, null);
        }

        /** Accepts every certificate: anyone on the network path can read and change everything. Not for production. */
        public static Trust insecure() {
            return new Trust(Trust.Kind.INSECURE, List.of(), "insecure-skip-tls-verify", null);
        }

        /** A copy that expects {@code other} as the server's name; null for the host of the address. */
        public Trust withServerName(@Nullable String other) {
            return new Trust(kind, authorities, origin, other);
        }
    }

    /**
     * A proxy through which a server is reached.
     *
     * @param kind the protocol between client and proxy
     * @param host its name or address; an IPv6 address without brackets
     * @param port its port
     * @param user null if the proxy needs no authentication
     * @param password null if the proxy needs no authentication
     */
    public record Proxy(Proxy.Kind kind, String host, int port, @Nullable String user, @Nullable String password) {

        /** The protocol of the proxy. */
        public enum Kind {
            /** {@code CONNECT} over TCP. */
            HTTP(80),
            /** {@code CONNECT} over TLS. */
            HTTPS(443),
            /** RFC 1928; the proxy resolves names. */
            SOCKS5(1080);

            private final int port;

            Kind(int port) {
                this.port = port;
            }
        }

        /** @param address {@code http://}, {@code https://} or {@code socks5://}, with a host */
        static Proxy of(URI address) {
            Proxy.Kind kind = switch (address.getScheme().toLowerCase(Locale.ROOT)) {
                case "https" -> Proxy.Kind.HTTPS;
                case "socks5", "socks5h" -> Proxy.Kind.SOCKS5;
                default -> Proxy.Kind.HTTP;
            };
            String host = address.getHost().startsWith("[") ? address.getHost().substring(1, address.getHost().length() - 1)
                    : address.getHost();
            int port = address.getPort() < 0 ? kind.port : address.getPort();
            if (address.getRawUserInfo() == null) {
                return new Proxy(kind, host, port, null, null);
            }
            String[] who = address.getRawUserInfo().split(":", 2);
            return new Proxy(kind, host, port, decode(who[0]), who.length == 1 ? "" : decode(who[1]));
        }

        private static String decode(String text) {
            return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
        }

        /** As an address, without user and password. */
        @Override
        public String toString() {
            return kind.name().toLowerCase(Locale.ROOT) + "://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
        }
    }

    /**
     * The user to act as, instead of the authenticated user. The server checks whether the authenticated user may do that.
     *
     * @param user the name of the user to act as
     * @param uid of that user; null for none
     * @param groups that the user is taken to be in; the server adds nothing to them but {@code system:authenticated}
     * @param extra further attributes of the user, by key
     * @see <a href="https://kubernetes.io/docs/reference/access-authn-authz/user-impersonation/">Kubernetes: user impersonation</a>
     */
    public record Impersonation(String user, @Nullable String uid, List<String> groups, Map<String, List<String>> extra) {

        /** @throws ConfigException if a value contains a control character, which would end its header and begin another */
        public Impersonation {
            groups = List.copyOf(groups);
            extra = Map.copyOf(extra);
            Credential.refuseControl(user, "the user to act as");
            Credential.refuseControl(uid, "the uid to act as");
            groups.forEach(group -> Credential.refuseControl(group, "a group to act in"));
            extra.values().forEach(values -> values.forEach(value -> Credential.refuseControl(value, "an extra of the user to act as")));
        }

        /** Null if none is configured. */
        static @Nullable Impersonation of(ConfigValues settings) {
            if (settings.impersonate != null) {
                return new Impersonation(
                        settings.impersonate.value(),
                        settings.impersonateUid == null ? null : settings.impersonateUid.value(),
                        settings.impersonateGroups,
                        settings.impersonateExtra);
            }
            if (settings.impersonateUid != null || !settings.impersonateGroups.isEmpty() || !settings.impersonateExtra.isEmpty()) {
                throw new ConfigException(settings.impersonateOrigin
                        + ": expected as, the user to act as, beside as-uid, as-groups and as-user-extra; found only these");
            }
            return null;
        }
    }

    /**
     * The client of an OpenID Connect issuer, with what a token refresh needs.
     *
     * @param issuer without a slash at its end; its discovery document is below this address
     * @param clientId the issuer's name for this program
     * @param clientSecret null if the issuer needs none
     * @param refreshToken that new ID tokens are issued for
     * @param trust how the issuer's certificate is verified
     * @param proxy on the way to the issuer; null for a direct connection
     * @param origin where it is configured, for messages
     */
    public record OidcUser(
            URI issuer, String clientId, @Nullable String clientSecret, String refreshToken,
            Trust trust, @Nullable Proxy proxy, String origin) {

        OidcUser withRefreshToken(String other) {
            return new OidcUser(issuer, clientId, clientSecret, other, trust, proxy, origin);
        }

        /** Without the secrets. */
        @Override
        public String toString() {
            return "OidcUser[" + clientId + " at " + issuer + "]";
        }
    }

    /** Requests new ID tokens from OpenID Connect issuers. Implemented elsewhere, since this package does no HTTP. */
    @FunctionalInterface
    public interface OidcIssuers {

        /** Reaches no issuer: {@link #refresh} always fails with {@link ConfigException}. */
        static OidcIssuers none() {
            return user -> Mono.error(new ConfigException(user.origin()
                    + ": the id-token has expired, and nothing here can request another one from " + user.issuer()));
        }

        /** Requests a new ID token. Fails with {@link ConfigException} if the issuer refuses it for good. */
        Mono<Issued> refresh(OidcUser user);

        /**
         * The answer of an issuer.
         *
         * @param idToken the new ID token
         * @param refreshToken replaces the used one; null if that stays valid
         */
        record Issued(String idToken, @Nullable String refreshToken) {

            /** Both are secret. */
            @Override
            public String toString() {
                return "Issued[…]";
            }
        }
    }
}
