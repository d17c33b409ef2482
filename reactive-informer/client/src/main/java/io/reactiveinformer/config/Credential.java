package io.reactiveinformer.config;

import java.nio.charset.StandardCharsets;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The credential of one request. {@link #toString} shows no secret.
 *
 * @param authorization value of the header of that name; null for none
 * @param identity presented in the TLS handshake; null for none
 */
public record Credential(@Nullable String authorization, @Nullable Identity identity) {

    private static final Credential NONE = new Credential(null, null);

    /** @throws ConfigException if {@code authorization} contains a control character, which would end the header and begin another */
    public Credential {
        refuseControl(authorization, "a credential's header");
    }

    /** No credential: requests are anonymous. */
    public static Credential none() {
        return NONE;
    }

    /**
     * A bearer token.
     *
     * @param token white space around it is dropped, as files and shells like to add it
     * @throws ConfigException if there is a control character within the token
     */
    public static Credential bearer(String token) {
        return bearer(token, "the token");
    }

    static Credential bearer(String token, String origin) {
        String bare = token.strip();
        refuseControl(bare, origin);
        return new Credential("Bearer " + bare, null);
    }

    /** The message does not contain the value, which is secret even if malformed. */
    static void refuseControl(@Nullable String value, String origin) {
        if (value != null && value.chars().anyMatch(Character::isISOControl)) {
            throw new ConfigException(origin + ": expected text on one line; found a line break or another control character within it");
        }
    }

    /** HTTP basic authentication, encoded as UTF-8. */
    public static Credential basic(String user, String password) {
        byte[] both = (user + ":" + password).getBytes(StandardCharsets.UTF_8);
        return new Credential("Basic " + Base64.getEncoder().encodeToString(both), null);
    }

    /** A copy with {@code other} as the client certificate; null for none. */
    public Credential withIdentity(@Nullable Identity other) {
        return new Credential(authorization, other);
    }

    /** Names the kinds of credentials, never their values. */
    @Override
    public String toString() {
        return "Credential[" + (authorization == null ? "no header" : authorization.substring(0, authorization.indexOf(' ') + 1) + "…")
                + (identity == null ? "" : ", " + identity) + "]";
    }

    /**
     * A client certificate and its key, presented in the TLS handshake.
     *
     * @param chain the client certificate first, then the certificates that lead to an authority that the server trusts
     * @param key the private key of the first certificate
     */
    public record Identity(List<X509Certificate> chain, PrivateKey key) {

        /** @throws IllegalArgumentException if {@code chain} is empty */
        public Identity {
            chain = List.copyOf(chain);
            if (chain.isEmpty()) {
                throw new IllegalArgumentException("a client identity needs a certificate");
            }
        }

        /**
         * The reason why the chain is not valid at {@code time}: the first certificate that has expired or is not valid yet, and the time
         * of that; empty if all are valid.
         */
        public Optional<String> invalidAt(Instant time) {
            for (X509Certificate certificate : chain) {
                String named = "the client certificate " + certificate.getSubjectX500Principal();
                if (time.isAfter(certificate.getNotAfter().toInstant())) {
                    return Optional.of(named + " expired on " + certificate.getNotAfter().toInstant()
                            + "; it must be renewed, or a clock is wrong");
                }
                if (time.isBefore(certificate.getNotBefore().toInstant())) {
                    return Optional.of(named + " is valid only from " + certificate.getNotBefore().toInstant() + "; a clock is wrong");
                }
            }
            return Optional.empty();
        }

        /** Without the key. */
        @Override
        public String toString() {
            return "Identity[" + chain.get(0).getSubjectX500Principal() + "]";
        }
    }

    /** Supplies the credential of each request, and a new one after the server has rejected the old one. Calls come from any thread. */
    public interface Source {

        /** Always emits {@code credential}, even after it was refused. */
        static Source of(Credential credential) {
            return new Fixed(credential);
        }

        /**
         * Emits the credential to send now: usually a cached one, else one that is fetched, by one fetch for all subscribers that wait.
         * Fails with {@link ConfigException}, or with the failure of its issuer. Never blocks.
         */
        Mono<Credential> current();

        /**
         * Reports that the server rejected {@code credential} (401). The next {@link #current} fetches another one, unless that has
         * happened already, or was tried for the same reason a moment ago: a credential that is always rejected is not fetched for each
         * request.
         */
        void refused(Credential credential);
    }

    /** Is never renewed. */
    private record Fixed(Credential credential) implements Source {

        @Override
        public Mono<Credential> current() {
            return Mono.just(credential);
        }

        @Override
        public void refused(Credential refused) {
            // only a new configuration can replace it
        }
    }
}
