package io.reactiveinformer.apiserver;

/**
 * The identity of a user, for a server with TLS.
 *
 * @param certificate PEM
 * @param key its private key, PKCS#8 in PEM
 */
public record ClientCertificate(String certificate, String key) {

    /** Omits the key. */
    @Override
    public String toString() {
        return "ClientCertificate[" + certificate + "]";
    }
}
