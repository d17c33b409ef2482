package io.reactiveinformer.client;

import io.reactiveinformer.internal.ObserverCalls;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.slf4j.LoggerFactory;
import reactor.util.context.ContextView;

/** Calls an observer and catches what it throws. One that throws at the start of a request is notified of its end all the same. */
final class ContainedRequestObserver implements RequestObserver {

    private final RequestObserver observer;
    private final ObserverCalls calls = new ObserverCalls(LoggerFactory.getLogger(RequestObserver.class), "requests");

    private ContainedRequestObserver(RequestObserver observer) {
        this.observer = observer;
    }

    /** {@code observer}, contained; {@link RequestObserver#NONE} stays what it is. */
    static RequestObserver of(RequestObserver observer) {
        return observer == NONE || observer instanceof ContainedRequestObserver ? observer : new ContainedRequestObserver(observer);
    }

    @Override
    public void started(Request request) {
        calls.contain(() -> observer.started(request));
    }

    @Override
    public void ended(Request request, Outcome outcome) {
        calls.contain(() -> observer.ended(request, outcome));
    }

    @Override
    public Consumer<Outcome> observe(Request request, ContextView asking) {
        return observe(request, asking, (name, value) -> {});
    }

    @Override
    public Consumer<Outcome> observe(Request request, ContextView asking, BiConsumer<String, String> headers) {
        Consumer<Outcome> ended;
        try {
            ended = observer.observe(request, asking, headers);
        } catch (Throwable thrown) {
            calls.threw(thrown);
            ended = outcome -> observer.ended(request, outcome);
        }
        Consumer<Outcome> end = ended;
        return outcome -> calls.contain(() -> end.accept(outcome));
    }

    /** Notifies {@code first} and then {@code other}. */
    record Both(RequestObserver first, RequestObserver other) implements RequestObserver {

        Both {
            first = of(first);
            other = of(other);
        }

        @Override
        public void started(Request request) {
            first.started(request);
            other.started(request);
        }

        @Override
        public void ended(Request request, Outcome outcome) {
            first.ended(request, outcome);
            other.ended(request, outcome);
        }

        @Override
        public Consumer<Outcome> observe(Request request, ContextView asking) {
            return observe(request, asking, (name, value) -> {});
        }

        @Override
        public Consumer<Outcome> observe(Request request, ContextView asking, BiConsumer<String, String> headers) {
            return first.observe(request, asking, headers).andThen(other.observe(request, asking, headers));
        }
    }
}
