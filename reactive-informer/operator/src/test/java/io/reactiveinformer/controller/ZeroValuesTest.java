package io.reactiveinformer.controller;

import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1Service;
import io.netty.buffer.Unpooled;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.client.Patch;
import io.reactiveinformer.client.WriteOptions;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.internal.codec.ObjectCodec;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.PartialObjectMetadata;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.test.FakeApiServer;
import io.reactiveinformer.test.TestClock;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

/** Desired objects with values that no Go server stores: they are listed as applied, and answered by their absence. */
class ZeroValuesTest {

    private static final JsonMapper JSON = JsonMapper.shared();
    private static final ResourceType<V1Deployment> DEPLOYMENTS = ResourceType.of(V1Deployment.class);
    private static final ResourceType<V1Service> SERVICES = ResourceType.of(V1Service.class);
    private static final ObjectKey HOME = ObjectKey.of("shop", "home");
    private static final ReconcileRequest<ObjectKey> REQUEST = ReconcileRequest.of("websites", HOME);
    static final String DEPLOYMENT = """
            {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "home", "namespace": "shop"},
             "spec": {"minReadySeconds": 0, "paused": false, "replicas": 0, "selector": {"matchLabels": {"app": "home"}},
               "template": {"metadata": {"labels": {"app": "home"}},
                 "spec": {"hostNetwork": false, "automountServiceAccountToken": false, "securityContext": {},
                   "tolerations": [{"key": "a", "operator": "Exists", "value": ""}],
                   "volumes": [{"name": "v", "emptyDir": {}}],
                   "containers": [{"name": "web", "image": "nginx", "tty": false, "env": [{"name": "A", "value": ""}],
                      "readinessProbe": {"initialDelaySeconds": 0, "httpGet": {"port": 80, "path": "/"}},
                      "resources": {"requests": {"cpu": "0.5", "memory": "1000m"}},
                      "volumeMounts": [{"name": "v", "mountPath": "/v", "readOnly": false}]}]}}}}""";
    static final String SERVICE = """
            {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "home", "namespace": "shop"},
             "spec": {"publishNotReadyAddresses": false, "selector": {"app": "home"}, "ports": [{"port": 80, "nodePort": 0}]}}""";

    private final TestClock clock = TestClock.start();
    private final FakeApiServer server = FakeApiServer.builder().with("{apiVersion: v1, kind: Namespace, metadata: {name: shop}}").build();
    private final KubernetesClient plain = KubernetesClient.over(server.transport());

    private final KubernetesClient client = KubernetesClient.over(new AnswersAsFromGo(server.transport()));

    @AfterEach
    void end() {
        client.close();
        plain.close();
        server.close();
        clock.close();
    }

    static <T> T model(ResourceType<T> type, String json) {
        return ObjectCodec.create()
                .object(Flux.just(Unpooled.copiedBuffer(json.getBytes(StandardCharsets.UTF_8))), type)
                .block().object();
    }

    /** A process: it has applied nothing yet. */
    private final class OneProcess<T> {

        private final InformerFactory informers;
        private final Informer<T> cache;
        private final Applier<T> applier;

        OneProcess(KubernetesClient over, ResourceType<T> type) {
            informers = InformerFactory.create(over);
            cache = informers.of(type);
            applier = Applier.of(over, type, cache).withForce();
            informers.start();
            clock.advance(Duration.ofSeconds(5));
        }

        /** The number of writes in some looks. */
        int looks(T desired) {
            server.requests().clear();
            for (int i = 0; i < 4; i++) {
                applier.apply(REQUEST, desired).block();
                clock.advance(Duration.ofSeconds(1));
            }
            return server.requests().writes().size();
        }

        void ends() {
            informers.close();
            clock.advance(Duration.ofSeconds(1));
        }
    }

