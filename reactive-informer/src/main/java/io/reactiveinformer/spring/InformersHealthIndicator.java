package io.reactiveinformer.spring;

import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.resource.InformerStatus;
import io.reactiveinformer.resource.InformerStatus.State;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.ReactiveHealthIndicator;
import org.springframework.boot.health.contributor.Status;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * {@code OUT_OF_SERVICE} until every informer has seen a complete state; {@code DOWN} once one has given up; else {@code UP}, also while the cluster cannot be
 * reached: what is cached is served, and the details say how old it may be.
 */
final class InformersHealthIndicator implements ReactiveHealthIndicator {

    static final String NAME = "informers";

    private final InformerFactory informers;

    InformersHealthIndicator(InformerFactory informers) {
        this.informers = informers;
    }

    private record Standing(Informer<?> informer, InformerStatus status) {}

    @Override
    public Mono<Health> health() {
        return Flux.defer(() -> Flux.fromIterable(informers.informers()))
                .concatMap(informer -> informer.status().next().map(status -> new Standing(informer, status)))
                .collectList()
                .map(InformersHealthIndicator::health);
    }

    private static Health health(List<Standing> all) {
        Instant now = Instant.ofEpochMilli(Schedulers.parallel().now(TimeUnit.MILLISECONDS));
        Map<String, Object> details = new LinkedHashMap<>();
        all.forEach(one -> details.merge(one.informer().description(), details(one, now), (first, second) -> List.of(first, second)));
        return Health.status(status(all)).withDetails(details).build();
    }

    private static Status status(List<Standing> all) {
        if (all.stream().map(Standing::status).anyMatch(status -> status.state() == State.STOPPED && status.cause() != null)) {
            return Status.DOWN;
        }
        return all.stream().map(Standing::status).allMatch(InformerStatus::synced) ? Status.UP : Status.OUT_OF_SERVICE;
    }

    private static Object details(Standing one, Instant now) {
        InformerStatus status = one.status();
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("state", status.state());
        details.put("since", status.since());
        details.put("synced", status.synced());
        details.put("objects", one.informer().snapshot().size());
        details.put("staleness", status.staleness(now));
        if (status.cause() != null) {
            details.put("cause", String.valueOf(status.cause().getMessage()));
            details.put("failedTries", status.attempt());
        }
        return details;
    }
}
