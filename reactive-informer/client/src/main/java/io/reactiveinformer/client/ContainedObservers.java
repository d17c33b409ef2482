package io.reactiveinformer.client;

import io.reactiveinformer.internal.ObserverCalls;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.slf4j.LoggerFactory;
import reactor.util.context.ContextView;

/**
 * Notifies observers one after the other, and catches what each throws. One that throws at the start of a request is notified of its end
 * all the same.
 */
final class ContainedObservers implements RequestObserver {

    private record Contained(RequestObserver observer, ObserverCalls calls) {

        Consumer<Outcome> observe(Request request, ContextView asking, BiConsumer<String, String> headers) {
            Consumer<Outcome> ended = begin(request, asking, headers);
            return outcome -> calls.contain(() -> ended.accept(outcome));
        }

        private Consumer<Outcome> begin(Request request, ContextView asking, BiConsumer<String, String> headers) {
            try {
                return observer.observe(request, asking, headers);
            } catch (Throwable thrown) { // an observer that throws does not end the request
                calls.threw(thrown);
                return outcome -> observer.ended(request, outcome);
            }
        }
    }

    private final List<Contained> all = new ArrayList<>();

    private ContainedObservers() {}

    /** {@code observers}, contained; {@link RequestObserver#NONE} if there is no other. */
    static RequestObserver of(RequestObserver... observers) {
        var contained = new ContainedObservers();
        for (RequestObserver observer : observers) {
            if (observer instanceof ContainedObservers several) {
                contained.all.addAll(several.all);
            } else if (observer != NONE) {
                var calls = new ObserverCalls(LoggerFactory.getLogger(RequestObserver.class), "requests");
                contained.all.add(new Contained(observer, calls));
            }
        }
        return contained.all.isEmpty() ? NONE : contained;
    }

    @Override
    public void started(Request request) {
        all.forEach(each -> each.calls.contain(() -> each.observer.started(request)));
    }

    @Override
    public void ended(Request request, Outcome outcome) {
        all.forEach(each -> each.calls.contain(() -> each.observer.ended(request, outcome)));
    }

    @Override
    public Consumer<Outcome> observe(Request request, ContextView asking, BiConsumer<String, String> headers) {
        List<Consumer<Outcome>> ends = all.stream().map(each -> each.observe(request, asking, headers)).toList();
        return outcome -> ends.forEach(end -> end.accept(outcome));
    }
}
