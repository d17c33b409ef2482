package io.reactiveinformer.guide;

import io.kubernetes.client.openapi.models.V1Pod;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.view.Delivery;
import java.util.List;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;

import static io.reactiveinformer.guide.SpringGuideTest.Application.BY_NODE;

@RestController
class PodsOfNode {

    private final Informer<V1Pod> pods;

    PodsOfNode(Informer<V1Pod> pods) {
        this.pods = pods;
    }

    @GetMapping("/nodes/{node}/pods")
    List<String> pods(@PathVariable String node) {
        return pods.lister().by(BY_NODE, node).keys().stream().map(ObjectKey::name).toList();       // from memory; nothing waits
    }

    @GetMapping(path = "/pods", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    Flux<String> changes() {
        return pods.changes(Delivery.conflated().named("browser"))                                              // at the browser's pace
                .map(change -> change.match(
                        added -> "+ " + added.key(), updated -> "~ " + updated.key(), deleted -> "- " + deleted.key(),
                        synced -> "that is all"));
    }
}
