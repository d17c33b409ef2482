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
 * What controllers work with.
 *
 * @param informers shared by all of them, so that pods are watched once
 * @param recorders tells people what is done, by the name of who does it
 * @param clock tells the time
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
     * The owner as the server has it now; empty if it is gone, leaving, or another one of that name. To be asked before it is given
     * anything: nobody might take that away again.
     */
    <T extends KubernetesObject> Mono<T> confirmed(ResourceType<T> type, T owner) {
        return client.resources(type)
                .get(Meta.key(owner))
                .filter(now -> Meta.uid(now).equals(Meta.uid(owner)) && !Meta.isLeaving(now))
                .onErrorComplete(NotFoundException.class);
    }

    /** Writes the status of {@code object}. One that is gone by now has none to be told, which is no failure; fails if it has changed. */
    <T extends KubernetesObject> Mono<T> report(ResourceType<T> type, T object, ReconcileRequest<?> request) {
        return client.resources(type)
                .status()
                .update(Meta.key(object), object)
                .doOnNext(request.wrote(informer(type)))
                .onErrorComplete(NotFoundException.class);
    }

    /** As exact as the times in objects are. */
    OffsetDateTime now() {
        return Instant.ofEpochMilli(clock.now(TimeUnit.MILLISECONDS)).truncatedTo(ChronoUnit.SECONDS).atOffset(ZoneOffset.UTC);
    }

    /** How long it is until {@code period} after {@code since} is over; zero or less if it is. */
    Duration left(OffsetDateTime since, Duration period) {
        return Duration.between(now(), since.plus(period));
    }

    /** The same, in the way in which specs say it; null where either says nothing. */
    @Nullable Duration left(@Nullable OffsetDateTime since, @Nullable Number seconds) {
        return since == null || seconds == null ? null : left(since, Duration.ofSeconds(seconds.longValue()));
    }
}
