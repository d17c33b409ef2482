package io.reactiveinformer.controller;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.kubernetes.client.custom.IntOrString;
import io.kubernetes.client.openapi.models.V1Condition;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.resource.ForbiddenException;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.ResourceType.Scope;
import io.reactiveinformer.test.FakeApiServer;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.annotation.JsonSerialize;
import tools.jackson.databind.ser.std.ToStringSerializer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class DefinitionCheckTest {

    private static final String DEFINITION = """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: sites.example.com}
            spec:
              group: example.com
              scope: Namespaced
              names: {plural: sites, singular: site, kind: Site}
              versions:
              - name: v1beta1
                served: false
                storage: false
                schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
              - name: v1
                served: true
                storage: true
                subresources: {status: {}}
                schema:
                  openAPIV3Schema:
                    type: object
                    properties:
                      spec:
                        type: object
                        required: [html]
                        properties:
                          html: {type: string}
                          replicas: {type: integer}
                          weight: {type: number}
                          labels: {type: object, additionalProperties: {type: string}}
                          port: {x-kubernetes-int-or-string: true}
                          pages: {type: array, items: {type: object, properties: {name: {type: string}}}}
                          free:
                            type: object
                            properties:
                              any: {type: string}
                              time: {type: string, format: date-time}
                              port: {x-kubernetes-int-or-string: true}
                              duration: {type: string}
                              bytes: {type: string, format: byte}
                              text: {type: string}
                              shape: {type: object, required: [type, url], properties: {type: {type: string}, url: {type: string}}}
                              named: {type: object, additionalProperties: {type: object, properties: {name: {type: string}}}}
                              container:
                                type: object
                                properties:
                                  name: {type: string}
                                  resources:
                                    type: object
                                    properties: {limits: {type: object, additionalProperties: {x-kubernetes-int-or-string: true}}}
                      status:
                        type: object
                        properties:
                          conditions:
                            type: array
                            items:
                              type: object
                              properties: {type: {type: string}, status: {type: string}, reason: {type: string}, message: {type: string},
                                lastTransitionTime: {type: string, format: date-time}, observedGeneration: {type: integer}}
            """;

    private final FakeApiServer server = FakeApiServer.builder().with(DEFINITION).build();
    private final KubernetesClient client = KubernetesClient.over(server.transport());

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    record Page(String name) {}

    @SuppressWarnings("ArrayRecordComponent") // as classes of users have them
    record Anything(Object any, OffsetDateTime time, IntOrString port, V1Container container, Duration duration, byte[] bytes,
            @JsonSerialize(using = ToStringSerializer.class) long text, Shape shape, Map<String, Page> named) {}

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
    interface Shape {}

    record Spec(String html, int replicas, double weight, Map<String, String> labels, Object port, List<Page> pages, Anything free) {}

    record Status(@Nullable List<V1Condition> conditions) {}

    record Site(String apiVersion, String kind, V1ObjectMeta metadata, Spec spec, @Nullable Status status) {}

    record OtherPage(String name, String title, OtherPage below) {}

    record OtherSpec(int html, String replicas, int weight, int port, Map<String, Integer> labels, List<OtherPage> pages) {}

    record Other(String apiVersion, String kind, V1ObjectMeta metadata, OtherSpec spec, String extra) {}

    record Eight(Eight a, Seven b, Seven c, Seven d) {}

    record Seven(Eight a, Seven b, Eight c, Eight d, List<Eight> e, Map<String, Seven> f) {}

    record Tangle(String apiVersion, String kind, V1ObjectMeta metadata, Eight extra) {}

    record Empty(String apiVersion, String kind, V1ObjectMeta metadata, Nothing spec) {}

    record Nothing(List<String> pages) {}

    private List<String> differences(ResourceType<?> type) {
        return DefinitionCheck.differences(client, type).block();
    }

    private static <T> ResourceType<T> type(String version, Class<T> type) {
        return ResourceType.of("example.com", version, "sites", Scope.NAMESPACED, type).kind("Site", Scope.NAMESPACED);
    }

    @Test
    void aClassThatFitsHasNoDifferences() {
        assertThat(differences(type("v1", Site.class))).isEmpty();
        assertThat(differences(ResourceType.dynamic("example.com", "v1", "sites").kind("Site", Scope.NAMESPACED))).isEmpty();
    }

    @Test
    void eachFieldThatDoesNotFitIsNamed() {
        assertThat(differences(type("v1", Other.class))).containsExactlyInAnyOrder(
                "spec.html: string in the definition, and integer in the class",
                "spec.replicas: integer in the definition, and string in the class",
                "spec.weight: number in the definition, and integer in the class",
                "spec.port: integer or string in the definition, and integer in the class",
                "spec.labels.*: string in the definition, and integer in the class",
                "spec.pages[].title: the definition has no such field, so the server drops it",
                "spec.pages[].below: the definition has no such field, so the server drops it",
                "extra: the definition has no such field, so the server drops it");
    }

    @Test
    void aRequiredFieldThatTheClassLacksIsNamed() {
        assertThat(differences(type("v1", Empty.class))).containsExactlyInAnyOrder(
                "spec.html: the definition requires it, and the class has no such field, so that objects cannot be written as a whole",
                "spec.pages[]: object in the definition, and string in the class");
    }

    @Test
    void classesThatContainEachOtherAreLookedAtOnce() {
        assertThat(differences(type("v1", Tangle.class)))
                .containsExactly("extra: the definition has no such field, so the server drops it");
    }

    @Test
    void aScopeThatIsOnlyAssumedIsNoDifference() {
        server.objects().create(DEFINITION.replace("scope: Namespaced", "scope: Cluster")
                .replace("sites", "globes").replace("Site", "Globe").replace("site", "globe"));
        assertThat(differences(ResourceType.dynamic("example.com", "v1", "globes"))).isEmpty();
    }

    @Test
    void kindScopeAndVersionAreCompared() {
        assertThat(differences(ResourceType.of("example.com", "v1", "sites", Scope.CLUSTER, Site.class).kind("Sight", Scope.CLUSTER)))
                .containsExactly("the scope is Namespaced in the definition, and Cluster in the program",
                        "the kind is Site in the definition, and Sight in the program");
        assertThat(differences(type("v2", Site.class))).containsExactly("the definition has no version v2, but v1beta1, v1");
        assertThat(differences(type("v1beta1", Site.class))).containsExactly("the version v1beta1 is not served",
                "status: the definition has no subresource of that name, so that it cannot be written by itself");
        assertThat(differences(ResourceType.of("example.com", "v1", "sights", Scope.NAMESPACED, Site.class)))
                .containsExactly("the server has no definition sights.example.com");
    }

    @Test
    void anyOtherRefusalFails() {
        server.access().deny("get", "customresourcedefinitions.apiextensions.k8s.io");
        assertThatThrownBy(() -> differences(type("v1", Site.class))).isInstanceOf(ForbiddenException.class);
    }
}
