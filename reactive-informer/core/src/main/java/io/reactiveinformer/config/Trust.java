package io.reactiveinformer.config;

import java.security.cert.X509Certificate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which servers are believed to be the one that is meant.
 *
 * @param kind how certificates are judged
 * @param authorities that sign certificates of servers; empty unless {@code kind} is {@link Kind#AUTHORITIES}
 * @param origin where the authorities were configured, for messages
 * @param serverName that the certificate must carry, and that is asked for in the handshake; null for the host of the address
 */
public record Trust(Kind kind, List<X509Certificate> authorities, String origin, @Nullable String serverName) {

    /** How certificates are judged. */
    public enum Kind {
        /** By the authorities that the Java runtime trusts. */
        SYSTEM,
        /** By those that were configured, and no others. */
        AUTHORITIES,
        /** Not at all: anyone on the way can read and change everything. */
        INSECURE
    }

    public Trust {
        authorities = List.copyOf(authorities);
    }

    public static Trust system() {
        return new Trust(Kind.SYSTEM, List.of(), "the Java runtime's trust store", null);
    }

    public static Trust authorities(List<X509Certificate> authorities, String origin) {
        return new Trust(Kind.AUTHORITIES, authorities, origin, null);
    }

    public static Trust insecure() {
        return new Trust(Kind.INSECURE, List.of(), "insecure-skip-tls-verify", null);
    }

    public Trust withServerName(@Nullable String other) {
        return new Trust(kind, authorities, origin, other);
    }
}
