package io.reactiveinformer.transport;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One HTTP request. {@link #toString} shows no secret.
 *
 * @param method upper case, such as {@code GET}
 * @param uri path and query, encoded, beginning with a slash
 * @param headers of the request; the transport adds those of the protocol
 * @param body null for none; its type is in {@code headers}
 * @param silence the longest time without a byte of the answer's body while one is awaited; null for the transport's own limit. The same
 *     limit holds for the answer's headers, but never more than the transport's own
 */
@SuppressWarnings("ArrayRecordComponent") // lent to the transport for one request; copying bodies would gain nothing
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

    /** Method and path only: safe for logs. */
    @Override
    public String toString() {
        return method + " " + uri;
    }

    /** Header fields by name, ignoring case. Immutable. */
    public static final class Headers {

        private static final Headers EMPTY = new Headers(new TreeMap<>(String.CASE_INSENSITIVE_ORDER));

        private final Map<String, List<String>> fields;

        private Headers(Map<String, List<String>> fields) {
            this.fields = fields;
        }

        /** No fields. */
        public static Headers empty() {
            return EMPTY;
        }

        /**
         * One field.
         *
         * @throws IllegalArgumentException if {@link #with} refuses the value
         */
        public static Headers of(String name, String value) {
            return EMPTY.with(name, value);
        }

        /**
         * The fields of {@code entries}, as a server or client library lists them; a name may occur more than once. Values are not checked.
         */
        public static Headers copyOf(Iterable<Map.Entry<String, String>> entries) {
            Headers headers = EMPTY;
            for (Map.Entry<String, String> entry : entries) {
                headers = headers.withReceived(entry.getKey(), entry.getValue());
            }
            return headers;
        }

        /**
         * A copy with one more field; fields of the same name stay.
         *
         * @throws IllegalArgumentException if the value contains a control character other than a tab, and so could begin another field
         */
        public Headers with(String name, String value) {
            if (value.chars().anyMatch(character -> character != '\t' && Character.isISOControl(character))) {
                throw new IllegalArgumentException("the header " + name + " must be text on one line, but contains a control character");
            }
            return withReceived(name, value);
        }

        private Headers withReceived(String name, String value) {
            var more = new TreeMap<String, List<String>>(String.CASE_INSENSITIVE_ORDER);
            more.putAll(fields);
            more.merge(name, List.of(value), (old, added) -> Stream.concat(old.stream(), added.stream()).toList());
            return new Headers(more);
        }

        /** The first value of {@code name}; empty if there is none. */
        public Optional<String> first(String name) {
            return all(name).stream().findFirst();
        }

        /** All values of {@code name} in the order in which they were added; empty if there is none. Unmodifiable. */
        public List<String> all(String name) {
            return Collections.unmodifiableList(fields.getOrDefault(name, List.of()));
        }

        /**
         * Calls {@code action} with name and value of each field: names in alphabetical order, ignoring case; values in the order of
         * addition.
         */
        public void forEach(BiConsumer<String, String> action) {
            fields.forEach((name, values) -> values.forEach(value -> action.accept(name, value)));
        }

        /** Names only: values may be credentials. */
        @Override
        public String toString() {
            return fields.keySet().toString();
        }
    }
}
