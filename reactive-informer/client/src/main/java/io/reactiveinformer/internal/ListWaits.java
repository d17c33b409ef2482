package io.reactiveinformer.internal;

import java.util.function.Consumer;
import reactor.core.publisher.Flux;
import reactor.util.context.ContextView;

/**
 * The wait of a list for its place with the client, as far as the sender of the list takes part in it. Passed in the Reactor context:
 * between the two is a source, which may be the user's.
 */
public final class ListWaits {

    private static final String WAITS = ListWaits.class.getName() + ".waits";
    private static final String URGENT = ListWaits.class.getName() + ".urgent";

    private ListWaits() {}

    /**
     * Reports each wait within {@code request}, which is no silence of the server.
     *
     * @param waits receives true before a wait begins, and false when it is over
     */
    public static <R> Flux<R> reported(Flux<R> request, Consumer<Boolean> waits) {
        return request.contextWrite(context -> context.put(WAITS, waits(context).andThen(waits)));
    }

    /** Lets {@code request} wait only for others that are urgent: the next page of a list whose token expires, and what takes no time. */
    public static <R> Flux<R> urgent(Flux<R> request) {
        return request.contextWrite(context -> context.put(URGENT, true));
    }

    /** The receiver of reports; a receiver of nothing if there is none. */
    public static Consumer<Boolean> waits(ContextView context) {
        return context.<Consumer<Boolean>>getOrEmpty(WAITS).orElse(waiting -> {});
    }

    /** Whether the request is {@link #urgent}. */
    public static boolean isUrgent(ContextView context) {
        return context.hasKey(URGENT);
    }
}
