package io.reactiveinformer.spring.slices;

import io.kubernetes.client.openapi.models.V1Pod;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.store.Snapshot;
import io.reactiveinformer.view.Change;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;

/** A controller that returns what informers have. */
@RestController
class SlicedPods {

    private final Informer<V1Pod> pods;

    SlicedPods(Informer<V1Pod> pods) {
        this.pods = pods;
    }

    @GetMapping(path = "/changes", produces = MediaType.APPLICATION_NDJSON_VALUE)
    Flux<Change<ObjectKey, V1Pod>> changes() {
        return pods.changes().take(2);
    }

    @GetMapping("/snapshot")
    Snapshot<ObjectKey, V1Pod> snapshot() {
        return pods.snapshot();
    }
}
