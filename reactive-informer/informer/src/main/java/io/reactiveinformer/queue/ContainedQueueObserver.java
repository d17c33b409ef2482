package io.reactiveinformer.queue;

import io.reactiveinformer.internal.ObserverCalls;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.slf4j.LoggerFactory;

/**
 * Calls an observer and catches what it throws, so that no key is lost to a failing meter. Nothing is allocated before the observer is
 * called: memory may be short, and a key must not be lost to that.
 */
final class ContainedQueueObserver implements WorkQueue.Observer {

    private volatile WorkQueue.Observer observer;
    private final ObserverCalls calls = new ObserverCalls(LoggerFactory.getLogger(WorkQueue.class), "a queue");

    ContainedQueueObserver(WorkQueue.Observer observer) {
        this.observer = observer;
    }

    void wrap(UnaryOperator<WorkQueue.Observer> around) {
        observer = around.apply(observer);
    }

    @Override
    public void added() {
        try {
            observer.added();
        } catch (Throwable thrown) {
            calls.threw(thrown);
        }
    }

    @Override
    public void taken(Duration waited) {
        try {
            observer.taken(waited);
        } catch (Throwable thrown) {
            calls.threw(thrown);
        }
    }

    @Override
    public void merged() {
        try {
            observer.merged();
        } catch (Throwable thrown) {
            calls.threw(thrown);
        }
    }

    @Override
    public void finished(Duration took) {
        try {
            observer.finished(took);
        } catch (Throwable thrown) {
            calls.threw(thrown);
        }
    }

    @Override
    public void retried(Duration delay) {
        try {
            observer.retried(delay);
        } catch (Throwable thrown) {
            calls.threw(thrown);
        }
    }

    @Override
    public void dropped(int keys, int delayed) {
        try {
            observer.dropped(keys, delayed);
        } catch (Throwable thrown) {
            calls.threw(thrown);
        }
    }
}
