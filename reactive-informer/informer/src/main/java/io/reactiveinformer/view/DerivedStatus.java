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

    private static final Own GOOD = new Own(Map.of(), null, null, Instant.EPOCH);

    /**
     * @param awaited what is missing without which there are no rows
     * @param since when {@code broken} was thrown, or since when something is missing
     */
    private record Own(Map<Object, Stale> failing, @Nullable Throwable broken, @Nullable String awaited, Instant since) {}

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

    /** Replaces the failing rows, and what is missing; no effect if {@code asker} is not the reporter any more. */
    synchronized void tell(Object asker, Map<Object, Stale> failing, @Nullable String awaited, Instant now) {
        if (asker == teller) {
            own.publish(new Own(failing, null, awaited, now));
        }
    }

    /**
     * Notes that the view is not updated any more, until there is another reporter; no effect if {@code asker} is not the reporter any
     * more.
     */
    synchronized void broke(Object asker, Throwable failure, Instant now) {
        if (asker == teller) {
            own.publish(new Own(Map.of(), failure, null, now));
        }
    }

    private static InformerStatus both(InformerStatus source, Own own) {
        if (own.broken != null && source.state() != InformerStatus.State.STOPPED) {
            Instant since = source.staleSince() == null || own.since.isBefore(source.staleSince()) ? own.since : source.staleSince();
            return new InformerStatus(InformerStatus.State.DISRUPTED, own.since, source.synced(), since, source.awaitedSince(),
                    new TransportException("a derived view has failed: " + own.broken, own.broken),
                            1, null, source.stale(), source.parts());
        }
        if (own.awaited != null && source.cause() == null && source.state() != InformerStatus.State.STOPPED) {
            return new InformerStatus(InformerStatus.State.LISTING, own.since, false, null, own.since,
                    new TransportException("this view awaits " + own.awaited, null), 0, null, source.stale(), source.parts());
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
