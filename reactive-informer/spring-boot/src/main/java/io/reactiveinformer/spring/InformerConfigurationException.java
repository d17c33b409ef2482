package io.reactiveinformer.spring;

import org.jspecify.annotations.Nullable;

/** The properties of the application are wrong. The message names the property; {@link #action} is what to do about it. */
final class InformerConfigurationException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private final String action;

    InformerConfigurationException(String message, String action) {
        this(message, action, null);
    }

    InformerConfigurationException(String message, String action, @Nullable Throwable cause) {
        super(message, cause);
        this.action = action;
    }

    /** A sentence or two for the one that writes the properties. */
    String action() {
        return action;
    }
}
