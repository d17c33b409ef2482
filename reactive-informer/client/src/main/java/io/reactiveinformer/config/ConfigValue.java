package io.reactiveinformer.config;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Locale;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One configured value, and where it was configured.
 *
 * @param origin file and key, or the method that was called; for messages
 * @param isFile whether the value is the path of a file; else it is the value itself
 * @param doubtful whether the value may be a secret that was configured here by mistake, so that a message must not show it
 */
record ConfigValue(String value, String origin, boolean isFile, boolean doubtful) {

    private static final int LAST_PORT = 65_535;

    ConfigValue(String value, String origin) {
        this(value, origin, false, false);
    }

    /** The value as the path of a file. */
    ConfigValue asFile() {
        return new ConfigValue(value, origin, true, doubtful);
    }

    ConfigValue inDoubt() {
        return new ConfigValue(value, origin, isFile, true);
    }

    /** Without the value, which may be secret: settings become part of messages. */
    @Override
    public String toString() {
        return origin;
    }

    /** Where {@link #content} comes from, for messages: with the path of a file. */
    String source() {
        return isFile ? origin + " " + value : origin;
    }

    /** What the file contains, or the bytes that the value has in base64. */
    byte[] content() {
        if (isFile) {
            return WatchedFile.bytes(this);
        }
        try {
            return Base64.getMimeDecoder().decode(value.getBytes(StandardCharsets.ISO_8859_1));
        } catch (IllegalArgumentException malformed) {
            throw new ConfigException(origin + ": expected base64");
        }
    }

    /** The value as an address with a host and one of the schemes; null if it is none. Fails if its port is out of range. */
    @Nullable URI address(Set<String> schemes) {
        URI address;
        try {
            address = new URI(value);
        } catch (URISyntaxException malformed) { // its message quotes the text, which may contain a password
            return null;
        }
        String scheme = address.getScheme();
        if (address.getHost() == null || scheme == null || !schemes.contains(scheme.toLowerCase(Locale.ROOT))) {
            return null;
        }
        if (address.getPort() == 0 || address.getPort() > LAST_PORT) {
            throw new ConfigException(origin + ": expected a port from 1 to " + LAST_PORT + ", found " + address.getPort());
        }
        return address;
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
