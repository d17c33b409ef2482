package io.reactiveinformer.queue;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Calls an observer and catches what it throws, so that no key is lost to a failing meter. */
final class ContainedObserver implements WorkQueue.Observer {

    private static final Logger LOG = LoggerFactory.getLogger(WorkQueue.class);

    private final WorkQueue.Observer observer;
    private final AtomicBoolean logged = new AtomicBoolean();

    ContainedObserver(WorkQueue.Observer observer) {
        this.observer = observer;
    }

    /**
     * Neither this method nor its callers allocate before the observer is called: memory may be short, and a key must not be lost to that.
     */
    private void threw(Throwable thrown) {
        try {
            if (!logged.getAndSet(true)) {
                LOG.warn("the observer of a queue threw, and its figures may be wrong from now on; the queue goes on, and further failures "
                        + "are not logged", thrown);
            }
        } catch (Throwable again) {
            // the queue goes on
        }
    }

    @Override
    public void added() {
        try {
            observer.added();
        } catch (Throwable thrown) {
            threw(thrown);
        }
    }

    @Override
    public void taken(Duration waited) {
        try {
            observer.taken(waited);
        } catch (Throwable thrown) {
            threw(thrown);
        }
    }

    @Override
    public void finished(Duration took) {
        try {
            observer.finished(took);
        } catch (Throwable thrown) {
            threw(thrown);
        }
    }

    @Override
    public void retried(Duration delay) {
        try {
            observer.retried(delay);
        } catch (Throwable thrown) {
            threw(thrown);
        }
    }

    @Override
    public void dropped(int keys, int delayed) {
        try {
            observer.dropped(keys, delayed);
        } catch (Throwable thrown) {
            threw(thrown);
        }
    }
}
