package io.reactiveinformer.spring.testing;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.client.Patch;
import io.reactiveinformer.controller.Controller;
import io.reactiveinformer.controller.Route;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.queue.Result;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import java.util.Map;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import reactor.core.publisher.Mono;

/** Writes the length of each note into an annotation. */
@Configuration(proxyBeanMethods = false)
class LengthsConfiguration {

    private static final ResourceType<V1ConfigMap> NOTES = ResourceType.of(V1ConfigMap.class);

    @Bean
    Controller<ObjectKey> lengths(InformerFactory informers, KubernetesClient client) {
        Informer<V1ConfigMap> notes = informers.of(NOTES, Namespaces.all());
        return Controller.named("lengths").watches(notes, Route.self()).reconcile(request -> {
            V1ConfigMap note = notes.lister().get(request.key()).orElse(null);
            if (note == null || note.getData() == null) {
                return Mono.just(Result.done());
            }
            String length = Integer.toString(note.getData().getOrDefault("text", "").length());
            Map<String, String> annotations = note.getMetadata().getAnnotations();
            if (length.equals(annotations.get("length"))) {
                return Mono.just(Result.done());
            }
            Patch patch = Patch.merge(Map.of("metadata", Map.of("annotations", Map.of("length", length))));
            return client.resources(NOTES).patch(request.key(), patch).doOnNext(request.wrote(notes)).thenReturn(Result.done());
        });
    }
}
