package io.reactiveinformer.config;

import java.security.cert.X509Certificate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How the certificate of a server is verified.
 *
 * @param kind how certificates are verified
 * @param authorities that sign certificates of servers; empty unless {@code kind} is {@link Kind#AUTHORITIES}
 * @param origin where the authorities were configured, for messages
 * @param serverName that the certificate must carry, and that is sent in the handshake (SNI); null for the host of the address
 */
public record Trust(Kind kind, List<X509Certificate> authorities, String origin, @Nullable String serverName) {

    /** How certificates are verified. */
    public enum Kind {
        /** By the authorities that the Java runtime trusts. */
        SYSTEM,
        /** By the configured authorities, and no others. */
        AUTHORITIES,
        /** Not at all: anyone on the network path can read and change everything. */
        INSECURE
    }

    public Trust {
        authorities = List.copyOf(authorities);
    }

    /** Accepts certificates that the Java runtime's trust store accepts. */
    public static Trust system() {
        return new Trust(Kind.SYSTEM, List.of(), "the Java runtime's trust store", null);
    }

    /**
     * Accepts only certificates that one of {@code authorities} has signed.
     *
     * @param origin where the authorities were configured, for messages
     */
    public static Trust authorities(List<X509Certificate> authorities, String origin) {
        return new Trust(Kind.AUTHORITIES, authorities, origin, null);
    }

    /** Accepts every certificate: anyone on the network path can read and change everything. Not for production. */
    public static Trust insecure() {
        return new Trust(Kind.INSECURE, List.of(), "insecure-skip-tls-verify", null);
    }

    /** A copy that expects {@code other} as the server's name; null for the host of the address. */
    public Trust withServerName(@Nullable String other) {
        return new Trust(kind, authorities, origin, other);
    }
}
