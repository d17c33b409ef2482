package io.reactiveinformer.view;

import io.reactiveinformer.client.Known.Stale;
import io.reactiveinformer.internal.informer.LatestSubscription;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.view.InformerStatus.State;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;

/** The status of a view that is derived from two views: the worse of their states, as stale as the staler one. */
final class JoinedStatus {

    private static final List<State> WORSE_AND_WORSE = List.of(State.LIVE, State.LISTING, State.IDLE, State.DISRUPTED, State.STOPPED);

    private JoinedStatus() {}

    static Flux<InformerStatus> of(Flux<InformerStatus> one, Flux<InformerStatus> other) {
        return LatestSubscription.both(one, other, Schedulers.immediate(), JoinedStatus::both);
    }

    private static InformerStatus both(InformerStatus one, InformerStatus other) {
        InformerStatus worse = WORSE_AND_WORSE.indexOf(one.state()) >= WORSE_AND_WORSE.indexOf(other.state()) ? one : other;
        return new InformerStatus(
                worse.state(),
                one.state() == State.LIVE && other.state() == State.LIVE ? later(one.since(), other.since()) : worse.since(),
                one.synced() && other.synced(),
                earliest(one.staleSince(), other.staleSince()),
                earliest(one.awaitedSince(), other.awaitedSince()),
                worse.cause(),
                worse.attempt(),
                worse.retryIn(),
                both(one.stale(), other.stale()),
                Map.of());
    }

    private static Map<ObjectKey, Stale> both(Map<ObjectKey, Stale> one, Map<ObjectKey, Stale> other) {
        if (one.isEmpty() || other.isEmpty()) {
            return one.isEmpty() ? other : one;
        }
        Map<ObjectKey, Stale> stale = new HashMap<>(one);
        other.forEach(stale::putIfAbsent);
        return stale;
    }

    private static Instant later(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }

    private static @Nullable Instant earliest(@Nullable Instant one, @Nullable Instant other) {
        return one == null || other != null && other.isBefore(one) ? other : one;
    }
}
