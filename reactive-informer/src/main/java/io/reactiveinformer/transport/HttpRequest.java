package io.reactiveinformer.transport;

import org.jspecify.annotations.Nullable;

/**
 * @param method upper case, such as {@code GET}
 * @param uri path and query, encoded, beginning with a slash
 * @param body null for none; its type is in {@code headers}
 */
@SuppressWarnings("ArrayRecordComponent") // lent to the transport for one request; copying bodies would buy nothing
public record HttpRequest(String method, String uri, Headers headers, byte @Nullable [] body) {

    public static HttpRequest get(String uri, Headers headers) {
        return new HttpRequest("GET", uri, headers, null);
    }

    /** Without body and credentials: fit for logs. */
    @Override
    public String toString() {
        return method + " " + uri;
    }
}
