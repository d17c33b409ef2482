package io.reactiveinformer.config;

import java.nio.file.Path;

/**
 * One thing that was configured, and where.
 *
 * @param origin file and key, or the method that was called; for messages
 */
record Setting(String value, String origin) {

    /** Messages may hold settings; their values may be secret. */
    @Override
    public String toString() {
        return origin;
    }

    Path path() {
        return Path.of(value);
    }
}
