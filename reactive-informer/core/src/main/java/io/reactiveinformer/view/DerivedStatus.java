package io.reactiveinformer.view;

import io.reactiveinformer.internal.Hub;
import io.reactiveinformer.internal.Latest;
import io.reactiveinformer.resource.InformerStatus;
import io.reactiveinformer.resource.InformerStatus.Stale;
import io.reactiveinformer.resource.ObjectKey;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;

/** The status of a derived view: that of its source, plus the rows that its own function fails on. */
final class DerivedStatus {

    private final Hub<Map<Object, Stale>> failures = Hub.ofStates(1);
    private final Function<Delivery, Flux<InformerStatus>> source;
    private @Nullable Object teller; // guarded by this

    /** @param source the status of the source */
    DerivedStatus(Function<Delivery, Flux<InformerStatus>> source) {
        this.source = source;
        failures.publish(Map.of());
    }

    /** Delivered on the scheduler of the delivery, so that subscribers do not block the thread that emits a status. */
    Flux<InformerStatus> on(Delivery delivery) {
        return Latest.with(source.apply(delivery), failures.flux(Schedulers.immediate()), delivery.scheduler(), DerivedStatus::both);
    }

    /**
     * Makes {@code next} the reporter of failing rows, of which there are none yet. If {@code next} is null, there is no reporter any more;
     * this has no effect unless {@code last} was the reporter.
     */
    synchronized void isToldBy(@Nullable Object last, @Nullable Object next) {
        if (next == null && teller != last) {
            return; // there is another reporter already
        }
        teller = next;
        failures.publish(Map.of());
    }

    /** Sets all rows that fail now; has no effect if {@code asker} is no longer the reporter. */
    synchronized void tell(Object asker, Map<Object, Stale> failing) {
        if (asker == teller) {
            failures.publish(failing);
        }
    }

    private static InformerStatus both(InformerStatus source, Map<Object, Stale> failing) {
        if (failing.isEmpty()) {
            return source;
        }
        Map<ObjectKey, Stale> stale = new HashMap<>(source.stale());
        failing.forEach((key, why) -> stale.put(key instanceof ObjectKey named ? named : ObjectKey.clusterScoped("key " + key), why));
        return new InformerStatus(source.state(), source.since(), source.synced(), source.staleSince(), source.awaitedSince(), source.cause(),
                source.attempt(), source.retryIn(), stale, source.parts());
    }
}
