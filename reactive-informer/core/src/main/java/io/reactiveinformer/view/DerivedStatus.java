package io.reactiveinformer.view;

import io.reactiveinformer.resource.InformerStatus;
import io.reactiveinformer.resource.InformerStatus.Stale;
import io.reactiveinformer.resource.ObjectKey;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;

/** How a derived view stands: as what it is derived from, and with the rows that its own function fails on. */
final class DerivedStatus {

    private final Sinks.Many<Map<Object, Stale>> failures = Sinks.many().replay().latestOrDefault(Map.of()); // guarded by this
    private final Function<Delivery, Flux<InformerStatus>> source;
    private @Nullable Object teller; // guarded by this

    /** @param source how what it is derived from stands */
    DerivedStatus(Function<Delivery, Flux<InformerStatus>> source) {
        this.source = source;
    }

    /** Where the delivery says: whoever tells something is not held up by those who hear it. */
    Flux<InformerStatus> on(Delivery delivery) {
        return source.apply(delivery)
                .publish(told -> Flux.combineLatest(told, failures.asFlux().takeUntilOther(told.ignoreElements()), DerivedStatus::both))
                .distinctUntilChanged()
                .onBackpressureLatest()
                .publishOn(delivery.scheduler(), 1);
    }

    /** From now on it is {@code next} that tells which rows fail, of which there are none yet; null if nobody does, and {@code last} did so until now. */
    synchronized void isToldBy(@Nullable Object last, @Nullable Object next) {
        if (next == null && teller != last) {
            return; // another one does so already
        }
        teller = next;
        failures.tryEmitNext(Map.of()).orThrow();
    }

    /** These are all that fail now; without effect if it is not for {@code asker} to tell any more. */
    synchronized void tell(Object asker, Map<Object, Stale> failing) {
        if (asker == teller) {
            failures.tryEmitNext(failing).orThrow();
        }
    }

    private static InformerStatus both(InformerStatus source, Map<Object, Stale> failing) {
        if (failing.isEmpty()) {
            return source;
        }
        Map<ObjectKey, Stale> stale = new HashMap<>(source.stale());
        failing.forEach((key, why) -> stale.put(key instanceof ObjectKey named ? named : ObjectKey.clusterScoped("key " + key), why));
        return new InformerStatus(source.state(), source.since(), source.synced(), source.staleSince(), source.awaitedSince(), source.cause(),
                source.attempt(), source.retryIn(), stale, source.scopes());
    }
}
