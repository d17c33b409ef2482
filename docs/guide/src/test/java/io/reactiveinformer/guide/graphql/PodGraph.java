package io.reactiveinformer.guide.graphql;

import graphql.GraphQLError;
import graphql.GraphqlErrorBuilder;
import graphql.schema.DataFetchingEnvironment;
import io.kubernetes.client.openapi.models.V1Pod;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Selector;
import io.reactiveinformer.view.Delivery;
import io.reactiveinformer.view.Memory;
import io.reactiveinformer.view.Remembered;
import io.reactiveinformer.view.Retention;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.graphql.data.method.annotation.Argument;
import org.springframework.graphql.data.method.annotation.GraphQlExceptionHandler;
import org.springframework.graphql.data.method.annotation.QueryMapping;
import org.springframework.graphql.data.method.annotation.SchemaMapping;
import org.springframework.graphql.data.method.annotation.SubscriptionMapping;
import org.springframework.graphql.execution.ErrorType;
import org.springframework.stereotype.Controller;
import reactor.core.publisher.Flux;

/** The pods of a cluster by GraphQL: a query, and a subscription that continues where it was. */
@SpringBootConfiguration
@EnableAutoConfiguration
class PodGraph {

    record PodRow(String key, String phase) {

        static PodRow of(V1Pod pod) {
            return new PodRow(ObjectKey.of(pod.getMetadata().getNamespace(), pod.getMetadata().getName()).toString(),
                    pod.getStatus() == null || pod.getStatus().getPhase() == null ? "" : pod.getStatus().getPhase());
        }
    }

    record PodPage(List<PodRow> pods, int total) {

        static final int MOST = 500;

        static PodPage of(List<V1Pod> pods, int limit) {
            return new PodPage(pods.stream().map(PodRow::of).sorted(Comparator.comparing(PodRow::key))
                    .limit(Math.max(0, Math.min(limit, MOST))).toList(), pods.size());
        }
    }

    @Bean
    Memory<ObjectKey, PodRow> podMemory(Informer<V1Pod> pods) {
        return pods.map(PodRow::of).remembering(Retention.of(Duration.ofMinutes(5)));
    }

    @Controller
    static class Pods {

        private final Informer<V1Pod> pods;
        private final Memory<ObjectKey, PodRow> memory;

        Pods(Informer<V1Pod> pods, Memory<ObjectKey, PodRow> memory) {
            this.pods = pods;
            this.memory = memory;
        }

        @SubscriptionMapping
        Flux<Remembered<ObjectKey, PodRow>> podChanges(@Argument @Nullable String since) {
            return memory.changesSince(since, Delivery.conflated().named("graphql"));
        }

        @SchemaMapping(typeName = "Row")
        PodRow pod(Remembered.Row<ObjectKey, PodRow> row) {
            return row.entry().object();
        }

        @QueryMapping
        PodPage pods(@Argument String namespace, @Argument String labels, @Argument int limit) {
            return PodPage.of(pods.lister().inNamespace(namespace).list(Selector.labels(labels)), limit);
        }

        @GraphQlExceptionHandler
        GraphQLError malformed(IllegalArgumentException malformed, DataFetchingEnvironment field) {
            return GraphqlErrorBuilder.newError(field).errorType(ErrorType.BAD_REQUEST).message(malformed.getMessage()).build();
        }
    }
}