    private <T> void verifyRests(KubernetesClient over, ResourceType<T> type, T desired, String what) {
        for (int restart = 0; restart < 3; restart++) {
            OneProcess<T> process = new OneProcess<>(over, type);
            assertThat(process.looks(desired)).as("%s: writes in process %d", what, restart).isEqualTo(restart == 0 ? 1 : 0);
            process.ends();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void restsInEachProcess(boolean answersAsGo) {
        KubernetesClient over = answersAsGo ? client : plain;
        verifyRests(over, DEPLOYMENTS, model(DEPLOYMENTS, DEPLOYMENT), "deployment");
        verifyRests(over, SERVICES, model(SERVICES, SERVICE), "service");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void treesRestToo(boolean answersAsGo) {
        ResourceType<JsonNode> trees = ResourceType.dynamic("apps", "v1", "deployments")
                .kind("Deployment", ResourceType.Scope.NAMESPACED);
        JsonNode desired = JSON.readTree(DEPLOYMENT.replace("\"0.5\"", "\"500m\"").replace("\"1000m\"", "\"1\""));
        verifyRests(answersAsGo ? client : plain, trees, desired, "tree");
    }

    static Stream<String> drifts() {
        return Stream.of("{\"spec\": {\"minReadySeconds\": 7}}", "{\"spec\": {\"paused\": true}}", "{\"spec\": {\"replicas\": 3}}",
                "{\"spec\": {\"template\": {\"spec\": {\"automountServiceAccountToken\": null}}}}",
                "{\"spec\": {\"template\": {\"spec\": {\"hostNetwork\": true}}}}");
    }

    @ParameterizedTest
    @MethodSource("drifts")
    void driftIsRepairedAtOnceAndAfterARestart(String drift) {
        V1Deployment desired = model(DEPLOYMENTS, DEPLOYMENT);
        OneProcess<V1Deployment> process = new OneProcess<>(client, DEPLOYMENTS);
        assertThat(process.looks(desired)).isOne();
        drift(drift);
        assertThat(process.looks(desired)).as("at once").isOne();
        process.ends();
        drift(drift);
        assertThat(new OneProcess<>(client, DEPLOYMENTS).looks(desired)).as("after a restart").isOne();
    }

    private void drift(String change) {
        plain.resources(DEPLOYMENTS).patch(HOME, Patch.merge(JSON.readTree(change)), WriteOptions.defaults().withFieldManager("kubectl"))
                .block();
        clock.advance(Duration.ofSeconds(1));
    }

    @Test
    void aZeroInPlaceOfAnotherValueIsApplied() {
        V1Deployment desired = model(DEPLOYMENTS, DEPLOYMENT.replace("\"paused\": false", "\"paused\": true"));
        OneProcess<V1Deployment> process = new OneProcess<>(client, DEPLOYMENTS);
        assertThat(process.looks(desired)).isOne();
        process.ends();
        assertThat(new OneProcess<>(client, DEPLOYMENTS).looks(model(DEPLOYMENTS, DEPLOYMENT))).isOne();
        assertThat(new OneProcess<>(client, DEPLOYMENTS).looks(desired)).isOne();
    }

    @Test
    void randomZeroValuesRest() {
        for (long seed = 1; seed <= 40; seed++) {
            var random = new Random(seed);
            ObjectNode tree = (ObjectNode) JSON.readTree(DEPLOYMENT);
            ((ObjectNode) tree.path("metadata")).put("name", "home");
            mutate(tree, random);
            verifyRests(random.nextBoolean() ? client : plain, DEPLOYMENTS, model(DEPLOYMENTS, tree.toString()), "seed " + seed);
            plain.resources(DEPLOYMENTS).delete(HOME).block();
            clock.advance(Duration.ofSeconds(1));
        }
    }

    private static void mutate(ObjectNode tree, Random random) {
        List<Map.Entry<String, JsonNode>> zeros = List.of(Map.entry("/spec", JSON.readTree("{\"minReadySeconds\": 0, \"paused\": false}")),
                Map.entry("/spec/template/spec", JSON.readTree("""
                        {"hostNetwork": false, "hostPID": false, "hostname": "", "priorityClassName": "", "nodeSelector": {}}""")),
                Map.entry("/spec/template/spec/containers/0", JSON.readTree("""
                        {"tty": false, "stdin": false, "workingDir": "", "command": [], "args": [], "env": [{"name": "B", "value": ""}],
                         "ports": [{"containerPort": 80, "hostPort": 0}]}""")),
                Map.entry("/spec/template/spec/containers/0/volumeMounts/0", JSON.readTree("{\"readOnly\": false, \"subPath\": \"\"}")),
                Map.entry("/spec/template/spec/tolerations/0", JSON.readTree("{\"value\": \"\"}")),
                Map.entry("/spec/template/spec/containers/0/readinessProbe", JSON.readTree("{\"initialDelaySeconds\": 0}")));
        zeros.forEach(place -> place.getValue().forEachEntry((name, value) -> {
            ObjectNode at = (ObjectNode) tree.at(place.getKey());
            switch (random.nextInt(3)) {
                case 0 -> at.set(name, value);
                case 1 -> at.remove(name);
                default -> { }
            }
        }));
        if (random.nextBoolean()) {
            ((ArrayNode) tree.at("/spec/template/spec/containers")).addObject().put("name", "side").put("image", "x").put("tty", false);
        }
    }

    /** Its fields are another manager's, although they have the desired values. */
    @Test
    void aProofDoesNotHoldForAnotherObjectOfTheName() {
        V1Deployment desired = model(DEPLOYMENTS, DEPLOYMENT);
        OneProcess<V1Deployment> process = new OneProcess<>(client, DEPLOYMENTS);
        assertThat(process.looks(desired)).isOne();
        ObjectNode same = plain.resources(ResourceType.dynamic("apps", "v1", "deployments").kind("Deployment",
                ResourceType.Scope.NAMESPACED)).get(HOME).block().deepCopy().asObject();
        plain.resources(DEPLOYMENTS).delete(HOME).block();
        ((ObjectNode) same.path("metadata")).remove(List.of("uid", "resourceVersion", "creationTimestamp", "managedFields"));
        server.objects().create(same.toString());
        clock.advance(Duration.ofSeconds(1));
        assertThat(process.looks(desired)).isOne();
        assertThat(plain.withManagedFields().resources(DEPLOYMENTS).get(HOME).map(PartialObjectMetadata::of).block().metadata()
                .getManagedFields()).anyMatch(entry -> "websites".equals(entry.getManager()) && "Apply".equals(entry.getOperation()));
    }
}
