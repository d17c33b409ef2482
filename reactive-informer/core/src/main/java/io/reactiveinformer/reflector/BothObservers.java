package io.reactiveinformer.reflector;

import io.reactiveinformer.delta.ReflectorEvent;
import java.time.Duration;
import java.util.function.Consumer;

/** Calls two observers. What the first throws is thrown after the other has been called. */
record BothObservers(Reflector.Observer first, Reflector.Observer other) implements Reflector.Observer {

    private void tell(Consumer<Reflector.Observer> what) {
        try {
            what.accept(first);
        } finally {
            what.accept(other);
        }
    }

    @Override
    public void listing(String reason) {
        tell(one -> one.listing(reason));
    }

    @Override
    public void listed(int objects, Duration took) {
        tell(one -> one.listed(objects, took));
    }

    @Override
    public void watching(String resourceVersion) {
        tell(one -> one.watching(resourceVersion));
    }

    @Override
    public void stale(Duration time) {
        tell(one -> one.stale(time));
    }

    @Override
    public void received(ReflectorEvent<?> event) {
        tell(one -> one.received(event));
    }

    @Override
    public void watched(int events, Duration lasted) {
        tell(one -> one.watched(events, lasted));
    }

    @Override
    public void disrupted(ReflectorEvent.Disrupted<?> disruption) {
        tell(one -> one.disrupted(disruption));
    }
}
