package io.reactiveinformer.config;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * The credential of one request. {@link #toString} shows no secret.
 *
 * @param authorization value of the header of that name; null for none
 * @param identity presented in the TLS handshake; null for none
 */
public record Credential(@Nullable String authorization, @Nullable ClientIdentity identity) {

    private static final Credential NONE = new Credential(null, null);

    /** @throws ConfigException if {@code authorization} holds a control character, which would end the header and begin another */
    public Credential {
        refuseControl(authorization, "a credential's header");
    }

    /** No credential: requests are anonymous. */
    public static Credential none() {
        return NONE;
    }

    /**
     * A bearer token.
     *
     * @param token white space around it is dropped, as files and shells like to add it
     * @throws ConfigException if there is a control character within the token
     */
    public static Credential bearer(String token) {
        return bearer(token, "the token");
    }

    static Credential bearer(String token, String origin) {
        String bare = token.strip();
        refuseControl(bare, origin);
        return new Credential("Bearer " + bare, null);
    }

    /** The message does not contain the value, which is secret even if malformed. */
    static void refuseControl(@Nullable String value, String origin) {
        if (value != null && value.chars().anyMatch(Character::isISOControl)) {
            throw new ConfigException(origin + ": expected text on one line; found a line break or another control character within it");
        }
    }

    /** HTTP basic authentication, encoded as UTF-8. */
    public static Credential basic(String user, String password) {
        byte[] both = (user + ":" + password).getBytes(StandardCharsets.UTF_8);
        return new Credential("Basic " + Base64.getEncoder().encodeToString(both), null);
    }

    /** A copy with {@code other} as the client certificate; null for none. */
    public Credential withIdentity(@Nullable ClientIdentity other) {
        return new Credential(authorization, other);
    }

    /** Names the kinds of credentials, never their values. */
    @Override
    public String toString() {
        return "Credential[" + (authorization == null ? "no header" : authorization.substring(0, authorization.indexOf(' ') + 1) + "…")
                + (identity == null ? "" : ", " + identity) + "]";
    }
}
