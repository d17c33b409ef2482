package io.reactiveinformer.recorder;

import io.reactiveinformer.internal.ObserverCalls;
import io.reactiveinformer.internal.operator.CountsEvents;
import io.reactiveinformer.recorder.EventRecorder.Occurrence;
import io.reactiveinformer.resource.KubernetesException;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** Calls an observer and catches what it throws, so that no Event is lost to a failing meter. Counts, for people. */
final class ContainedRecorderObserver implements EventRecorder.Observer {

    private volatile EventRecorder.Observer observer;
    private final ObserverCalls calls = new ObserverCalls(LoggerFactory.getLogger(EventRecorder.class), "a recorder");
    private final LongAdder written = new LongAdder();
    private final LongAdder dropped = new LongAdder();
    private volatile @Nullable String lastDrop;

    ContainedRecorderObserver(EventRecorder.Observer observer) {
        this.observer = observer;
    }

    void wrap(UnaryOperator<EventRecorder.Observer> around) {
        observer = around.apply(observer);
    }

    @Override
    public void written(Occurrence first, int count) {
        calls.contain(written::increment);
        calls.contain(() -> observer.written(first, count));
    }

    @Override
    public void dropped(Occurrence occurrence, int times, Drop why, @Nullable KubernetesException cause) {
        calls.contain(() -> {
            dropped.add(times);
            lastDrop = occurrence.reason() + " as " + why + (cause == null ? "" : ": " + cause.getMessage());
        });
        calls.contain(() -> observer.dropped(occurrence, times, why, cause));
    }

    CountsEvents.Counts counts(String reporter) {
        return new CountsEvents.Counts(reporter, written.sum(), dropped.sum(), lastDrop);
    }

    /** {@code 12 written, 1 dropped, last Mirrored as REFUSED: 403 Forbidden …}. */
    @Override
    public String toString() {
        String last = lastDrop;
        return written + " written, " + dropped + " dropped" + (last == null ? "" : ", last " + last);
    }
}
