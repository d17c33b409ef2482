package io.reactiveinformer.controller;

import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1DeploymentStatus;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.client.Patch;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.test.FakeApiServer;
import io.reactiveinformer.test.TestClock;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

/** Statuses that the server stores in another form, or not at all. */
class StatusAtRestTest {

    private static final ObjectKey HOME = ObjectKey.of("shop", "home");
    private static final ResourceType<Gauge> GAUGES =
            ResourceType.of("example.com", "v1", "gauges", ResourceType.Scope.NAMESPACED, Gauge.class);
    static final String DEFINITION = """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: gauges.example.com}
            spec:
              group: example.com
              scope: Namespaced
              names: {plural: gauges, singular: gauge, kind: Gauge}
              versions:
              - name: v1
                served: true
                storage: true
                subresources: {status: {}}
                schema:
                  openAPIV3Schema:
                    type: object
                    properties:
                      spec: {type: object, x-kubernetes-preserve-unknown-fields: true}
                      status:
                        type: object
                        properties:
                          decimal: {type: number}
                          ratio: {type: number}
                          any: {x-kubernetes-preserve-unknown-fields: true}
                          tree: {x-kubernetes-preserve-unknown-fields: true}
                          facts: {type: object, x-kubernetes-preserve-unknown-fields: true}
                          notes: {type: object, additionalProperties: {type: string}}
                          list: {type: array, items: {type: object, x-kubernetes-preserve-unknown-fields: true}}
            """;

    record Gauge(String apiVersion, String kind, V1ObjectMeta metadata, @Nullable Status status) {}

    /** {@code later} is not in the definition, which is older than the program. */
    record Status(@Nullable BigDecimal decimal, @Nullable Double ratio, @Nullable Object any, @Nullable JsonNode tree,
            @Nullable Map<String, Object> facts, @Nullable Map<String, String> notes, @Nullable List<Map<String, Object>> list,
            @Nullable String later) {}

    private final TestClock clock = TestClock.start();
    private final FakeApiServer server = FakeApiServer.builder().with("{apiVersion: v1, kind: Namespace, metadata: {name: shop}}").build();
    private final KubernetesClient client = KubernetesClient.over(server.transport());
    private final InformerFactory informers = InformerFactory.create(client);
    private final Informer<Gauge> gauges = informers.of(GAUGES);
    private final StatusWriter<Gauge> writer = StatusWriter.of(client, GAUGES, gauges);

    @AfterEach
    void end() {
        client.close();
        server.close();
        clock.close();
    }

    private void begin() {
        server.objects().create(DEFINITION);
        server.objects().create("{apiVersion: example.com/v1, kind: Gauge, metadata: {name: home, namespace: shop}}");
        informers.start();
        clock.advance(Duration.ofSeconds(5));
    }

    private static Status status(String which) {
        return switch (which) {
            case "decimal" -> new Status(new BigDecimal("3.0"), null, null, null, null, null, null, null);
            case "exponent" -> new Status(new BigDecimal("1E+3"), null, null, null, null, null, null, null);
            case "ratio" -> new Status(null, 3.0, null, null, null, null, null, null);
            case "any" -> new Status(null, null, 3.0, null, null, null, null, null);
            case "tree" -> new Status(null, null, null, JsonMapper.shared().readTree("{\"a\": [3.0, 1e2], \"b\": 0.1}"), null, null, null,
                    null);
            case "facts" -> new Status(null, null, null, null, Map.of("a", 3.0, "b", new BigDecimal("2.50"), "c", 0.1f), null, null, null);
            case "notes" -> new Status(null, null, null, null, null, withNull(), null, null);
            case "list" -> new Status(null, null, null, null, null, null, List.of(Map.of("a", 3.0)), null);
            case "null in a list" -> new Status(null, null, null, null, null, null, List.of(new HashMap<>(withNull())), null);
            case "empty" -> new Status(null, null, null, null, Map.of(), Map.of(), List.of(), null);
            case "later" -> new Status(null, 1.5, null, null, null, null, null, "not stored");
            default -> throw new IllegalArgumentException(which);
        };
    }

