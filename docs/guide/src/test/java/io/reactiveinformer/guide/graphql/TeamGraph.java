package io.reactiveinformer.guide.graphql;

import io.kubernetes.client.openapi.models.V1Pod;
import io.reactiveinformer.guide.graphql.PodGraph.PodPage;
import io.reactiveinformer.guide.graphql.PodGraph.PodRow;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.permissions.Permissions;
import io.reactiveinformer.permissions.User;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.Selector;
import io.reactiveinformer.view.Delivery;
import io.reactiveinformer.view.Memory;
import io.reactiveinformer.view.Remembered;
import io.reactiveinformer.view.Retention;
import java.time.Duration;
import java.util.function.Predicate;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.graphql.data.method.annotation.Argument;
import org.springframework.graphql.data.method.annotation.ContextValue;
import org.springframework.graphql.data.method.annotation.QueryMapping;
import org.springframework.graphql.data.method.annotation.SchemaMapping;
import org.springframework.graphql.data.method.annotation.SubscriptionMapping;
import org.springframework.stereotype.Controller;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** To each user the pods that the cluster would let him list. */
@SpringBootConfiguration
@EnableAutoConfiguration
class TeamGraph {

    private static final ResourceType<V1Pod> PODS = ResourceType.of(V1Pod.class);

    @Bean
    Permissions permissions(InformerFactory informers) {
        return Permissions.of(informers);
    }

    @Bean
    Memory<ObjectKey, PodRow> podMemory(Informer<V1Pod> pods) {
        return pods.map(PodRow::of).remembering(Retention.of(Duration.ofMinutes(5)));
    }

    @Controller
    static class Pods {

        private final Informer<V1Pod> pods;
        private final Memory<ObjectKey, PodRow> memory;
        private final Permissions permissions;

        Pods(Informer<V1Pod> pods, Memory<ObjectKey, PodRow> memory, Permissions permissions) {
            this.pods = pods;
            this.memory = memory;
            this.permissions = permissions;
        }

        @SubscriptionMapping
        Flux<Remembered<ObjectKey, PodRow>> podChanges(@ContextValue User user) {
            return permissions.rights(user, PODS, "list")
                    .switchMap(may -> memory.changesSince(null, Delivery.conflated()).filter(change -> shows(may, change)).materialize())
                    .dematerialize();                                                   // ends with the pods, not with the rights
        }

        private static boolean shows(Predicate<ObjectKey> may, Remembered<ObjectKey, PodRow> change) {
            return change instanceof Remembered.Row<ObjectKey, PodRow> row ? may.test(row.key())
                    : !(change instanceof Remembered.Gone<ObjectKey, PodRow> gone) || may.test(gone.key());
        }

        @QueryMapping
        Mono<PodPage> pods(@Argument String namespace, @Argument String labels, @Argument int limit, @ContextValue User user) {
            Selector selector = Selector.labels(labels);
            return permissions.rights(user, PODS, "list").next().map(may -> PodPage.of(pods.lister().inNamespace(namespace).list(selector)
                    .stream().filter(pod -> may.test(ObjectKey.of(namespace, pod.getMetadata().getName()))).toList(), limit));
        }

        @SchemaMapping(typeName = "Row")
        PodRow pod(Remembered.Row<ObjectKey, PodRow> row) {
            return row.entry().object();
        }
    }
}
