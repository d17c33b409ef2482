package io.reactiveinformer.config;

import io.reactiveinformer.resource.KubernetesException;
import org.jspecify.annotations.Nullable;

/**
 * What was configured cannot be used: a file is missing or wrong, a name refers to nothing, a credential plugin failed. The message names the
 * file, the key in it and what was expected there; it never holds a secret. Trying again helps only after someone has mended it.
 */
public final class ConfigException extends KubernetesException {
    private static final long serialVersionUID = 1L;

    public ConfigException(String message) {
        this(message, null);
    }

    /** @param cause must not quote what it read, which may be secret */
    public ConfigException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
