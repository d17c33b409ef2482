package io.reactiveinformer.spring;

import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.resource.InformerStatus;
import io.reactiveinformer.resource.Scope;
import io.reactiveinformer.store.Snapshot;
import io.reactiveinformer.view.Delivery;
import io.reactiveinformer.view.SubscriberStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** What runs, how it stands, and who is subscribed to it. Tells nothing of the objects but how many there are, and the names of those that cannot be read. */
@Endpoint(id = "informers")
public final class InformersEndpoint {

    /** What is known by now is told to who asks without another thread, however many of these are held up. */
    private static final Delivery HERE = Delivery.on(Schedulers.immediate());

    private final Factories informers;

    InformersEndpoint(Factories informers) {
        this.informers = informers;
    }

    /** @param informers in the order in which they were made */
    public record All(List<One> informers) {}

    /**
     * One informer.
     *
     * @param resourceVersions up to which each part of the scope is complete; empty before the first complete state
     * @param unreadable why an object is not served in its latest state, by its key
     */
    public record One(
            String description,
            String scope,
            InformerStatus.State state,
            Instant since,
            boolean synced,
            Duration staleness,
            @Nullable String cause,
            int failedTries,
            int objects,
            long revision,
            Map<String, String> resourceVersions,
            Map<String, String> unreadable,
            List<SubscriberStatus> subscribers) {

        static One of(Informer<?> informer, InformerStatus status, Instant now) {
            Snapshot<?, ?> rows = informer.snapshot();
            Map<String, String> versions = new TreeMap<>();
            for (Scope part : informer.scope().parts()) {
                rows.resourceVersion(part).ifPresent(version -> versions.put(part.toString(), version));
            }
            Map<String, String> unreadable = new TreeMap<>();
            status.stale().forEach((key, why) -> unreadable.put(key.toString(), why.reason()));
            return new One(
                    informer.description(),
                    informer.scope().toString(),
                    status.state(),
                    status.since(),
                    status.synced(),
                    status.staleness(now),
                    status.cause() == null ? null : status.cause().getMessage(),
                    status.attempt(),
                    rows.size(),
                    rows.revision(),
                    versions,
                    unreadable,
                    informer.subscribers());
        }
    }

    @ReadOperation
    public Mono<All> informers() {
        return Flux.defer(() -> Flux.fromIterable(informers.informers()))
                .flatMapSequential(informer -> informer.status(HERE).next().map(status -> One.of(informer, status, now())))
                .collectList()
                .map(All::new);
    }

    private static Instant now() {
        return Instant.ofEpochMilli(Schedulers.parallel().now(TimeUnit.MILLISECONDS));
    }
}
