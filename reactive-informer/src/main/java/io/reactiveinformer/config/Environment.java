package io.reactiveinformer.config;

import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the process finds around itself. */
record Environment(Map<String, String> variables, Path home, Path serviceAccount) {

    static Environment ofProcess() {
        return new Environment(
                System.getenv(), Path.of(System.getProperty("user.home")), Path.of("/var/run/secrets/kubernetes.io/serviceaccount"));
    }

    /** Null where it is not set or empty. */
    @Nullable String variable(String name) {
        String value = variables.get(name);
        return value == null || value.isEmpty() ? null : value;
    }
}
