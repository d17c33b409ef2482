package io.reactiveinformer.config;

import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the process finds around itself. */
record Environment(Map<String, String> variables, Path home, Path serviceAccount) {

    static Environment ofProcess() {
        return new Environment(
                System.getenv(), Path.of(home(System.getenv("HOME"))), Path.of("/var/run/secrets/kubernetes.io/serviceaccount"));
    }

    /** As for kubectl, the shell's word comes first: in containers the user that the JVM knows has another home, or none. */
    static String home(@Nullable String variable) {
        return variable == null || variable.isEmpty() ? System.getProperty("user.home") : variable;
    }

    /** Null where it is not set or empty. */
    @Nullable String variable(String name) {
        String value = variables.get(name);
        return value == null || value.isEmpty() ? null : value;
    }
}
