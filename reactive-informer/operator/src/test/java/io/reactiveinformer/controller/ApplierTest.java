package io.reactiveinformer.controller;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.netty.buffer.Unpooled;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.client.Patch;
import io.reactiveinformer.client.WriteOptions;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.internal.codec.ObjectCodec;
import io.reactiveinformer.resource.ConflictException;
import io.reactiveinformer.resource.ConflictException.FieldConflict;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.test.FakeApiServer;
import io.reactiveinformer.test.TestClock;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import tools.jackson.core.json.JsonReadFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

class ApplierTest {

    private static final JsonMapper JSON = JsonMapper.shared();
    private static final ResourceType<V1Deployment> DEPLOYMENTS = ResourceType.of(V1Deployment.class);
    private static final ResourceType<V1ConfigMap> PAGES = ResourceType.of(V1ConfigMap.class);
    private static final ResourceType<JsonNode> TREES = ResourceType.dynamic("apps", "v1", "deployments")
            .kind("Deployment", ResourceType.Scope.NAMESPACED);
    private static final ObjectKey HOME = ObjectKey.of("shop", "home");
    private static final WriteOptions KUBECTL = WriteOptions.defaults().withFieldManager("kubectl");
    private static final String DEPLOYMENT = """
            {"apiVersion": "apps/v1", "kind": "Deployment",
             "metadata": {"name": "home", "namespace": "shop", "labels": {"app": "home", "tier": "web"}, "annotations": {"note": "ours"},
               "finalizers": ["example.com/ours"],
               "ownerReferences": [{"apiVersion": "no.such/v1", "kind": "Owner", "name": "o", "uid": "u1", "controller": true}]},
             "spec": {"minReadySeconds": 3, "selector": {"matchLabels": {"app": "home"}},
               "template": {"metadata": {"labels": {"app": "home"}},
                 "spec": {"terminationGracePeriodSeconds": 5,
                   "tolerations": [{"key": "a", "operator": "Exists"}],
                   "containers": [
                     {"name": "web", "image": "nginx:1", "args": ["-x", "-y"], "ports": [{"containerPort": 80}],
                      "env": [{"name": "A", "value": "1"}, {"name": "B", "value": "2"}],
                      "resources": {"requests": {"cpu": "0.5", "memory": "1024Mi"}}},
                     {"name": "side", "image": "busybox"}]}}}}""";

    private final TestClock clock = TestClock.start();
    private final FakeApiServer server = FakeApiServer.builder().with("{apiVersion: v1, kind: Namespace, metadata: {name: shop}}").build();
    private final KubernetesClient client = KubernetesClient.over(server.transport());
    private final InformerFactory informers = InformerFactory.create(client);
    private final Informer<V1Deployment> deployments = informers.of(DEPLOYMENTS);
    private final Informer<JsonNode> trees = informers.of(TREES);
    private final Informer<V1ConfigMap> pages = informers.of(PAGES);
    private Applier<V1Deployment> applier = Applier.of(client, DEPLOYMENTS, deployments).withForce();

    @AfterEach
    void end() {
        client.close();
        server.close();
        clock.close();
    }

    private static ReconcileRequest<ObjectKey> request() {
        return ReconcileRequest.of("websites", HOME);
    }

    private <T> T looks(Applier<T> with, T desired) {
        T result = with.apply(request(), desired).block();
        clock.advance(Duration.ofSeconds(1));
        return result;
    }

    private static V1Deployment deployment() {
        return model(DEPLOYMENT);
    }

    private static V1Deployment model(String json) {
        return ObjectCodec.create()
                .object(Flux.just(Unpooled.copiedBuffer(json.getBytes(StandardCharsets.UTF_8))), DEPLOYMENTS)
                .block().object();
    }

    private void begin() {
        informers.start();
        clock.advance(Duration.ofSeconds(5));
        looks(applier, deployment());
        server.requests().clear();
    }

    private void verifyRests() {
        server.requests().clear();
        for (int i = 0; i < 5; i++) {
            looks(applier, deployment());
        }
        assertThat(server.requests().all()).filteredOn(each -> each.verb().toString().matches("get|patch")).isEmpty();
    }

