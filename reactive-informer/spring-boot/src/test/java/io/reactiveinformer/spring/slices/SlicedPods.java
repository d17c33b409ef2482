package io.reactiveinformer.spring.slices;

import io.kubernetes.client.openapi.models.V1Pod;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.store.Index;
import io.reactiveinformer.store.Snapshot;
import io.reactiveinformer.view.Change;
import java.util.List;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;

/** A controller that returns what informers have. */
@RestController
class SlicedPods {

    static final Index<V1Pod, String> BY_NAME = Index.of("name", pod -> pod.getMetadata().getName());

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

    @GetMapping("/named/{name}")
    List<V1Pod> named(@PathVariable String name) {
        return pods.lister().by(BY_NAME, name).list();
    }
}
