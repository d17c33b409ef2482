package io.reactiveinformer.client;

import io.reactiveinformer.config.Cluster.Impersonation;
import io.reactiveinformer.transport.HttpRequest;
import io.reactiveinformer.transport.HttpRequest.Headers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Adds the impersonated user to a request.
 *
 * @see <a href="https://kubernetes.io/docs/reference/access-authn-authz/authentication/#user-impersonation">Kubernetes: user
 *     impersonation</a>
 */
final class Impersonating {

    private static final String USER = "Impersonate-User";
    /** The characters that a header's name may contain besides letters and digits. */
    private static final String MARKS = "!#$&'*+-.^_`|~";

    private Impersonating() {}

    /** @param impersonation null for none; nothing is added either if the request has an impersonated user already */
    static HttpRequest as(@Nullable Impersonation impersonation, HttpRequest request) {
        if (impersonation == null || request.headers().first(USER).isPresent()) {
            return request;
        }
        Headers headers = request.headers().with(USER, impersonation.user());
        if (impersonation.uid() != null) {
            headers = headers.with("Impersonate-Uid", impersonation.uid());
        }
        for (String group : impersonation.groups()) {
            headers = headers.with("Impersonate-Group", group);
        }
        for (Map.Entry<String, List<String>> extra : impersonation.extra().entrySet()) {
            for (String value : extra.getValue()) {
                headers = headers.with("Impersonate-Extra-" + escape(extra.getKey()), value);
            }
        }
        return request.withHeaders(headers);
    }

    /** Bytes that a header's name may not contain are percent-encoded, as the server expects. */
    private static String escape(String key) {
        var name = new StringBuilder();
        for (byte next : key.getBytes(StandardCharsets.UTF_8)) {
            char character = (char) (next & 0xFF);
            if (character < 128 && (Character.isLetterOrDigit(character) || MARKS.indexOf(character) >= 0)) {
                name.append(character);
            } else {
                name.append(String.format(Locale.ROOT, "%%%02X", next));
            }
        }
        return name.toString();
    }
}
