package io.reactiveinformer.spring;

import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.resource.InformerStatus;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.store.Snapshot;
import io.reactiveinformer.view.SubscriberStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * The actuator endpoint {@code informers}: all informers, their status and their subscribers. Of the objects it shows only their number,
 * and the names of those that cannot be read.
 */
@Endpoint(id = "informers")
final class InformersEndpoint {

    private final Factories informers;

    InformersEndpoint(Factories informers) {
        this.informers = informers;
    }

    /**
     * All informers.
     *
     * @param informers in the order in which they were made
     * @param unread a sentence for each informer or factory that could not be read
     */
    record All(List<One> informers, List<String> unread) {}

    /**
     * One informer.
     *
     * @param resourceVersions up to which each part is complete; empty before the first complete state
     * @param unreadable by key, the reason why an object is not served in its latest state
     */
    record One(
            String description,
            String namespaces,
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
            for (Namespaces part : informer.namespaces().parts()) {
                rows.resourceVersion(part).ifPresent(version -> versions.put(part.toString(), version));
            }
            Map<String, String> unreadable = new TreeMap<>();
            status.stale().forEach((key, why) -> unreadable.put(key.toString(), why.reason()));
            return new One(
                    informer.description(),
                    informer.namespaces().toString(),
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

    /** Emits the current state of all informers. Never waits for the cluster or for another thread. */
    @ReadOperation
    Mono<All> informers() {
        return Mono.defer(() -> {
            List<String> unread = new CopyOnWriteArrayList<>();
            return informers.<Optional<One>>present(
                            (informer, status) -> Optional.of(One.of(informer, status, now())),
                            what -> {
                                unread.add(what.toString());
                                return Optional.empty();
                            })
                    .map(all -> new All(all.stream().flatMap(Optional::stream).toList(), List.copyOf(unread)));
        });
    }

    private static Instant now() {
        return Instant.ofEpochMilli(Schedulers.parallel().now(TimeUnit.MILLISECONDS));
    }
}
