package io.reactiveinformer.view;

import io.reactiveinformer.resource.InformerStatus;
import io.reactiveinformer.resource.InformerStatus.Stale;
import io.reactiveinformer.resource.ObjectKey;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;

/** How a derived view stands: as what it is derived from, and with the rows that its own function fails on. */
final class DerivedStatus {

    /** Whoever else tells something at the same moment is done by then. */
    private static final Duration BRIEFLY = Duration.ofSeconds(1);

    private final Sinks.Many<Map<Object, Stale>> failures = Sinks.many().replay().latestOrDefault(Map.of());
    private final Flux<InformerStatus> status;

    DerivedStatus(Flux<InformerStatus> source) {
        status = source.publish(told -> Flux.combineLatest(told, failures.asFlux().takeUntilOther(told.ignoreElements()), DerivedStatus::both))
                .distinctUntilChanged()
                .onBackpressureLatest();
    }

    Flux<InformerStatus> status() {
        return status;
    }

    /** These are all that fail now. */
    void tell(Map<Object, Stale> failing) {
        failures.emitNext(failing, Sinks.EmitFailureHandler.busyLooping(BRIEFLY));
    }

    private static InformerStatus both(InformerStatus source, Map<Object, Stale> failing) {
        if (failing.isEmpty()) {
            return source;
        }
        Map<ObjectKey, Stale> stale = new HashMap<>(source.stale());
        failing.forEach((key, why) -> stale.put(key instanceof ObjectKey named ? named : ObjectKey.clusterScoped("key " + key), why));
        return new InformerStatus(source.state(), source.since(), source.synced(), source.staleSince(), source.cause(), source.attempt(),
                source.retryIn(), stale, source.scopes());
    }
}
