package io.reactiveinformer.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.reactiveinformer.client.RequestObserver;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Meters of requests, of all clients together. Raw requests are tagged by their verb alone, since their paths are unbounded. */
final class RequestMeters implements RequestObserver {

    private final Meters meters;
    private final Map<Tags, AtomicInteger> active = new ConcurrentHashMap<>();

    RequestMeters(Meters meters) {
        this.meters = meters;
    }

    private Tags tags(Request request) {
        return meters.tags("verb", request.verb(), "resource", resource(request));
    }

    static String resource(Request request) {
        return request.verb().equals("raw") ? "" : request.resource();
    }

    static String status(Outcome outcome) {
        return outcome.status() == 0 ? "none" : Integer.toString(outcome.status());
    }

    private AtomicInteger active(Tags tags) {
        return active.computeIfAbsent(tags, key -> {
            var count = new AtomicInteger();
            Gauge.builder("kubernetes.client.active", count, AtomicInteger::get)
                    .description("Requests under way, watches among them")
                    .tags(key)
                    .strongReference(true)
                    .register(meters.registry());
            return count;
        });
    }

    @Override
    public void started(Request request) {
        active(tags(request)).incrementAndGet();
    }

    @Override
    public void ended(Request request, Outcome outcome) {
        Tags tags = tags(request);
        active(tags).decrementAndGet();
        Timer.builder("kubernetes.client.requests")
                .description("Requests that are over, by how long they took; of watches, how long they were open")
                .tags(tags.and("status", status(outcome), "outcome", outcome(outcome)))
                .register(meters.registry())
                .record(outcome.duration());
        if (outcome.status() != 0) {
            Timer.builder("kubernetes.client.processing")
                    .description("How long the bytes of an answer took to be decoded and handed on; of watches, of all their events")
                    .tags(tags)
                    .register(meters.registry())
                    .record(outcome.processing());
        }
        meters.registry().counter("kubernetes.client.bytes", tags).increment((double) outcome.bytes());
    }

    static String outcome(Outcome outcome) {
        return outcome.cancelled() ? "cancelled" : outcome.failure() == null ? "done" : FailureTags.of(outcome.failure());
    }
}
