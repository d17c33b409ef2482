package io.reactiveinformer.apiserver.internal.server;

import io.reactiveinformer.apiserver.internal.cluster.ApiFailure;
import io.reactiveinformer.apiserver.internal.cluster.Json;
import java.util.Base64;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * The place where a list continues.
 *
 * @param version the version of the first page; {@link #PRESENT} for an inconsistent rest
 * @param start the key after the last one that was sent, within the listed part of the store
 */
record ContinueToken(long version, String start) {

    static final long PRESENT = -1;

    private static final Pattern ILLEGAL = Pattern.compile("[^a-zA-Z0-9_-]");
    private static final String AFTER = "\0";

    /** @param shown the last object's key within the listed part of the store */
    static ContinueToken after(long version, String shown) {
        return new ContinueToken(version, shown + AFTER);
    }

    /** The same place in the present state, for a client whose version is forgotten. The client does not see changes to earlier pages. */
    ContinueToken inconsistent() {
        return new ContinueToken(PRESENT, start);
    }

    /** The token as it is sent. The real server's watch cache writes the key of a consistent one with a slash before it. */
    String encode(boolean cached) {
        boolean slash = cached && version != PRESENT;
        var json = Json.object().put("v", "meta.k8s.io/v1").put("rv", version).put("start", slash ? "/" + start : start);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(Json.write(json));
    }

    static ContinueToken decode(String token) {
        try {
            JsonNode json = Json.read(Base64.getUrlDecoder().decode(token));
            String start = Json.text(json, "start");
            return new ContinueToken(json.path("rv").asLong(), start.startsWith("/") ? start.substring(1) : start);
        } catch (IllegalArgumentException failure) {
            throw invalid("illegal base64 data at input byte " + firstIllegal(token));
        } catch (JacksonException failure) {
            throw invalid("invalid character in the decoded token");
        }
    }

    private static int firstIllegal(String token) {
        var illegal = ILLEGAL.matcher(token);
        return illegal.find() ? illegal.start() : token.length() - token.length() % 4;
    }

    private static ApiFailure invalid(String why) {
        return ApiFailure.badRequest("invalid continue token: continue key is not valid: " + why);
    }
}
