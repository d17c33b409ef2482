package io.reactiveinformer.view;

import java.time.Duration;
import reactor.core.scheduler.Scheduler;

/** What a subscriber of a property asks for. */
record Wishes(boolean every, boolean resync, boolean partial, boolean brief) {

    static final Wishes NONE = new Wishes(false, false, false, false);
    static final int LIMIT = 3;

    /** All sixteen kinds. */
    static Wishes of(int kind) {
        return new Wishes(kind % 2 == 1, kind / 2 % 2 == 1, kind / 4 % 2 == 1, kind / 8 % 2 == 1);
    }

    Delivery on(Scheduler scheduler) {
        Delivery delivery = (every ? Delivery.every(LIMIT) : Delivery.conflated()).on(scheduler);
        delivery = resync ? delivery.resync(Duration.ofMinutes(1)) : delivery;
        delivery = brief ? delivery.brief() : delivery;
        return partial ? delivery.partial() : delivery;
    }
}
