package io.reactiveinformer.recorder;

import io.reactiveinformer.internal.ObserverCalls;
import io.reactiveinformer.recorder.EventRecorder.Occurrence;
import io.reactiveinformer.resource.KubernetesException;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** Calls an observer and catches what it throws, so that no Event is lost to a failing meter. */
final class ContainedRecorderObserver implements EventRecorder.Observer {

    private final EventRecorder.Observer observer;
    private final ObserverCalls calls = new ObserverCalls(LoggerFactory.getLogger(EventRecorder.class), "a recorder");

    ContainedRecorderObserver(EventRecorder.Observer observer) {
        this.observer = observer;
    }

    @Override
    public void written(Occurrence first, int count) {
        calls.contain(() -> observer.written(first, count));
    }

    @Override
    public void dropped(Occurrence occurrence, int times, Drop why, @Nullable KubernetesException cause) {
        calls.contain(() -> observer.dropped(occurrence, times, why, cause));
    }
}