    private static Map<String, String> withNull() {
        Map<String, String> notes = new HashMap<>();
        notes.put("a", null);
        return notes;
    }

    private int looks(StatusWriter<Gauge> with, Status status) {
        server.requests().clear();
        for (int i = 0; i < 5; i++) {
            with.write(ReconcileRequest.of("gauges", HOME), gauges.lister().get(HOME).orElseThrow(), now -> status).block();
            clock.advance(Duration.ofSeconds(1));
        }
        return server.requests().writes().size();
    }

    @ParameterizedTest
    @ValueSource(strings = {"decimal", "exponent", "ratio", "any", "tree", "facts", "notes", "list", "null in a list", "empty", "later"})
    void isWrittenOnce(String which) {
        begin();
        assertThat(looks(writer, status(which))).as("first").isOne();
        assertThat(looks(writer, status(which))).as("at rest").isZero();
        assertThat(looks(StatusWriter.of(client, GAUGES, gauges), status(which))).as("in another process")
                .isEqualTo(which.equals("later") ? 1 : 0); // nothing says that the field was sent
    }

    @Test
    void whatOthersChangeIsWrittenAgain() {
        begin();
        looks(writer, status("later"));
        client.resources(GAUGES).status().patch(HOME, Patch.merge(Map.of("status", Map.of("ratio", 7)))).block();
        clock.advance(Duration.ofSeconds(1));
        assertThat(looks(writer, status("later"))).isOne();
        ObjectNode stored = server.objects().get(GAUGES, HOME).orElseThrow();
        assertThat(stored.at("/status/ratio").doubleValue()).isEqualTo(1.5);
    }

    @Test
    void aFieldThatTheDefinitionGainsIsWrittenWithTheNextVersion() {
        begin();
        looks(writer, status("later"));
        client.resources(ResourceType.dynamic("apiextensions.k8s.io", "v1", "customresourcedefinitions"))
                .patch(ObjectKey.of(null, "gauges.example.com"), Patch.json(List.of(Map.of("op", "add",
                        "path", "/spec/versions/0/schema/openAPIV3Schema/properties/status/properties/later",
                        "value", Map.of("type", "string"))))).block();
        clock.advance(Duration.ofSeconds(5));
        client.resources(GAUGES).patch(HOME, Patch.merge(Map.of("metadata", Map.of("labels", Map.of("a", "b"))))).block();
        clock.advance(Duration.ofSeconds(1));
        assertThat(looks(writer, status("later"))).isOne();
        assertThat(server.objects().get(GAUGES, HOME).orElseThrow().at("/status/later").asString()).isEqualTo("not stored");
    }

    /** The server answers in JSON with the zero, and in protocol buffers without it. */
    @Test
    void zerosOfBuiltInTypesAreWrittenOnce() {
        ResourceType<V1Deployment> type = ResourceType.of(V1Deployment.class);
        Informer<V1Deployment> deployments = informers.of(type);
        server.objects().create("""
                {apiVersion: apps/v1, kind: Deployment, metadata: {name: home, namespace: shop}, spec: {selector: {matchLabels: {a: b}},
                 template: {metadata: {labels: {a: b}}, spec: {containers: [{name: a, image: b}]}}}}""");
        begin();
        StatusWriter<V1Deployment> statuses = StatusWriter.of(client, type, deployments);
        server.requests().clear();
        for (int i = 0; i < 5; i++) {
            statuses.write(ReconcileRequest.of("gauges", HOME), deployments.lister().get(HOME).orElseThrow(),
                    now -> new V1DeploymentStatus().replicas(0).observedGeneration(1L).conditions(List.of())).block();
            clock.advance(Duration.ofSeconds(1));
        }
        assertThat(server.requests().writes()).hasSize(1);
    }
}