    /** The next process gets what this one has applied. */
    @Test
    void theRolesAreThoseOfTheNextProcess() {
        begin();
        assertThat(server.requests().roles("websites"))
                .contains("deployments\"]\n  verbs: [\"create\", \"get\", \"list\", \"patch\", \"watch\"]")
                .contains("configmaps\"]\n  verbs: [\"list\", \"watch\"]");
    }

    @Test
    void sendsNothingAtRest() {
        begin();
        verifyRests();
        client.resources(DEPLOYMENTS).status().patch(HOME, Patch.merge(Map.of("status", Map.of("replicas", 1))), KUBECTL).block();
        clock.advance(Duration.ofSeconds(1));
        verifyRests();
    }

    /** A ConfigMap that counts how often it is written as JSON. */
    static final class Page {
        static final AtomicInteger WRITTEN = new AtomicInteger();
        public String apiVersion = "v1";
        public String kind = "ConfigMap";
        private V1ObjectMeta metadata = new V1ObjectMeta().namespace("shop").name("home");
        private Map<String, String> data = Map.of("a", "1");

        public V1ObjectMeta getMetadata() {
            return metadata;
        }

        public void setMetadata(V1ObjectMeta metadata) {
            this.metadata = metadata;
        }

        public Map<String, String> getData() {
            WRITTEN.incrementAndGet();
            return data;
        }

        public void setData(Map<String, String> data) {
            this.data = data;
        }
    }

    @Test
    void aCachedObjectIsComparedOnce() {
        ResourceType<Page> type = ResourceType.of("", "v1", "configmaps", ResourceType.Scope.NAMESPACED, Page.class)
                .kind("ConfigMap", ResourceType.Scope.NAMESPACED);
        Informer<Page> cached = informers.of(type);
        informers.start();
        clock.advance(Duration.ofSeconds(5));
        Applier<Page> counted = Applier.of(client, type, cached);
        looks(counted, new Page());
        assertThat(writtenBy(counted)).as("what is desired and what is cached").isEqualTo(2);
        assertThat(writtenBy(counted)).as("what is desired").isEqualTo(1);

        client.resources(PAGES).patch(HOME, Patch.merge(Map.of("data", Map.of("b", "2"))), KUBECTL).block();
        clock.advance(Duration.ofSeconds(1));
        assertThat(writtenBy(counted)).as("and another version").isEqualTo(2);
        assertThat(writtenBy(counted)).isEqualTo(1);
    }

