package io.reactiveinformer.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The service account that Kubernetes gives to each pod.
 *
 * @see <a href="https://kubernetes.io/docs/tasks/run-application/access-api-from-pod/#directly-accessing-the-rest-api">Kubernetes:
 *     accessing the API from within a pod</a>
 */
final class InCluster {

    private InCluster() {}

    static boolean seemsSo(Environment environment) {
        return environment.variable("KUBERNETES_SERVICE_HOST") != null && environment.variable("KUBERNETES_SERVICE_PORT") != null;
    }

    static ConfigValues read(Environment environment) {
        String host = environment.variable("KUBERNETES_SERVICE_HOST");
        String port = environment.variable("KUBERNETES_SERVICE_PORT");
        if (host == null || port == null) {
            throw new ConfigException("not in a cluster: KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are not both set");
        }
        var settings = new ConfigValues();
        String origin = "in-cluster configuration";
        settings.server = new ConfigValue("https://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + port, origin);
        settings.tokenFile = new ConfigValue(environment.serviceAccount().resolve("token").toString(), origin).asFile();
        Path authority = environment.serviceAccount().resolve("ca.crt");
        if (Files.exists(authority)) {
            settings.authority = new ConfigValue(authority.toString(), origin).asFile();
        }
        settings.namespace = namespace(environment, origin);
        return settings;
    }

    private static @Nullable ConfigValue namespace(Environment environment, String origin) {
        String named = environment.variable("POD_NAMESPACE");
        if (named != null) {
            return new ConfigValue(named, "POD_NAMESPACE");
        }
        try {
            String text = Files.readString(environment.serviceAccount().resolve("namespace")).strip();
            return text.isEmpty() ? null : new ConfigValue(text, origin);
        } catch (IOException absent) {
            return null; // then "default" applies, as everywhere
        }
    }
}
