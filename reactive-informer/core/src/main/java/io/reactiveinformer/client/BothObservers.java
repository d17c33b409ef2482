package io.reactiveinformer.client;

import java.util.function.BiConsumer;
import java.util.function.Consumer;
import reactor.util.context.ContextView;

/** Calls two observers. An exception of the first is thrown after the other was called. */
record BothObservers(RequestObserver first, RequestObserver other) implements RequestObserver {

    private void tell(Consumer<RequestObserver> what) {
        try {
            what.accept(first);
        } finally {
            what.accept(other);
        }
    }

    @Override
    public void started(Request request) {
        tell(one -> one.started(request));
    }

    @Override
    public void ended(Request request, Outcome outcome) {
        tell(one -> one.ended(request, outcome));
    }

    @Override
    public Consumer<Outcome> observe(Request request, ContextView asking) {
        return observe(request, asking, (name, value) -> {});
    }

    @Override
    public Consumer<Outcome> observe(Request request, ContextView asking, BiConsumer<String, String> headers) {
        Consumer<Outcome> told = ObservedRequest.begin(first, request, asking, headers);
        Consumer<Outcome> alsoTold = ObservedRequest.begin(other, request, asking, headers);
        return outcome -> {
            try {
                told.accept(outcome);
            } finally {
                alsoTold.accept(outcome);
            }
        };
    }
}
