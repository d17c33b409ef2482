package io.reactiveinformer.cloud;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Properties cannot be read from the cluster. The message has no value of an entry. */
final class ConfigNotReadException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    private final String action;

    /** @param action a sentence for the one that writes the configuration */
    ConfigNotReadException(String message, String action) {
        super(message);
        this.action = action;
    }

    /** Shows the message and the action instead of a stack trace. */
    static final class Analyzer extends AbstractFailureAnalyzer<ConfigNotReadException> {

        @Override
        protected FailureAnalysis analyze(Throwable rootFailure, ConfigNotReadException cause) {
            return new FailureAnalysis(cause.getMessage(), cause.action, cause);
        }
    }
}
