package io.reactiveinformer.apiserver.internal;

import io.reactiveinformer.apiserver.internal.cluster.Json;
import io.reactiveinformer.apiserver.internal.server.CertificateAuthority;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** A kubeconfig with one cluster and one user; JSON, which is YAML. */
final class KubeconfigText {

    private static final String CLUSTER = "fake";

    private KubeconfigText() {}

    static String of(String url, @Nullable String authority, String user, @Nullable String token,
            CertificateAuthority.@Nullable Issued certificate) {
        ObjectNode config = Json.object().put("apiVersion", "v1").put("kind", "Config").put("current-context", CLUSTER);
        ObjectNode cluster = config.putArray("clusters").addObject().put("name", CLUSTER).putObject("cluster").put("server", url);
        if (authority != null) {
            cluster.put("certificate-authority-data", base64(authority));
        }
        ObjectNode credentials = config.putArray("users").addObject().put("name", user).putObject("user");
        if (token != null) {
            credentials.put("token", token);
        } else if (certificate != null) {
            credentials.put("client-certificate-data", base64(certificate.certificatePem()));
            credentials.put("client-key-data", base64(certificate.keyPem()));
        }
        config.putArray("contexts").addObject().put("name", CLUSTER).putObject("context").put("cluster", CLUSTER).put("user", user);
        return new String(Json.writeIndented(config), StandardCharsets.UTF_8) + "\n";
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
