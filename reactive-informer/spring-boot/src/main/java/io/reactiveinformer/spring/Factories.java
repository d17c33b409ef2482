package io.reactiveinformer.spring;

import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import java.time.Duration;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import reactor.core.publisher.Mono;

/** All informer factories that are beans, as one: there is one, or as many as there are clusters. */
record Factories(ObjectProvider<InformerFactory> beans) {

    private List<InformerFactory> all() {
        return beans.orderedStream().toList();
    }

    /** Each once, though a factory and what meters it may both be beans. */
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
