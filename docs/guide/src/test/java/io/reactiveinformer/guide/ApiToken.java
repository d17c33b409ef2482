package io.reactiveinformer.guide;

import io.reactiveinformer.resource.FieldPath;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** What is cached of a Secret: not the token, but its hash. */
record ApiToken(@FieldPath("data.token") @Nullable String hash) {

    ApiToken {
        hash = hash == null ? "" : hashOf(new String(Base64.getDecoder().decode(hash), StandardCharsets.UTF_8));
    }

    static String hashOf(String token) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException never) {
            throw new IllegalStateException(never); // each JVM has it
        }
    }
}
