package io.reactiveinformer.config;

import java.net.URI;
import org.jspecify.annotations.Nullable;

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
        URI issuer, String clientId, @Nullable String clientSecret, String refreshToken, Trust trust, @Nullable Proxy proxy, String origin) {

    OidcUser withRefreshToken(String other) {
        return new OidcUser(issuer, clientId, clientSecret, other, trust, proxy, origin);
    }

    /** Without the secrets. */
    @Override
    public String toString() {
        return "OidcUser[" + clientId + " at " + issuer + "]";
    }
}
