package io.reactiveinformer.config;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.function.Supplier;

/**
 * One configured value, and where it was configured.
 *
 * @param origin file and key, or the method that was called; for messages
 * @param doubtful whether the value may be a secret that was configured here by mistake, so that a message must not show it
 */
record Setting(String value, String origin, boolean doubtful) {

    Setting(String value, String origin) {
        this(value, origin, false);
    }

    Setting inDoubt() {
        return new Setting(value, origin, true);
    }

    /** Without the value, which may be secret: settings become part of messages. */
    @Override
    public String toString() {
        return origin;
    }

    Path path() {
        return checked(() -> Path.of(value));
    }

    /** The value as a path that is relative to the directory of {@code file}. */
    Path besides(Path file) {
        return checked(() -> file.resolveSibling(value));
    }

    private Path checked(Supplier<Path> path) {
        try {
            return path.get();
        } catch (InvalidPathException malformed) { // its message quotes the value
            throw new ConfigException(origin + ": expected the path of a file, found a text that cannot be a path");
        }
    }
}
