package io.reactiveinformer.guide.comingfrom;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.informer.InformerSpec;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.Selector;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;

/** Serves a value of a config map, and its changes. */
@RestController
class Colours {

    @Configuration
    static class Informers {
        @Bean
        Informer<V1ConfigMap> settings(InformerFactory informers) {
            return informers.of(InformerSpec.of(ResourceType.of(V1ConfigMap.class))
                    .withNamespaces(Namespaces.of("shop")).withSelector(Selector.fields("metadata.name=settings")));
        }
    }

    private final Informer<V1ConfigMap> settings;

    Colours(Informer<V1ConfigMap> settings) {
        this.settings = settings;
    }

    @GetMapping("/colour")
    String colour() {
        return settings.lister().get(ObjectKey.of("shop", "settings")).map(Colours::of).orElse("grey");
    }

    @GetMapping(path = "/colours", produces = "text/event-stream")
    Flux<String> colours() {
        return settings.map(Colours::of).objects();
    }

    private static String of(V1ConfigMap settings) {
        return settings.getData().getOrDefault("colour", "grey");
    }
}
