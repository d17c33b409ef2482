package io.reactiveinformer.config;

import io.reactiveinformer.resource.KubernetesException;
import org.jspecify.annotations.Nullable;

/**
 * The configuration cannot be used: a file is missing or wrong, a name refers to nothing, a credential plugin failed. The message names the
 * file, the key in it and what was expected there; it never contains a secret. Retrying helps only after the configuration was corrected.
 */
public final class ConfigException extends KubernetesException {
    private static final long serialVersionUID = 1L;

    /** @param message names the file, the key and what was expected; must not contain a secret */
    public ConfigException(String message) {
        this(message, null);
    }

    /** @param cause must not quote its input, which may be secret; null for none */
    public ConfigException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
