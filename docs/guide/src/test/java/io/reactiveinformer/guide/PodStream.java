package io.reactiveinformer.guide;

import io.kubernetes.client.openapi.models.V1Pod;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.view.Change;
import io.reactiveinformer.view.Delivery;
import java.time.Duration;
import org.springframework.http.MediaType;
import org.springframework.http.codec.ServerSentEvent;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;

@RestController
class PodStream {

    private final Informer<V1Pod> pods;

    PodStream(Informer<V1Pod> pods) {
        this.pods = pods;
    }

    @GetMapping(path = "/changes", produces = {MediaType.TEXT_EVENT_STREAM_VALUE, MediaType.APPLICATION_NDJSON_VALUE})
    Flux<Change<ObjectKey, V1Pod>> changes() {
        return pods.changes(Delivery.conflated().named("stream"));
    }

    @GetMapping(path = "/live", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    Flux<ServerSentEvent<?>> live() {
        Flux<ServerSentEvent<?>> changes = pods.changes(Delivery.conflated().named("live"))
                .map(change -> ServerSentEvent.builder(change).event("change").build());
        return withPulse(changes, ServerSentEvent.builder("").event("pulse").build());
    }

    /** The changes, and a pulse each second. Ends with the changes: an interval never ends by itself. */
    static <T> Flux<T> withPulse(Flux<T> changes, T pulse) {
        Flux<T> pulses = Flux.interval(Duration.ofSeconds(1)).onBackpressureDrop().map(second -> pulse);     // a slow browser gets fewer
        return changes.publish(shared -> Flux.merge(1, shared, pulses.takeUntilOther(shared.then())), 1);    // 1: changes wait conflated
    }
}
