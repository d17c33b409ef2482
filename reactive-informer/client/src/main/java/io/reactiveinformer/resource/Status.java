package io.reactiveinformer.resource;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The server's answer to a request that it did not carry out, read from its {@code Status} body, its plain text or its HTTP status line.
 *
 * @param code the HTTP status code; for a Status in an event, the code in its body
 * @param reason machine-readable, such as {@code Expired}; empty if the server sent none
 * @param message human-readable; may be empty
 * @param causes details such as {@code ResourceVersionTooLarge}
 * @param retryAfter how long the client should wait, as the server asks with Retry-After; null if it does not
 */
public record Status(int code, String reason, String message, List<Cause> causes, @Nullable Duration retryAfter) {

    /**
     * The {@link Cause#reason} of a refusal that is probably not from an API server: a gateway's answer (502, 503 or 504) that is no Status
     * and does not say when to come again, as from a load balancer without a living server. client-go calls it so, too.
     */
    public static final String NOT_FROM_A_SERVER = "UnexpectedServerResponse";

    /**
     * A detail of the refusal.
     *
     * @param reason machine-readable, such as {@code FieldValueInvalid}; may be empty
     * @param message human-readable; may be empty
     *
     * @param field the path of the wrong field; empty if the detail concerns the whole request
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

    /** Whether one of {@link #causes} has this reason. */
    public boolean hasCause(String reason) {
        return causes.stream().anyMatch(cause -> cause.reason().equals(reason));
    }
}