    private int writtenBy(Applier<Page> counted) {
        int before = Page.WRITTEN.get();
        looks(counted, new Page());
        return Page.WRITTEN.get() - before;
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "{metadata: {labels: {app: other}}}", "{metadata: {labels: {tier: null}}}", "{metadata: {annotations: {note: theirs}}}",
        "{metadata: {finalizers: null}}", "{metadata: {ownerReferences: null}}", "{spec: {minReadySeconds: 4}}",
        "{spec: {minReadySeconds: null}}", "{spec: {template: {spec: {terminationGracePeriodSeconds: 30}}}}",
        "{spec: {template: {spec: {tolerations: [{key: a, operator: Exists}, {key: b, operator: Exists}]}}}}",
        "{spec: {template: {spec: {containers: [{name: web, image: 'nginx:2'}]}}}}",
        "{spec: {template: {spec: {containers: [{name: web, args: ['-x', '-y', '-z']}]}}}}",
        "{spec: {template: {spec: {containers: [{name: web, args: ['-y', '-x']}]}}}}",
        "{spec: {template: {spec: {containers: [{name: web, env: [{name: A, value: '3'}]}]}}}}",
        "{spec: {template: {spec: {containers: [{name: web, env: [{name: A, $patch: delete}]}]}}}}",
        "{spec: {template: {spec: {containers: [{name: web, resources: {requests: {cpu: '2'}}}]}}}}",
        "{spec: {template: {spec: {containers: [{name: side, $patch: delete}]}}}}"})
    void repairsDrift(String change) {
        begin();
        V1Deployment before = client.resources(DEPLOYMENTS).get(HOME).block();
        client.resources(DEPLOYMENTS).patch(HOME, Patch.strategic(yaml(change)), KUBECTL).block();
        clock.advance(Duration.ofSeconds(1));
        V1Deployment drifted = client.resources(DEPLOYMENTS).get(HOME).block();
        assertThat(drifted.getSpec().equals(before.getSpec()) && metadata(drifted).equals(metadata(before))).isFalse();
        looks(applier, deployment());
        V1Deployment repaired = client.resources(DEPLOYMENTS).get(HOME).block();
        assertThat(repaired.getSpec()).isEqualTo(before.getSpec());
        assertThat(metadata(repaired)).isEqualTo(metadata(before));
        verifyRests();
    }

    private static V1ObjectMeta metadata(V1Deployment deployment) {
        return deployment.getMetadata().resourceVersion(null).generation(null).managedFields(null);
    }

    private static JsonNode yaml(String flow) {
        return JsonMapper.builder().enable(JsonReadFeature.ALLOW_UNQUOTED_PROPERTY_NAMES)
                .enable(JsonReadFeature.ALLOW_SINGLE_QUOTES).build()
                .readTree(flow.replaceAll("(?<=[:\\[] )(?!null)([a-zA-Z][a-zA-Z]*)(?=[,}\\]])", "'$1'"));
    }

    @Test
    void leavesTheFieldsOfOthersAlone() {
        begin();
        client.resources(DEPLOYMENTS).patch(HOME, Patch.strategic(yaml("{metadata: {labels: {more: theirs}}, spec: {replicas: 7, "
                + "template: {spec: {containers: [{name: mesh, image: mesh}, {name: web, env: [{name: C, value: c}]}]}}}}")), KUBECTL)
                .block();
        clock.advance(Duration.ofSeconds(1));
        verifyRests();
        client.resources(DEPLOYMENTS).patch(HOME, Patch.merge(yaml("{spec: {minReadySeconds: 9}}")), KUBECTL).block();
        clock.advance(Duration.ofSeconds(1));
        V1Deployment repaired = looks(applier, deployment());
        assertThat(repaired.getSpec().getMinReadySeconds()).isEqualTo(3);
        assertThat(repaired.getSpec().getReplicas()).isEqualTo(7);
        assertThat(repaired.getMetadata().getLabels()).containsEntry("more", "theirs");
        assertThat(repaired.getSpec().getTemplate().getSpec().getContainers()).hasSize(3);
        verifyRests();
    }

    @Test
    void removesWhatIsNotDesiredAnyMore() {
        begin();
        V1Deployment less = deployment();
        less.getMetadata().getLabels().remove("tier");
        less.getSpec().getTemplate().getSpec().getContainers().remove(1);
        V1Deployment result = looks(applier, less);
        assertThat(result.getMetadata().getLabels()).containsOnlyKeys("app");
        assertThat(result.getSpec().getTemplate().getSpec().getContainers()).hasSize(1);
    }

    @Test
    void removesItAfterARestartToo() {
        begin();
        applier = Applier.of(client, DEPLOYMENTS, deployments);
        V1Deployment less = deployment();
        less.getMetadata().getLabels().remove("tier");
        assertThat(looks(applier, less).getMetadata().getLabels()).containsOnlyKeys("app");
    }

    @Test
    void aRestartAtRestWritesNothing() {
        informers.start();
        clock.advance(Duration.ofSeconds(5));
        Applier<V1ConfigMap> before = Applier.of(client, PAGES, pages);
        V1ConfigMap page = new V1ConfigMap().metadata(new V1ObjectMeta().name("home").namespace("shop").putLabelsItem("a", "b"))
                .data(Map.of("x", "1", "y", "2")).binaryData(Map.of("z", new byte[] {1, 2}));
        looks(before, page);
        server.requests().clear();
        Applier<V1ConfigMap> after = Applier.of(client, PAGES, pages);
        looks(after, page);
        looks(after, page);
        assertThat(server.requests().writes()).isEmpty();
        assertThat(server.requests().all()).filteredOn(each -> each.verb().toString().equals("get")).hasSize(1);
    }

    @Test
    void driftDuringARestartIsRepaired() {
        begin();
        client.resources(DEPLOYMENTS).patch(HOME, Patch.merge(yaml("{spec: {minReadySeconds: 9}}")), KUBECTL).block();
        clock.advance(Duration.ofSeconds(1));
        applier = Applier.of(client, DEPLOYMENTS, deployments).withForce();
        assertThat(looks(applier, deployment()).getSpec().getMinReadySeconds()).isEqualTo(3);
        verifyRests();
    }

    @Test
    void aLostAnswerIsNoProof() {
        informers.start();
        clock.advance(Duration.ofSeconds(5));
        server.faults().on("patch", "deployments").times(1).internalError();
        assertThat(catchThrowableOfType(RuntimeException.class, () -> looks(applier, deployment()))).isNotNull();
        looks(applier, deployment());
        verifyRests();
    }

    @Test
    void anotherObjectOfTheNameIsAppliedAnew() {
        begin();
        client.resources(DEPLOYMENTS).patch(HOME, Patch.merge(yaml("{metadata: {finalizers: null}}")), KUBECTL).block();
        client.resources(DEPLOYMENTS).delete(HOME).block();
        clock.advance(Duration.ofSeconds(1));
        V1Deployment other = deployment();
        other.getMetadata().setFinalizers(null);
        client.resources(DEPLOYMENTS).create(Namespaces.of("shop"), other, KUBECTL).block();
        clock.advance(Duration.ofSeconds(1));
        assertThat(looks(applier, deployment()).getMetadata().getFinalizers()).containsExactly("example.com/ours");
        verifyRests();
    }

    @Test
    void aConflictNamesFieldsAndManagers() {
        begin();
        client.resources(DEPLOYMENTS).patch(HOME, Patch.strategic(yaml("{spec: {minReadySeconds: 9, template: {spec: {containers: "
                + "[{name: web, image: 'nginx:2'}]}}}}")), WriteOptions.defaults().withFieldManager("the other")).block();
        clock.advance(Duration.ofSeconds(1));
        Applier<V1Deployment> polite = Applier.of(client, DEPLOYMENTS, deployments);
        ConflictException conflict = catchThrowableOfType(ConflictException.class, () -> looks(polite, deployment()));
        assertThat(conflict.fields()).containsExactlyInAnyOrder(
                new FieldConflict(".spec.minReadySeconds", "the other"),
                new FieldConflict(".spec.template.spec.containers[name=\"web\"].image", "the other"));
    }

    @Test
    void appliesTrees() {
        informers.start();
        clock.advance(Duration.ofSeconds(5));
        Applier<JsonNode> dynamic = Applier.of(client, TREES, trees);
        looks(dynamic, JSON.readTree(DEPLOYMENT));
        server.requests().clear();
        JsonNode same = looks(dynamic, JSON.readTree(DEPLOYMENT));
        assertThat(server.requests().all()).isEmpty();
        assertThat(same.path("metadata").has("managedFields")).isFalse();
        ObjectNode less = (ObjectNode) JSON.readTree(DEPLOYMENT);
        ((ObjectNode) less.path("spec")).remove("minReadySeconds");
        assertThat(looks(dynamic, less).at("/spec/minReadySeconds").isMissingNode()).isTrue();
    }

    @Test
    void refusesWhatHasNoName() {
        informers.start();
        clock.advance(Duration.ofSeconds(5));
        assertThatIllegalArgumentException().isThrownBy(() -> looks(applier, new V1Deployment())).withMessageContaining("needs a name");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> looks(applier, new V1Deployment().metadata(new V1ObjectMeta().name("home"))))
                .withMessageContaining("has no namespace");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Applier.of(client, DEPLOYMENTS.as(List.class), null)).withMessageContaining("a part of");
        assertThat(server.requests().writes()).isEmpty();
    }
}
