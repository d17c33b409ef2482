package io.reactiveinformer.config;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * The proof of who we are, as it goes with a request.
 *
 * @param authorization value of the header of that name; null for none
 * @param identity shown in the TLS handshake; null for none
 */
public record Credential(@Nullable String authorization, @Nullable ClientIdentity identity) {

    private static final Credential NONE = new Credential(null, null);

    /** Whoever asks is anonymous. */
    public static Credential none() {
        return NONE;
    }

    public static Credential bearer(String token) {
        return new Credential("Bearer " + token, null);
    }

    public static Credential basic(String user, String password) {
        byte[] both = (user + ":" + password).getBytes(StandardCharsets.UTF_8);
        return new Credential("Basic " + Base64.getEncoder().encodeToString(both), null);
    }

    public Credential withIdentity(@Nullable ClientIdentity other) {
        return new Credential(authorization, other);
    }

    /** Says which kinds there are, never their values. */
    @Override
    public String toString() {
        return "Credential[" + (authorization == null ? "no header" : authorization.substring(0, authorization.indexOf(' ') + 1) + "…")
                + (identity == null ? "" : ", " + identity) + "]";
    }
}
