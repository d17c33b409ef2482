package io.reactiveinformer.transport;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One HTTP request. {@link #toString} shows no secret.
 *
 * @param method upper case, such as {@code GET}
 * @param uri path and query, encoded, beginning with a slash
 * @param body null for none; its type is in {@code headers}
 * @param silence the longest time without a byte of the answer's body while one is awaited; null for the transport's own limit. The same
 *     limit holds for the answer's headers, but never more than the transport's own
 */
@SuppressWarnings("ArrayRecordComponent") // lent to the transport for one request; copying bodies would buy nothing
public record HttpRequest(String method, String uri, Headers headers, byte @Nullable [] body, @Nullable Duration silence) {

    /** A request with the transport's own limit of silence. */
    public HttpRequest(String method, String uri, Headers headers, byte @Nullable [] body) {
        this(method, uri, headers, body, null);
    }

    /** A GET request without a body, with the transport's own limit of silence. */
    public static HttpRequest get(String uri, Headers headers) {
        return new HttpRequest("GET", uri, headers, null);
    }

    /** A copy with {@code other} instead of all its headers. */
    public HttpRequest withHeaders(Headers other) {
        return new HttpRequest(method, uri, other, body, silence);
    }

    /** A copy with another limit of silence; null for the transport's own. */
    public HttpRequest withSilence(@Nullable Duration other) {
        return new HttpRequest(method, uri, headers, body, other);
    }

    /** Without body and credentials: fit for logs. */
    @Override
    public String toString() {
        return method + " " + uri;
    }
}
