package io.reactiveinformer.demo.controllers;

import io.kubernetes.client.common.KubernetesObject;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.client.ResourceClient;
import io.reactiveinformer.controller.ReconcileRequest;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.recorder.EventRecorder;
import io.reactiveinformer.resource.NotFoundException;
import io.reactiveinformer.resource.ResourceType;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * The tools of the controllers.
 *
 * @param informers shared by all controllers, so that pods are watched once
 * @param recorders creates the recorder of a controller's events, by the controller's name
 * @param clock the source of the current time
 */
record Cluster(KubernetesClient client, InformerFactory informers, Function<String, EventRecorder> recorders, Scheduler clock) {

    EventRecorder recorder(String controller) {
        return recorders.apply(controller);
    }

    <T extends KubernetesObject> Informer<T> informer(ResourceType<T> type) {
        return informers.of(type);
    }

    <T extends KubernetesObject> ResourceClient<T> resources(ResourceType<T> type) {
        return client.resources(type);
    }

    /**
     * The owner as the server has it now; empty if it is deleted, being deleted, or another object of that name. To be called before an
     * object of the owner is created: otherwise nothing might ever delete that object.
     */
    <T extends KubernetesObject> Mono<T> confirmed(ResourceType<T> type, T owner) {
        return client.resources(type)
                .get(Meta.key(owner))
                .filter(now -> Meta.uid(now).equals(Meta.uid(owner)) && !Meta.isLeaving(now))
                .onErrorComplete(NotFoundException.class);
    }

    /** Writes the status of {@code object}. Empty if the object is gone, which is no failure; fails if it has changed. */
    <T extends KubernetesObject> Mono<T> report(ResourceType<T> type, T object, ReconcileRequest<?> request) {
        return client.resources(type)
                .status()
                .update(Meta.key(object), object)
                .doOnNext(request.wrote(informer(type)))
                .onErrorComplete(NotFoundException.class);
    }

    /** The current time in whole seconds, as times in objects are. */
    OffsetDateTime now() {
        return Instant.ofEpochMilli(clock.now(TimeUnit.MILLISECONDS)).truncatedTo(ChronoUnit.SECONDS).atOffset(ZoneOffset.UTC);
    }

    /** The time left until {@code period} after {@code since} is over; zero or less if it is over. */
    Duration left(OffsetDateTime since, Duration period) {
        return Duration.between(now(), since.plus(period));
    }

    /** As {@link #left(OffsetDateTime, Duration)}, for the fields of a spec; null if either is null. */
    @Nullable Duration left(@Nullable OffsetDateTime since, @Nullable Number seconds) {
        return since == null || seconds == null ? null : left(since, Duration.ofSeconds(seconds.longValue()));
    }
}
