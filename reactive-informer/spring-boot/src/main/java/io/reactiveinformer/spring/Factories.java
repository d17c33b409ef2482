package io.reactiveinformer.spring;

import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import java.time.Duration;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import reactor.core.publisher.Mono;

/** All beans that are informer factories, as one: usually one for each cluster. */
record Factories(ObjectProvider<InformerFactory> beans) {

    private List<InformerFactory> all() {
        return beans.orderedStream().toList();
    }

    /** Each informer once, even if a factory and its metered view are both beans. */
    List<Informer<?>> informers() {
        return all().stream().<Informer<?>>flatMap(factory -> factory.informers().stream()).distinct().toList();
    }

    void start() {
        all().forEach(InformerFactory::start);
    }

    Mono<Void> synced(Duration patience) {
        return Mono.whenDelayError(all().stream().map(factory -> factory.synced(patience)).toList());
    }

    Mono<Void> stop(Duration grace) {
        return Mono.whenDelayError(all().stream().map(factory -> factory.stop(grace)).toList());
    }
}
