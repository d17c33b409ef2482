package io.reactiveinformer.client;

import io.reactiveinformer.config.Impersonation;
import io.reactiveinformer.transport.Headers;
import io.reactiveinformer.transport.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Says in a request as whom we act.
 *
 * @see <a href="https://kubernetes.io/docs/reference/access-authn-authz/authentication/#user-impersonation">Kubernetes: user impersonation</a>
 */
final class Impersonating {

    private static final String USER = "Impersonate-User";
    /** What a header's name may hold beside letters and digits. */
    private static final String MARKS = "!#$&'*+-.^_`|~";

    private Impersonating() {}

    /** @param impersonation null for nobody else; nothing is added either where the request says already as whom */
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

    /** Bytes that no header's name may hold are escaped as in an address, as the server expects them to be. */
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
