package io.reactiveinformer.controller;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1Service;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.controller.Dependents.Row;
import io.reactiveinformer.controller.Dependents.State;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.test.FakeApiServer;
import io.reactiveinformer.test.TestClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Dependents with values that the server stores in another form, or not at all. */
class DependentsAtRestTest {

    private static final ObjectKey HOME = ObjectKey.of("shop", "home");
    private static final ReconcileRequest<ObjectKey> REQUEST = ReconcileRequest.of("websites", HOME);
    private static final ResourceType<V1ConfigMap> OWNERS = ResourceType.of(V1ConfigMap.class);
    private static final ResourceType<V1Deployment> DEPLOYMENTS = ResourceType.of(V1Deployment.class);
    private static final ResourceType<V1Service> SERVICES = ResourceType.of(V1Service.class);
    private static final ResourceType<JsonNode> GAUGES =
            ResourceType.dynamic("example.com", "v1", "gauges").kind("Gauge", ResourceType.Scope.NAMESPACED);

    private final TestClock clock = TestClock.start();
    private final FakeApiServer server = FakeApiServer.builder().with("{apiVersion: v1, kind: Namespace, metadata: {name: shop}}").build();
    private final KubernetesClient plain = KubernetesClient.over(server.transport());
    private final KubernetesClient fromGo = KubernetesClient.over(new AnswersAsFromGo(server.transport()));

    DependentsAtRestTest() {
        server.objects().create(StatusAtRestTest.DEFINITION);
        server.objects().create("{apiVersion: v1, kind: ConfigMap, metadata: {name: home, namespace: shop}}");
    }

    @AfterEach
    void end() {
        plain.close();
        fromGo.close();
        server.close();
        clock.close();
    }

    private static JsonNode tree(String json) {
        return JsonMapper.shared().readTree(json);
    }

    /** What a process that has applied nothing yet does in four looks: the states of each, and the number of writes. */
    private Looks process(KubernetesClient client, List<?> desired) {
        InformerFactory informers = InformerFactory.create(client);
        Informer<V1ConfigMap> owners = informers.of(OWNERS);
        Dependents<V1ConfigMap> dependents = Dependents.of(client, OWNERS, owner -> desired)
                .kind(DEPLOYMENTS, informers.of(DEPLOYMENTS))
                .kind(SERVICES, informers.of(SERVICES))
                .kind(GAUGES, informers.of(GAUGES));
        informers.start();
        clock.advance(Duration.ofSeconds(5));
        server.requests().clear();
        List<List<Row>> rows = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            rows.add(dependents.reconcile(REQUEST, owners.lister().get(HOME).orElseThrow()).block().rows());
            clock.advance(Duration.ofSeconds(1));
        }
        int writes = server.requests().writes().size();
        informers.close();
        clock.advance(Duration.ofSeconds(1));
        return new Looks(rows, writes);
    }

    private record Looks(List<List<Row>> rows, int writes) {

        List<State> states() {
            return rows.stream().flatMap(List::stream).map(Row::state).toList();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void zeroValuesRestInEachProcess(boolean answersAsFromGo) {
        KubernetesClient client = answersAsFromGo ? fromGo : plain;
        List<?> desired = List.of(ZeroValuesTest.model(DEPLOYMENTS, ZeroValuesTest.DEPLOYMENT),
                ZeroValuesTest.model(SERVICES, ZeroValuesTest.SERVICE));
        Looks first = process(client, desired);
        assertThat(first.states().subList(0, 2)).containsOnly(State.APPLIED);
        assertThat(first.states().subList(2, 8)).containsOnly(State.UNCHANGED);
        assertThat(first.writes()).isEqualTo(2);
        for (int restart = 1; restart < 3; restart++) {
            Looks next = process(client, desired);
            assertThat(next.states()).as("states in process %d", restart).containsOnly(State.UNCHANGED);
            assertThat(next.writes()).as("writes in process %d", restart).isZero();
        }
    }

    /** A tree is sent as it is, and the server stores {@code cpu: 0.5} as {@code 500m}: each process applies it once. */
    @Test
    void anApplyWithoutEffectIsUnchanged() {
        List<?> desired = List.of(tree(ZeroValuesTest.DEPLOYMENT));
        process(plain, desired);
        JsonNode version = server.objects().get(DEPLOYMENTS, HOME).orElseThrow().at("/metadata/resourceVersion");
        Looks next = process(plain, desired);
        assertThat(next.writes()).isOne();
        assertThat(next.states()).containsOnly(State.UNCHANGED);
        assertThat(server.objects().get(DEPLOYMENTS, HOME).orElseThrow().at("/metadata/resourceVersion")).isEqualTo(version);
    }

    /** A server drops such a field from an update, but refuses to apply it. So nothing is applied again and again in silence. */
    @Test
    void aFieldThatTheDefinitionLacksIsRefusedByName() {
        JsonNode gauge = tree("""
                {"apiVersion": "example.com/v1", "kind": "Gauge", "metadata": {"name": "home", "namespace": "shop"}, "later": 1}""");
        Looks looks = process(plain, List.of(gauge));
        assertThat(looks.rows()).allSatisfy(rows -> assertThat(rows).singleElement().satisfies(row -> {
            assertThat(row.state()).isEqualTo(State.FAILED);
            assertThat(row.cause()).hasMessageContaining(".later: field not declared in schema");
        }));
        InformerFactory informers = InformerFactory.create(plain);
        Applier<JsonNode> applier = Applier.of(plain, GAUGES, informers.of(GAUGES));
        assertThatThrownBy(() -> applier.apply(REQUEST, gauge).block()).hasMessageContaining(".later: field not declared in schema");
        assertThat(server.objects().get(GAUGES, HOME)).isEmpty();
    }
}
