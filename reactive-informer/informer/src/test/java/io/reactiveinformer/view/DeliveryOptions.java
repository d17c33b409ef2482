package io.reactiveinformer.view;

import java.time.Duration;
import reactor.core.scheduler.Scheduler;

/** The options of a subscription in a property test. */
record DeliveryOptions(boolean every, boolean resync, boolean partial, boolean brief) {

    static final DeliveryOptions NONE = new DeliveryOptions(false, false, false, false);
    static final int LIMIT = 3;

    /** All sixteen kinds. */
    static DeliveryOptions of(int kind) {
        return new DeliveryOptions(kind % 2 == 1, kind / 2 % 2 == 1, kind / 4 % 2 == 1, kind / 8 % 2 == 1);
    }

    Delivery on(Scheduler scheduler) {
        Delivery delivery = (every ? Delivery.every(LIMIT) : Delivery.conflated()).on(scheduler);
        delivery = resync ? delivery.resync(Duration.ofMinutes(1)) : delivery;
        delivery = brief ? delivery.brief() : delivery;
        return partial ? delivery.partial() : delivery;
    }
}
