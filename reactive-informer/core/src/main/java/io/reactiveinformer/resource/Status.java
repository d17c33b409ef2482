package io.reactiveinformer.resource;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The server's word on a request that it did not carry out, as its {@code Status} body, its plain text or its HTTP status line told it.
 *
 * @param code the HTTP status code, or the code in the body where an event carries the Status
 * @param reason machine-readable, such as {@code Expired}; empty where the server gave none
 * @param message for people; may be empty
 * @param causes details such as {@code ResourceVersionTooLarge}
 * @param retryAfter how long the server asks to be left alone
 */
public record Status(int code, String reason, String message, List<Cause> causes, @Nullable Duration retryAfter) {

    /** @param field path of the field at fault; empty where the whole request is */
    public record Cause(String reason, String message, String field) {}

    public Status {
        causes = List.copyOf(causes);
    }

    public static Status of(int code, String reason, String message) {
        return new Status(code, reason, message, List.of(), null);
    }

    public boolean hasCause(String reason) {
        return causes.stream().anyMatch(cause -> cause.reason().equals(reason));
    }
}
