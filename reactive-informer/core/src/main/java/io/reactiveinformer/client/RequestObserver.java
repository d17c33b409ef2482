package io.reactiveinformer.client;

import java.time.Duration;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import reactor.util.context.ContextView;

/**
 * Notified of each request, for metrics and traces. Called on the transport's threads: never block here. What an observer throws is caught,
 * logged the first time, and harms no request. {@link #started} and {@link #ended} do nothing by default.
 */
public interface RequestObserver {

    /** Ignores everything. */
    RequestObserver NONE = new RequestObserver() {};

    /** A request goes out now. Its waits before that, for a rate limit or a Retry-After, are over; each retry is a request of its own. */
    default void started(Request request) {}

    /** The request that {@link #started} reported is over; called once for each. */
    default void ended(Request request, Outcome outcome) {}

    /**
     * For an observer that has to distinguish one request from all others, or needs the subscriber's context: called instead of
     * {@link #started} and {@link #ended}, which it calls unless it is overridden.
     *
     * @param asking the context of the subscriber to the answer
     * @return called once, with how the request ended
     */
    default Consumer<Outcome> observe(Request request, ContextView asking) {
        started(request);
        return outcome -> ended(request, outcome);
    }

    /**
     * For an observer that sends headers, as traces do: called instead of {@link #observe(Request, ContextView)}, which it calls unless it
     * is overridden.
     *
     * @param headers takes name and value of a header for this request, until this returns. The request's own headers stay. Silently left
     *     out are those that an observer may not set, in upper or lower case: {@code Authorization}, {@code Cookie}, {@code Host},
     *     {@code Transfer-Encoding}, {@code Connection}, {@code Upgrade}, and all that begin with {@code Content-}, {@code Impersonate-} or
     *     {@code Accept}; and any whose name is no token of HTTP, or whose value contains a control character
     */
    default Consumer<Outcome> observe(Request request, ContextView asking, BiConsumer<String, String> headers) {
        return observe(request, asking);
    }

    /** An observer that notifies this one and then {@code other}, whatever either of them throws. */
    default RequestObserver and(RequestObserver other) {
        return this == NONE ? other : other == NONE ? this : new ContainedRequestObserver.Both(this, other);
    }

    /**
     * A request.
     *
     * @param verb {@code get}, {@code list}, {@code watch}, {@code create}, {@code update}, {@code patch}, {@code apply}, {@code delete},
     *     {@code deletecollection}, {@code discover}, {@code logs} or {@code raw}
     * @param resource the type, such as {@code pods.v1} or {@code pods.v1/status}; the path of a raw request. Fit for a label
     * @param method of HTTP
     */
    record Request(String verb, String resource, String method) {}

    /**
     * How a request ended.
     *
     * @param status of HTTP; 0 if no answer came
     * @param bytes of the answer's body, as far as it was read, uncompressed
     * @param duration from {@link #started} to the end: of a watch, how long it was open
     * @param failure why it failed; null if it did not
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
