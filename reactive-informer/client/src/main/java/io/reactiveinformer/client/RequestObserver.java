package io.reactiveinformer.client;

import java.time.Duration;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import reactor.util.context.ContextView;

/**
 * Notified of each request, for metrics and traces. Called on the transport's threads: never block here. An exception of an observer is
 * caught and logged the first time, and the request goes on. {@link #started} and {@link #ended} do nothing by default.
 */
public interface RequestObserver {

    /** Ignores everything. */
    RequestObserver NONE = new RequestObserver() {};

    /** Called when a request is sent, after any wait for a rate limit or a Retry-After. Each retry is a request of its own. */
    default void started(Request request) {}

    /** Called once for each request that {@link #started} was called for, when it has ended. */
    default void ended(Request request, Outcome outcome) {}

    /**
     * Called instead of {@link #started} and {@link #ended}, which the default implementation calls. For observers that keep state for each
     * request, need the subscriber's context, or send headers, as tracing does.
     *
     * @param asking the context of the subscriber to the answer
     * @param headers adds a header, of a name and a value, to this request; works until this method returns. It never replaces a header of
     *     the request. It silently ignores the headers that an observer may not set, in upper or lower case: {@code Authorization},
     *     {@code Cookie}, {@code Host}, {@code Transfer-Encoding}, {@code Connection}, {@code Upgrade}, and all that begin with
     *     {@code Content-}, {@code Impersonate-} or {@code Accept}; and a header whose name is not an HTTP token, or whose value contains a
     *     control character
     * @return receives the outcome of this request, once
     */
    default Consumer<Outcome> observe(Request request, ContextView asking, BiConsumer<String, String> headers) {
        started(request);
        return outcome -> ended(request, outcome);
    }

    /** An observer that notifies this one and then {@code other}, even if this one throws. */
    default RequestObserver and(RequestObserver other) {
        return ContainedObservers.of(this, other);
    }

    /**
     * A request, as observers see it.
     *
     * @param verb {@code get}, {@code list}, {@code watch}, {@code create}, {@code update}, {@code patch}, {@code apply}, {@code delete},
     *     {@code deletecollection}, {@code discover}, {@code logs} or {@code raw}
     * @param resource the type, such as {@code pods.v1} or {@code pods.v1/status}; the path of a raw request, without its query. Suitable
     *     as a metric's tag
     * @param method the HTTP method
     */
    record Request(String verb, String resource, String method) {}

    /**
     * How a request ended.
     *
     * @param status the HTTP status; 0 if no answer came
     * @param bytes number of bytes of the answer's body that were read, after decompression
     * @param duration from {@link #started} to the end; for a watch, how long it was open
     * @param failure the reason if the request failed, else null
     * @param cancelled whether the subscriber cancelled
     * @param processing how long the thread that delivered the body was busy with it: decoding, and what the subscriber does on that thread
     */
    record Outcome(int status, long bytes, Duration duration, @Nullable Throwable failure, boolean cancelled, Duration processing) {

        /** The outcome of a request whose answer took no time to be processed. */
        public Outcome(int status, long bytes, Duration duration, @Nullable Throwable failure, boolean cancelled) {
            this(status, bytes, duration, failure, cancelled, Duration.ZERO);
        }
    }
}
