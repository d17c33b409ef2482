package io.reactiveinformer.transport;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * @param method upper case, such as {@code GET}
 * @param uri path and query, encoded, beginning with a slash
 * @param body null for none; its type is in {@code headers}
 * @param silence the longest time without a byte of the answer's body while one is waited for; null for the transport's own limit. The
 *     answer's headers are waited for as long, and not longer than the transport's own limit
 */
@SuppressWarnings("ArrayRecordComponent") // lent to the transport for one request; copying bodies would buy nothing
public record HttpRequest(String method, String uri, Headers headers, byte @Nullable [] body, @Nullable Duration silence) {

    public HttpRequest(String method, String uri, Headers headers, byte @Nullable [] body) {
        this(method, uri, headers, body, null);
    }

    public static HttpRequest get(String uri, Headers headers) {
        return new HttpRequest("GET", uri, headers, null);
    }

    public HttpRequest withHeaders(Headers other) {
        return new HttpRequest(method, uri, other, body, silence);
    }

    public HttpRequest withSilence(@Nullable Duration other) {
        return new HttpRequest(method, uri, headers, body, other);
    }

    /** Without body and credentials: fit for logs. */
    @Override
    public String toString() {
        return method + " " + uri;
    }
}
