package io.reactiveinformer.laws.informer;

import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.test.FakeApiServer;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import reactor.test.StepVerifier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A definition that changes shows objects otherwise in the version that they have: the server ends watches, and answers 410 (transcript
 * 21).
 */
class RedefinedTypeTest {

    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final ObjectKey DEFINITION = ObjectKey.clusterScoped("widgets.example.com");
    private static final ResourceType<JsonNode> DEFINITIONS =
            ResourceType.dynamic("apiextensions.k8s.io", "v1", "customresourcedefinitions");
    private static final ResourceType<JsonNode> WIDGETS = ResourceType.dynamic("example.com", "v1", "widgets");

    private static String definition(String replicas) {
        return """
                apiVersion: apiextensions.k8s.io/v1
                kind: CustomResourceDefinition
                metadata: {name: widgets.example.com}
                spec:
                  group: example.com
                  names: {plural: widgets, kind: Widget}
                  scope: Namespaced
                  versions:
                  - name: v1
                    served: true
                    storage: true
                    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {size: {type: integer}, \
                replicas: %s}}}}}
                """.formatted(replicas);
    }

    @Test
    void anObjectIsReadAnewWhenItsTypeWasDefinedAnew() {
        try (FakeApiServer server = FakeApiServer.builder().with(definition("{type: integer}")).build();
                InformerFactory informers = InformerFactory.create(KubernetesClient.over(server.transport()))) {
            server.objects().create("{apiVersion: example.com/v1, kind: Widget, metadata: {name: w, namespace: default}, spec: {size: 2}}");
            Informer<JsonNode> widgets = informers.of(WIDGETS, Namespaces.all());
            StepVerifier.create(widgets.changes().map(change -> change.match(
                            added -> "added " + added.object().path("spec"),
                            updated -> "updated " + updated.before().path("spec") + " " + updated.after().path("spec"),
                            deleted -> "deleted",
                            synced -> "synced")))
                    .then(informers::start)
                    .expectNext("added {\"size\":2}", "synced")
                    .then(() -> server.objects().edit(DEFINITIONS, DEFINITION, tree -> {
                        ((ObjectNode) tree.at("/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/replicas"))
                                .put("default", 1);
                        return tree;
                    }))
                    .expectNext("updated {\"size\":2} {\"replicas\":1,\"size\":2}")
                    .thenCancel()
                    .verify(LIMIT);
            assertThat(widgets.lister().get(ObjectKey.of("default", "w")).orElseThrow().at("/spec/replicas").asInt()).isEqualTo(1);
        }
    }
}
