package io.reactiveinformer.spring;

import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.store.Snapshot;
import io.reactiveinformer.view.InformerStatus;
import io.reactiveinformer.view.SubscriberStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
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
 * The actuator endpoint {@code informers}: all informers, their status and their subscribers, and the controllers, elections and recorders
 * among the beans. Of the objects it shows only their number, and the names of those that cannot be read.
 */
@Endpoint(id = "informers")
final class InformersEndpoint {

    private final InformerFactories informers;
    private final Mono<OfOperators> operators;

    /** @param operators empty without {@code reactive-informer-operator} */
    InformersEndpoint(InformerFactories informers, Mono<OfOperators> operators) {
        this.informers = informers;
        this.operators = operators;
    }

    /**
     * All informers.
     *
     * @param informers in the order in which they were made
     * @param unread a sentence for each informer or factory that could not be read
     * @param controllers by name
     * @param elections by the name of the bean
     * @param recorders by the name of the bean
     */
    record All(
            List<One> informers, List<String> unread, Map<String, OfController> controllers, Map<String, OfElection> elections,
            Map<String, OfRecorder> recorders) {}

    /** The controllers, elections and recorders among the beans. No type of theirs is named here: an application may not have them. */
    record OfOperators(Map<String, OfController> controllers, Map<String, OfElection> elections, Map<String, OfRecorder> recorders) {
        static final OfOperators NONE = new OfOperators(Map.of(), Map.of(), Map.of());
    }

    /** Describes the operators among the beans. */
    @FunctionalInterface
    interface Described {
        Mono<OfOperators> operators();
    }

    /**
     * One controller.
     *
     * @param waitsFor the views that are not synced yet
     * @param share of a controller that shares its keys with other processes: its own name and those of all members
     * @param members how many processes share the keys; 0 while this one has no share, null for other controllers
     */
    record OfController(
            String state, Instant since, boolean healthy, List<String> waitsFor, @Nullable String share,
            @Nullable Integer members) {}

    /**
     * One election.
     *
     * @param token of the term in which it leads; null if it does not
     * @param leader the identity of the leader, while it does not lead itself; null if none is known
     * @param cause why the last try to get or keep the lease failed; null if it did not
     * @param retryIn the pause before the next try; null if the last one did not fail
     */
    record OfElection(
            boolean leading, @Nullable Long token, @Nullable String leader, @Nullable String cause, int failedTries,
            @Nullable Duration retryIn) {

        /** What is known, by name. */
        Map<String, Object> details() {
            Map<String, Object> details = new LinkedHashMap<>();
            details.put("leading", leading);
            put(details, "token", token);
            put(details, "leader", leader);
            if (cause != null) {
                details.put("cause", cause);
                details.put("failedTries", failedTries);
                put(details, "retryIn", retryIn);
            }
            return details;
        }
    }

    private static void put(Map<String, Object> details, String name, @Nullable Object value) {
        if (value != null) {
            details.put(name, value);
        }
    }

    /**
     * One recorder.
     *
     * @param reporter the reporting controller; of a recorder that the application implements itself, its text
     * @param written how many writes it has made; null if it is not ours
     * @param dropped how many occurrences it has dropped; null if it is not ours
     * @param lastDrop what was dropped last, and why; null if nothing was
     */
    record OfRecorder(String reporter, @Nullable Long written, @Nullable Long dropped, @Nullable String lastDrop) {

        /** What is known, by name. */
        Map<String, Object> details() {
            Map<String, Object> details = new LinkedHashMap<>();
            details.put("reporter", reporter);
            put(details, "written", written);
            put(details, "dropped", dropped);
            put(details, "lastDrop", lastDrop);
            return details;
        }
    }

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
            Mono<List<One>> all = informers.<Optional<One>>present(
                            (informer, status) -> Optional.of(One.of(informer, status, now())),
                            what -> {
                                unread.add(what.toString());
                                return Optional.empty();
                            })
                    .map(some -> some.stream().flatMap(Optional::stream).toList());
            return Mono.zip(all, operators.defaultIfEmpty(OfOperators.NONE)).map(found -> new All(found.getT1(), List.copyOf(unread),
                    found.getT2().controllers(), found.getT2().elections(), found.getT2().recorders()));
        });
    }

    private static Instant now() {
        return Instant.ofEpochMilli(Schedulers.parallel().now(TimeUnit.MILLISECONDS));
    }
}
