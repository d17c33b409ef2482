package io.reactiveinformer.internal.informer;

import io.reactiveinformer.internal.ObserverCalls;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;

/** Notifies one observer; see {@link ObserverCalls} for what it throws. */
public final class Observed<O> {

    private final Class<O> type;
    private volatile O observer;
    private final Consumer<Throwable> threw;

    /** @param observed for the log, such as {@code a queue} */
    public Observed(Class<O> type, O observer, Logger log, String observed) {
        this.type = type;
        this.observer = observer;
        this.threw = new ObserverCalls(log, observed)::threw;
    }

    /** Makes {@code call} with the observer. */
    public void tell(Consumer<? super O> call) {
        Contained.call(call, observer, threw);
    }

    /** As {@link Instrumented#wrap}; the observer is the only part. */
    public <P> void wrap(Class<P> part, UnaryOperator<P> around) {
        if (part == type) {
            observer = type.cast(around.apply(part.cast(observer)));
        }
    }
}
