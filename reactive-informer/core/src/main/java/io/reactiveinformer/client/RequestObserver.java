package io.reactiveinformer.client;

import java.time.Duration;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import reactor.util.context.ContextView;

/**
 * Is told of each request, as metrics and traces need it. Called on the transport's threads: never block here. What an observer throws is
 * logged and harms no request.
 */
public interface RequestObserver {

    /** Looks away. */
    RequestObserver NONE = new RequestObserver() {};

    /** A request goes out now. What it waited for before, a rate limit or a Retry-After, is over; each retry is a request of its own. */
    default void started(Request request) {}

    /** The request that {@link #started} told of is over; called once for each. */
    default void ended(Request request, Outcome outcome) {}

    /**
     * For who must tell one request from all others, or know who asked: called instead of {@link #started} and {@link #ended}, which it calls unless it is
     * overridden.
     *
     * @param asking the context of whoever subscribed to the answer
     * @return is told once how the request ended
     */
    default Consumer<Outcome> observe(Request request, ContextView asking) {
        started(request);
        return outcome -> ended(request, outcome);
    }

    /**
     * For who sends something along, as traces do: called instead of {@link #observe(Request, ContextView)}, which it calls unless it is overridden.
     *
     * @param headers takes name and value of a header for this request, until this returns. What the request says by itself stays. Left out silently are
     *     those that are not an observer's to say, in whatever case: {@code Authorization}, {@code Cookie}, {@code Host}, {@code Transfer-Encoding},
     *     {@code Connection}, {@code Upgrade}, and all that begin with {@code Content-}, {@code Impersonate-} or {@code Accept}; and any whose name is
     *     no token of HTTP, or whose value holds a control character
     */
    default Consumer<Outcome> observe(Request request, ContextView asking, BiConsumer<String, String> headers) {
        return observe(request, asking);
    }

    /** This and {@code other}: each is told of everything, whatever the other throws. */
    default RequestObserver and(RequestObserver other) {
        return this == NONE ? other : other == NONE ? this : new BothObservers(this, other);
    }

    /**
     * @param verb {@code get}, {@code list}, {@code watch}, {@code create}, {@code update}, {@code patch}, {@code apply}, {@code delete},
     *     {@code deletecollection}, {@code discover}, {@code logs} or {@code raw}
     * @param resource of what type, such as {@code pods.v1} or {@code pods.v1/status}; the path of a raw request. Fit for a label
     * @param method of HTTP
     */
    record Request(String verb, String resource, String method) {}

    /**
     * @param status of HTTP; 0 where no answer came
     * @param bytes of the answer's body, as far as it was read, uncompressed
     * @param duration from {@link #started} to the end: of a watch, how long it was open
     * @param failure why it failed; null where it did not
     * @param cancelled whether whoever had asked hung up
     * @param processing how long the thread that delivered the body was busy with it: decoding, and whatever who asked does there
     */
    record Outcome(int status, long bytes, Duration duration, @Nullable Throwable failure, boolean cancelled, Duration processing) {

        /** Of a request whose answer took no time to be processed. */
        public Outcome(int status, long bytes, Duration duration, @Nullable Throwable failure, boolean cancelled) {
            this(status, bytes, duration, failure, cancelled, Duration.ZERO);
        }
    }
}
