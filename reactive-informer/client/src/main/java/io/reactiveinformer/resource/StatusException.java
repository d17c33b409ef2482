package io.reactiveinformer.resource;

import java.time.Duration;
import java.util.Optional;

/**
 * The server refused a request. Subclasses stand for the refusals that need a specific reaction; any other refusal is of this type, and
 * {@link #status} has the details. The message reads {@code 403 Forbidden: cannot list pods in all namespaces: …}: code and reason, what
 * was attempted, the server's message.
 */
public class StatusException extends KubernetesException {
    private static final long serialVersionUID = 1L;

    @SuppressWarnings("serial") // not meant to be serialised; RuntimeException only happens to be Serializable
    private final Status status;

    /** @param attempted what was attempted, after "cannot": {@code list pods in all namespaces} */
    protected StatusException(Status status, String attempted) {
        super(describe(status, attempted), null);
        this.status = status;
    }

    StatusException(Status status, StatusException cause, String message) {
        super(message, cause);
        this.status = status;
    }

    /**
     * The exception for a refusal: the subclass for its code, reason and causes, or this type if there is none.
     *
     * @param attempted what was attempted, after "cannot": {@code list pods in all namespaces}
     */
    public static StatusException of(Status status, String attempted) {
        if (isTooLarge(status)) {
            return new ResourceVersionTooLargeException(status, attempted);
        }
        if (status.reason().equals("Expired") || status.reason().equals("Gone") || status.code() == 410) {
            return new ResourceVersionExpiredException(status, attempted);
        }
        return switch (status.code()) {
            case 401 -> new UnauthorizedException(status, attempted);
            case 403 -> new ForbiddenException(status, attempted);
            case 404 -> new NotFoundException(status, attempted);
            case 409 -> new ConflictException(status, attempted);
            case 400, 405, 406, 413, 415, 422 -> new InvalidRequestException(status, attempted);
            default -> status.code() >= 500 && isRefusedByEtcd(status) ? new InvalidRequestException(status, attempted)
                    : status.code() == 429 || status.code() >= 500
                    ? new UnavailableException(status, attempted)
                    : new StatusException(status, attempted);
        };
    }

    /** The server's answer. */
    public Status status() {
        return status;
    }

    /** The HTTP status code of the refusal, or the code of the Status in an event. */
    public int code() {
        return status.code();
    }

    /** How long the client should wait before the next request, as the server asks; empty if it does not. */
    public Optional<Duration> retryAfter() {
        return Optional.ofNullable(status.retryAfter());
    }

    /** Checks the message too: old servers report it only there. */
    private static boolean isTooLarge(Status status) {
        return status.hasCause("ResourceVersionTooLarge")
                || status.message().contains("Too large resource version")
                || status.causes().stream().anyMatch(cause -> cause.message().contains("Too large resource version"));
    }

    /**
     * Whether the object is too large for the server's store, which will not change. The server passes the message on as if the failure
     * were its own: the store's limit (1.5 MiB unless configured), and that of the connection to it (2 MiB).
     */
    private static boolean isRefusedByEtcd(Status status) {
        return status.message().contains("etcdserver: request is too large")
                || status.message().contains("desc = trying to send message larger than max");
    }

    private static String describe(Status status, String attempted) {
        var text = new StringBuilder().append(status.code());
        if (!status.reason().isEmpty()) {
            text.append(' ').append(status.reason());
        }
        text.append(": cannot ").append(attempted);
        if (!status.message().isEmpty()) {
            text.append(": ").append(status.message().strip());
        }
        return text.toString();
    }
}
