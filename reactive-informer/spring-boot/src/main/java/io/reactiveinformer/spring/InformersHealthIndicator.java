package io.reactiveinformer.spring;

import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.view.InformerStatus;
import io.reactiveinformer.view.InformerStatus.State;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.ReactiveHealthIndicator;
import org.springframework.boot.health.contributor.Status;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * {@code OUT_OF_SERVICE} until every informer has cached a complete state. From then on {@code UP}: also while the cluster cannot be
 * reached, since the cached state is served and the details show how old it may be; and also while an informer that was leased, made or
 * resized later is not complete, since all others are served. {@code OUT_OF_SERVICE} again while the rows of an informer are older than the
 * limit, if there is one. {@code DOWN} once an informer has given up, or a handler that is a bean
 * receives no more changes (one that has missed states goes on, and is in the details), and while an informer or its factory throws when it is read. An optional informer has details, and does not
 * change the status, unless a handler of it has ended.
 */
final class InformersHealthIndicator implements ReactiveHealthIndicator {

    static final String NAME = "informers";

    private final InformerFactories informers;
    private final Function<Informer<?>, List<String>> endedHandlers;
    private final @Nullable Duration maxStaleness;
    private volatile boolean ready;

    /**
     * @param endedHandlers the names of those that receive no more changes of an informer
     * @param maxStaleness null for any
     */
    InformersHealthIndicator(
            InformerFactories informers, Function<Informer<?>, List<String>> endedHandlers, @Nullable Duration maxStaleness) {
        this.informers = informers;
        this.endedHandlers = endedHandlers;
        this.maxStaleness = maxStaleness;
    }

    /** An optional informer is never waited for, and lost only if a handler of it has ended. */
    private record Standing(String name, Object details, boolean lost, boolean synced, boolean tooOld) {}

    @Override
    public Mono<Health> health() {
        return informers.present(
                        (informer, status) -> standing(informer, status, informers.optional(informer)),
                        unread -> new Standing(unread.name(), Map.of("cause", unread.why()), true, false, false))
                .map(this::health);
    }

    private Standing standing(Informer<?> informer, InformerStatus status, boolean optional) {
        Map<String, Object> details = details(informer, status);
        if (optional) {
            details.put("optional", true);
        }
        Map<String, Long> missed = new TreeMap<>();
        informer.subscribers().forEach(one -> missed.merge(one.name(), one.missed(), Long::sum));
        missed.values().removeIf(states -> states == 0);
        if (!missed.isEmpty()) {
            details.put("missedStates", missed);
        }
        List<String> ended = status.state() == State.STOPPED ? List.of() : endedHandlers.apply(informer);
        if (!ended.isEmpty()) {
            details.put("endedHandlers", ended);
        }
        boolean lost = !ended.isEmpty() || !optional && gaveUp(status);
        boolean tooOld = maxStaleness != null && !optional && isOlder(status, maxStaleness);
        if (tooOld && maxStaleness != null) {
            details.put("olderThan", maxStaleness);
        }
        return new Standing(informer.description(), details, lost, optional || status.synced(), tooOld);
    }

    private Health health(List<Standing> all) {
        Map<String, Object> details = new LinkedHashMap<>();
        for (Standing one : all) {
            String name = one.name();
            for (int number = 2; details.putIfAbsent(name, one.details()) != null; number++) {
                name = one.name() + " #" + number;
            }
        }
        return Health.status(status(all)).withDetails(details).build();
    }

    private static boolean gaveUp(InformerStatus status) {
        return status.state() == State.STOPPED && status.cause() != null;
    }

    private static boolean isOlder(InformerStatus status, Duration limit) {
        Instant since = status.staleSince();
        return since != null && status.state() != State.STOPPED && Duration.between(since, now()).compareTo(limit) > 0;
    }

    private static Instant now() {
        return Instant.ofEpochMilli(Schedulers.parallel().now(TimeUnit.MILLISECONDS));
    }

    private Status status(List<Standing> all) {
        if (all.stream().anyMatch(Standing::lost)) {
            return Status.DOWN;
        }
        if (all.stream().anyMatch(Standing::tooOld)) {
            return Status.OUT_OF_SERVICE;
        }
        boolean synced = all.stream().allMatch(Standing::synced);
        if (synced && !all.isEmpty()) {
            ready = true;
        }
        return ready || synced ? Status.UP : Status.OUT_OF_SERVICE;
    }

    private static Map<String, Object> details(Informer<?> informer, InformerStatus status) {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("state", status.state());
        details.put("since", status.since());
        details.put("synced", status.synced());
        details.put("objects", informer.snapshot().size());
        details.put("staleness", status.staleness(now()));
        if (status.cause() != null) {
            details.put("cause", String.valueOf(status.cause().getMessage()));
            details.put("failedTries", status.attempt());
        }
        Map<String, String> causes = new TreeMap<>();
        status.parts().forEach((part, one) -> {
            if (one.cause() != null) {
                causes.put(part.toString(), String.valueOf(one.cause().getMessage()));
            }
        });
        if (!causes.isEmpty()) {
            details.put("causes", causes);
        }
        return details;
    }
}
