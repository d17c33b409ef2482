package io.reactiveinformer.config;

import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;

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

    /** Without the key. */
    @Override
    public String toString() {
        return "ClientIdentity[" + chain.get(0).getSubjectX500Principal() + "]";
    }
}
