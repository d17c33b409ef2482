package io.reactiveinformer.recorder;

import io.reactiveinformer.recorder.EventRecorder.Occurrence;
import io.reactiveinformer.resource.KubernetesException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Calls an observer and catches what it throws, so that no Event is lost to a failing meter. */
final class ContainedObserver implements EventRecorder.Observer {

    private static final Logger LOG = LoggerFactory.getLogger(EventRecorder.class);

    private final EventRecorder.Observer observer;
    private final AtomicBoolean logged = new AtomicBoolean();

    ContainedObserver(EventRecorder.Observer observer) {
        this.observer = observer;
    }

    private void tell(Runnable what) {
        try {
            what.run();
        } catch (Throwable thrown) {
            if (!logged.getAndSet(true)) {
                LOG.warn("the observer of a recorder threw, and its figures may be wrong from now on; recording goes on, and further "
                        + "failures are not logged", thrown);
            }
        }
    }

    @Override
    public void written(Occurrence first, int count) {
        tell(() -> observer.written(first, count));
    }

    @Override
    public void dropped(Occurrence occurrence, int times, Drop why, @Nullable KubernetesException cause) {
        tell(() -> observer.dropped(occurrence, times, why, cause));
    }
}
