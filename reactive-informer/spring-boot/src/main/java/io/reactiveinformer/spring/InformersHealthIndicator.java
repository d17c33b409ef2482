package io.reactiveinformer.spring;

import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.resource.InformerStatus;
import io.reactiveinformer.resource.InformerStatus.State;
import io.reactiveinformer.view.Delivery;
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
 * {@code OUT_OF_SERVICE} until every informer has seen a complete state. From then on {@code UP}: also while the cluster cannot be reached,
 * since the cached state is served and the details show how old it may be; and also while an informer that was leased, made or resized
 * later is not complete, since all others are served. {@code DOWN} once one has given up.
 */
final class InformersHealthIndicator implements ReactiveHealthIndicator {

    static final String NAME = "informers";

    /** The present status is emitted to the caller without another thread, however many threads are blocked. */
    private static final Delivery HERE = Delivery.on(Schedulers.immediate());

    private final Factories informers;
    private volatile boolean ready;

    InformersHealthIndicator(Factories informers) {
        this.informers = informers;
    }

    private record Standing(Informer<?> informer, InformerStatus status) {}

    @Override
    public Mono<Health> health() {
        return Flux.defer(() -> Flux.fromIterable(informers.informers()))
                .flatMapSequential(informer -> informer.status(HERE).next().map(status -> new Standing(informer, status)))
                .collectList()
                .map(this::health);
    }

    private Health health(List<Standing> all) {
        Instant now = Instant.ofEpochMilli(Schedulers.parallel().now(TimeUnit.MILLISECONDS));
        Map<String, Object> details = new LinkedHashMap<>();
        for (Standing one : all) {
            String name = one.informer().description();
            for (int number = 2; details.putIfAbsent(name, details(one, now)) != null; number++) {
                name = one.informer().description() + " #" + number;
            }
        }
        return Health.status(status(all.stream().map(Standing::status).toList())).withDetails(details).build();
    }

    private Status status(List<InformerStatus> all) {
        if (all.stream().anyMatch(status -> status.state() == State.STOPPED && status.cause() != null)) {
            return Status.DOWN;
        }
        boolean synced = all.stream().allMatch(InformerStatus::synced);
        if (synced && !all.isEmpty()) {
            ready = true;
        }
        return ready || synced ? Status.UP : Status.OUT_OF_SERVICE;
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
