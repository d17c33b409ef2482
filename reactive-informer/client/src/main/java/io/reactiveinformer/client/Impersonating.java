package io.reactiveinformer.client;

import io.reactiveinformer.config.Cluster.Impersonation;
import io.reactiveinformer.transport.HttpRequest;
import io.reactiveinformer.transport.HttpRequest.Headers;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
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
                String key = URLEncoder.encode(extra.getKey(), StandardCharsets.UTF_8).replace("+", "%20");
                headers = headers.with("Impersonate-Extra-" + key, value);
            }
        }
        return request.withHeaders(headers);
    }
}
