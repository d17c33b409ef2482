package io.reactiveinformer.reflector;

import io.reactiveinformer.delta.ReflectorEvent;
import io.reactiveinformer.internal.ObserverCalls;
import java.time.Duration;
import java.util.function.Consumer;
import org.slf4j.LoggerFactory;

/** Calls two observers, and catches what each throws. */
final class BothObservers implements Reflector.Observer {

    private final Reflector.Observer first;
    private final Reflector.Observer other;
    private final ObserverCalls ofFirst = new ObserverCalls(LoggerFactory.getLogger(Reflector.class), Observation.OBSERVED);
    private final ObserverCalls ofOther = new ObserverCalls(LoggerFactory.getLogger(Reflector.class), Observation.OBSERVED);

    BothObservers(Reflector.Observer first, Reflector.Observer other) {
        this.first = first;
        this.other = other;
    }

    private void tell(Consumer<Reflector.Observer> what) {
        tell(first, ofFirst, what);
        tell(other, ofOther, what);
    }

    /** For each event: allocates nothing. */
    private static void tell(Reflector.Observer observer, ObserverCalls calls, Consumer<Reflector.Observer> what) {
        try {
            what.accept(observer);
        } catch (Throwable thrown) {
            calls.threw(thrown);
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
