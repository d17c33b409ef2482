package io.reactiveinformer.guide;

import io.kubernetes.client.openapi.models.V1Pod;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.view.Change;
import io.reactiveinformer.view.Delivery;
import org.springframework.http.MediaType;
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
}
