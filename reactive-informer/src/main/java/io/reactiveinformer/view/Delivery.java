package io.reactiveinformer.view;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** How one subscription receives changes. */
public final class Delivery {

    private static final Delivery CONFLATED = new Delivery(null);

    private final @Nullable Scheduler scheduler;

    private Delivery(@Nullable Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    /** The latest state of each row, on a worker of {@code Schedulers.parallel()}. */
    public static Delivery conflated() {
        return CONFLATED;
    }

    /** As {@link #conflated()}, on a worker of {@code scheduler}. */
    public static Delivery on(Scheduler scheduler) {
        return new Delivery(Objects.requireNonNull(scheduler, "scheduler"));
    }

    /** Where signals are delivered. Looked up at each subscription, so that virtual time is seen. */
    Scheduler scheduler() {
        return scheduler == null ? Schedulers.parallel() : scheduler;
    }
}
