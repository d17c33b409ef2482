package io.reactiveinformer.config;

import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The process's environment: variables, home directory, and the directory of the service account. */
record Environment(Map<String, String> variables, Path home, Path serviceAccount) {

    static Environment ofProcess() {
        return new Environment(
                System.getenv(), Path.of(home(System.getenv("HOME"))), Path.of("/var/run/secrets/kubernetes.io/serviceaccount"));
    }

    /** {@code $HOME} first, as for kubectl: in containers the JVM's user may have another home, or none. */
    static String home(@Nullable String variable) {
        return variable == null || variable.isEmpty() ? System.getProperty("user.home") : variable;
    }

    /** Null if the variable is unset or empty. */
    @Nullable String variable(String name) {
        String value = variables.get(name);
        return value == null || value.isEmpty() ? null : value;
    }
}
