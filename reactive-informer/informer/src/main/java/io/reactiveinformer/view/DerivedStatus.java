package io.reactiveinformer.view;

import io.reactiveinformer.client.Known.Stale;
import io.reactiveinformer.internal.informer.LatestSubscription;
import io.reactiveinformer.internal.informer.LatestValues;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.TransportException;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;

/** The status of a derived view: that of its source, with the rows for which its own function throws, or the failure of the view itself. */
final class DerivedStatus {

    private static final Own GOOD = new Own(Map.of(), null, Instant.EPOCH);

    /** @param since when {@code broken} was thrown, if it is not null */
    private record Own(Map<Object, Stale> failing, @Nullable Throwable broken, Instant since) {}

    private final LatestValues<Own> own = LatestValues.ofStates(1);
    private final Function<Delivery, Flux<InformerStatus>> source;
    private @Nullable Object teller; // guarded by this

    /** @param source the status of the source */
    DerivedStatus(Function<Delivery, Flux<InformerStatus>> source) {
        this.source = source;
        own.publish(GOOD);
    }

    /** The status, delivered on the scheduler of the delivery, so that subscribers do not block the thread that emits it. */
    Flux<InformerStatus> on(Delivery delivery) {
        return LatestSubscription.with(source.apply(delivery), own.flux(Schedulers.immediate()), delivery.scheduler(), DerivedStatus::both);
    }

    /**
     * Makes {@code next} the reporter of failing rows, and begins without any. If {@code next} is null, there is no reporter any more, but
     * only if {@code last} was the reporter.
     */
    synchronized void isToldBy(@Nullable Object last, @Nullable Object next) {
        if (next == null && teller != last) {
            return; // there is another reporter already
        }
        teller = next;
        own.publish(GOOD);
    }

    /** Replaces the failing rows; no effect if {@code asker} is not the reporter any more. */
    synchronized void tell(Object asker, Map<Object, Stale> failing) {
        if (asker == teller) {
            own.publish(new Own(failing, null, Instant.EPOCH));
        }
    }

    /**
     * Notes that the view is not updated any more, until there is another reporter; no effect if {@code asker} is not the reporter any
     * more.
     */
    synchronized void broke(Object asker, Throwable failure, Instant now) {
        if (asker == teller) {
            own.publish(new Own(Map.of(), failure, now));
        }
    }

    private static InformerStatus both(InformerStatus source, Own own) {
        if (own.broken != null && source.state() != InformerStatus.State.STOPPED) {
            Instant since = source.staleSince() == null || own.since.isBefore(source.staleSince()) ? own.since : source.staleSince();
            return new InformerStatus(InformerStatus.State.DISRUPTED, own.since, source.synced(), since, source.awaitedSince(),
                    new TransportException("a derived view has failed: " + own.broken, own.broken),
                            1, null, source.stale(), source.parts());
        }
        if (own.failing.isEmpty()) {
            return source;
        }
        Map<ObjectKey, Stale> stale = new HashMap<>(source.stale());
        own.failing.forEach((key, why) -> stale.put(key instanceof ObjectKey named ? named : ObjectKey.clusterScoped("key " + key), why));
        return new InformerStatus(source.state(), source.since(), source.synced(), source.staleSince(),
                source.awaitedSince(), source.cause(),
                source.attempt(), source.retryIn(), stale, source.parts());
    }
}
