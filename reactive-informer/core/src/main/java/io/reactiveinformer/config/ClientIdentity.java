package io.reactiveinformer.config;

import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A client certificate and its key, shown in the TLS handshake.
 *
 * @param chain ours first, then what leads to an authority that the server trusts
 */
public record ClientIdentity(List<X509Certificate> chain, PrivateKey key) {

    public ClientIdentity {
        chain = List.copyOf(chain);
        if (chain.isEmpty()) {
            throw new IllegalArgumentException("a client identity needs a certificate");
        }
    }

    /** What is wrong with the chain at {@code time}: which certificate has expired, or is not valid yet, and when; empty if it is valid. */
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
