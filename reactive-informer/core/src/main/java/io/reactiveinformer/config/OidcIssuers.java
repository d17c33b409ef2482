package io.reactiveinformer.config;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** How issuers of ID tokens are reached. What this package knows ends where HTTP begins. */
@FunctionalInterface
public interface OidcIssuers {

    /** Reaches none: an ID token that has expired is a failure. */
    static OidcIssuers none() {
        return user -> Mono.error(new ConfigException(user.origin() + ": the id-token has expired, and no one here can ask "
                + user.issuer() + " for another one"));
    }

    /** A new ID token. Fails with {@link ConfigException} where the issuer says that there will be none. */
    Mono<Issued> refresh(OidcUser user);

    /** @param refreshToken that takes the place of the one used; null if that stays good */
    record Issued(String idToken, @Nullable String refreshToken) {

        /** Both are secret. */
        @Override
        public String toString() {
            return "Issued[…]";
        }
    }
}
