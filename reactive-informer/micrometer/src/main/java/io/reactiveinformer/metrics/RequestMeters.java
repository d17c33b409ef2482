package io.reactiveinformer.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.reactiveinformer.client.RequestObserver;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Meters of the requests of all clients. Raw requests are tagged by their verb only, since the number of their paths is not limited. */
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
                    .description("Running requests, including watches")
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
                .description("Ended requests, by duration; for watches, the time for which they were open")
                .tags(tags.and("status", status(outcome), "outcome", outcome(outcome)))
                .register(meters.registry())
                .record(outcome.duration());
        if (outcome.status() != 0) {
            Timer.builder("kubernetes.client.processing")
                    .description("The time to decode and deliver an answer, on the event loop; for watches, of all their events")
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
