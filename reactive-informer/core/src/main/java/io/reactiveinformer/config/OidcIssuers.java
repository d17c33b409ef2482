package io.reactiveinformer.config;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** Requests new ID tokens from OpenID Connect issuers. Implemented elsewhere, since this package does no HTTP. */
@FunctionalInterface
public interface OidcIssuers {

    /** Reaches no issuer: {@link #refresh} always fails with {@link ConfigException}. */
    static OidcIssuers none() {
        return user -> Mono.error(new ConfigException(user.origin() + ": the id-token has expired, and no one here can ask "
                + user.issuer() + " for another one"));
    }

    /** Requests a new ID token. Fails with {@link ConfigException} if the issuer refuses it for good. */
    Mono<Issued> refresh(OidcUser user);

    /**
     * The answer of an issuer.
     *
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
