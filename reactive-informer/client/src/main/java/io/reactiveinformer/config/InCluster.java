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
final class InCluster implements SettingsSource {

    static boolean seemsSo(Environment environment) {
        return environment.variable("KUBERNETES_SERVICE_HOST") != null && environment.variable("KUBERNETES_SERVICE_PORT") != null;
    }

    @Override
    public Settings read(Environment environment, @Nullable String context) {
        SettingsSource.refuseContext(context);
        String host = environment.variable("KUBERNETES_SERVICE_HOST");
        String port = environment.variable("KUBERNETES_SERVICE_PORT");
        if (host == null || port == null) {
            throw new ConfigException("not in a cluster: KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are not both set");
        }
        var settings = new Settings();
        String origin = "in-cluster configuration";
        settings.server = new Setting("https://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + port, origin);
        settings.tokenFile = new Setting(environment.serviceAccount().resolve("token").toString(), origin);
        Path authority = environment.serviceAccount().resolve("ca.crt");
        if (Files.exists(authority)) {
            settings.authority = new Setting(authority.toString(), origin);
        }
        settings.namespace = namespace(environment, origin);
        return settings;
    }

    private static @Nullable Setting namespace(Environment environment, String origin) {
        String named = environment.variable("POD_NAMESPACE");
        if (named != null) {
            return new Setting(named, "POD_NAMESPACE");
        }
        try {
            String text = Files.readString(environment.serviceAccount().resolve("namespace")).strip();
            return text.isEmpty() ? null : new Setting(text, origin);
        } catch (IOException absent) {
            return null; // then "default" applies, as everywhere
        }
    }
}
