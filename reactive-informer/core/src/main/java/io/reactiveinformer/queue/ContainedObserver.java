package io.reactiveinformer.queue;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Calls an observer and catches what it throws, so that no key is lost to a failing meter. */
final class ContainedObserver implements WorkQueueObserver {

    private static final Logger LOG = LoggerFactory.getLogger(WorkQueue.class);

    private final WorkQueueObserver observer;
    private final AtomicBoolean logged = new AtomicBoolean();

    ContainedObserver(WorkQueueObserver observer) {
        this.observer = observer;
    }

    private void tell(Runnable what) {
        try {
            what.run();
        } catch (Throwable thrown) {
            if (!logged.getAndSet(true)) {
                LOG.warn("the observer of a queue threw, and what it counts may be wrong from now on; the queue goes on, and more of this is not logged", thrown);
            }
        }
    }

    @Override
    public void added() {
        tell(observer::added);
    }

    @Override
    public void taken(Duration waited) {
        tell(() -> observer.taken(waited));
    }

    @Override
    public void finished(Duration took) {
        tell(() -> observer.finished(took));
    }

    @Override
    public void retried(Duration delay) {
        tell(() -> observer.retried(delay));
    }

    @Override
    public void dropped(int keys, int delayed) {
        tell(() -> observer.dropped(keys, delayed));
    }
}
