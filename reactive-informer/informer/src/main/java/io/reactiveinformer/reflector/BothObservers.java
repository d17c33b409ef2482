package io.reactiveinformer.reflector;

import io.reactiveinformer.delta.ReflectorEvent;
import io.reactiveinformer.internal.informer.Observed;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** Calls two observers, and catches what each throws. */
final class BothObservers implements Reflector.Observer {

    private final List<Observed<Reflector.Observer>> both;

    BothObservers(Reflector.Observer first, Reflector.Observer other) {
        this.both = List.of(Observation.observed(first), Observation.observed(other));
    }

    private void tell(Consumer<Reflector.Observer> what) {
        both.forEach(one -> one.tell(what));
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
