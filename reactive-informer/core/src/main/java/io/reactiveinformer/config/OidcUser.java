package io.reactiveinformer.config;

import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * Us, as an OpenID Connect issuer knows us.
 *
 * @param issuer without a slash at its end; beneath it stands what it offers
 * @param clientId as what the issuer knows this program
 * @param clientSecret null where the issuer wants none
 * @param refreshToken that new ID tokens are issued for
 * @param trust how the issuer's certificate is judged
 * @param proxy on the way to the issuer; null for the direct way
 * @param origin where it is configured, for messages
 */
public record OidcUser(
        URI issuer, String clientId, @Nullable String clientSecret, String refreshToken, Trust trust, @Nullable Proxy proxy, String origin) {

    OidcUser withRefreshToken(String other) {
        return new OidcUser(issuer, clientId, clientSecret, other, trust, proxy, origin);
    }

    /** Without what is secret. */
    @Override
    public String toString() {
        return "OidcUser[" + clientId + " at " + issuer + "]";
    }
}
