package io.reactiveinformer.config;

import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A client certificate and its key, presented in the TLS handshake.
 *
 * @param chain the client certificate first, then the certificates that lead to an authority that the server trusts
 */
public record ClientIdentity(List<X509Certificate> chain, PrivateKey key) {

    /** @throws IllegalArgumentException if {@code chain} is empty */
    public ClientIdentity {
        chain = List.copyOf(chain);
        if (chain.isEmpty()) {
            throw new IllegalArgumentException("a client identity needs a certificate");
        }
    }

    /**
     * The reason why the chain is not valid at {@code time}: the first certificate that has expired or is not valid yet, and the time of
     * that; empty if all are valid.
     */
    public Optional<String> invalidAt(Instant time) {
        for (X509Certificate certificate : chain) {
            String named = "the client certificate " + certificate.getSubjectX500Principal();
            if (time.isAfter(certificate.getNotAfter().toInstant())) {
                return Optional.of(named + " expired on " + certificate.getNotAfter().toInstant() + "; it must be renewed, or a clock is wrong");
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
        return "ClientIdentity[" + chain.get(0).getSubjectX500Principal() + "]";
    }
}
