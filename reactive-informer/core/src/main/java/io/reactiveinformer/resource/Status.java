package io.reactiveinformer.resource;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The server's answer to a request that it did not carry out, read from its {@code Status} body, its plain text or its HTTP status line.
 *
 * @param code the HTTP status code, or the code in the body where an event carries the Status
 * @param reason machine-readable, such as {@code Expired}; empty if the server sent none
 * @param message human-readable; may be empty
 * @param causes details such as {@code ResourceVersionTooLarge}
 * @param retryAfter how long the server asks the client to wait; null if it does not ask
 */
public record Status(int code, String reason, String message, List<Cause> causes, @Nullable Duration retryAfter) {

    /**
     * A detail of the refusal.
     *
     * @param field the path of the field at fault; empty if the whole request is
     */
    public record Cause(String reason, String message, String field) {}

    /** Keeps an immutable copy of {@code causes}. */
    public Status {
        causes = List.copyOf(causes);
    }

    /** A status without causes and without a Retry-After. */
    public static Status of(int code, String reason, String message) {
        return new Status(code, reason, message, List.of(), null);
    }

    /** Whether a cause has exactly this reason. */
    public boolean hasCause(String reason) {
        return causes.stream().anyMatch(cause -> cause.reason().equals(reason));
    }
}
