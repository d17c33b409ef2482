package io.reactiveinformer.test.junit;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.config.ClusterConfig;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.StatusException;
import io.reactiveinformer.test.ChangeVerifier;
import io.reactiveinformer.test.FakeApiServer;
import io.reactiveinformer.test.TestClock;
import io.reactiveinformer.test.faults.Cut;
import io.reactiveinformer.test.faults.Fault;
import io.reactiveinformer.test.simulation.Simulation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

/** Test classes as users write them, each test with servers of its own, run with {@code -Dcluster=real}: another server in memory plays the real one. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class RealClusterTest {

    private static final ResourceType<JsonNode> NAMESPACES = ResourceType.dynamic("", "v1", "namespaces");
    private static final ResourceType<JsonNode> NODES = ResourceType.dynamic("", "v1", "nodes");
    private static final ResourceType<JsonNode> SITES = ResourceType.dynamic("example.com", "v1", "sites");
    private static final ResourceType<JsonNode> ROLES = ResourceType.dynamic("rbac.authorization.k8s.io", "v1", "clusterroles");
    private static final ResourceType<JsonNode> BINDINGS =
            ResourceType.dynamic("admissionregistration.k8s.io", "v1", "validatingadmissionpolicybindings");
    private static final ResourceType<JsonNode> WEBHOOKS =
            ResourceType.dynamic("admissionregistration.k8s.io", "v1", "validatingwebhookconfigurations");
    private static final ResourceType<V1ConfigMap> CONFIG_MAPS = ResourceType.of(V1ConfigMap.class);
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final String RUN = "reactiveinformer.io/test-run";

    private static String map(String namespace, String name) {
        return "{apiVersion: v1, kind: ConfigMap, metadata: {namespace: " + namespace + ", name: " + name + "}}";
    }

    private final FakeApiServer real = FakeApiServer.builder().tls().build();

    @TempDir
    private Path directory;

    @BeforeEach
    void theRealOne() throws Exception {
        real.start().access().admin("me", "admin"); // users from now on need rights
        real.objects().create(map("production", "kept"));
        real.objects().create("{apiVersion: v1, kind: Node, metadata: {name: worker}}");
        Path file = Files.writeString(directory.resolve("kubeconfig"), real.kubeconfig());
        System.setProperty("cluster", "real");
        System.setProperty("cluster.kubeconfig", file.toString());
        System.setProperty("cluster.context", "fake");
    }

    @AfterEach
    void close() {
        System.clearProperty("cluster");
        System.clearProperty("cluster.kubeconfig");
        System.clearProperty("cluster.context");
        real.close();
    }

    private static Map<String, String> run(Class<?> tests) {
        Map<String, String> results = new LinkedHashMap<>();
        LauncherFactory.create().execute(LauncherDiscoveryRequestBuilder.request().selectors(DiscoverySelectors.selectClass(tests)).build(),
                new TestExecutionListener() {
                    @Override
                    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
                        String message = result.getThrowable().map(failure -> ": " + failure.getMessage()).orElse("");
                        if (test.isTest() || result.getStatus() != TestExecutionResult.Status.SUCCESSFUL) {
                            results.put(test.getDisplayName(), result.getStatus() + message);
                        }
                    }
                });
        return results;
    }

    /** What the cluster has besides what was there before. */
    private void nothingIsLeft() {
        assertThat(real.objects().list(NAMESPACES)).extracting(each -> each.path("metadata").path("name").asString())
                .containsExactlyInAnyOrder("default", "kube-node-lease", "kube-public", "kube-system", "production");
        assertThat(real.objects().list(CONFIG_MAPS)).hasSize(1);
        assertThat(real.objects().list(NODES)).hasSize(1);
        assertThat(real.objects().list(ROLES)).extracting(each -> each.path("metadata").path("name").asString()).noneMatch(name -> name.startsWith("fake-cluster"));
    }

    static class Portable {
        @FakeCluster
        private static FakeApiServer shared;

        @FakeCluster
        private FakeApiServer server;

        private KubernetesClient client;

        @BeforeEach
        void connect() {
            client = KubernetesClient.create(ClusterConfig.of(server.url()));
        }

        @AfterEach
        void close() {
            client.close();
        }

        @Test
        void seesOnlyItsOwnObjectsOverABrokenConnection() {
            var maps = InformerFactory.create(client).of(CONFIG_MAPS);
            server.objects().create(map("shop", "first"));
            Fault cut = server.faults().onWatch("configmaps").after(0).events().cut(Cut.RST);
            maps.start();
            cut.happened(PATIENCE).block();
            ChangeVerifier.of(maps, server)
                    .expectInitial("shop/first")
                    .expectSynced(1)
                    .thenServer(objects -> objects.create(map("cart", "second")))
                    .expectAdded("cart/second")
                    .thenCancel()
                    .verify(PATIENCE);
            assertThat(server.objects().list(CONFIG_MAPS)).hasSize(2);
            server.requests().verifyWrites();
        }

        @Test
        void hasUsersAndRights() {
            server.objects().create(map("shop", "first"));
            server.access().user("a-token", "jane").allow("jane", "get", "configmaps", "shop").deny("delete", "configmaps");
            try (var jane = KubernetesClient.create(ClusterConfig.of(server.url()).token("a-token"))) {
                assertThat(jane.resources(CONFIG_MAPS).get(ObjectKey.of("shop", "first")).block(PATIENCE)).isNotNull();
                assertThatThrownBy(() -> jane.resources(CONFIG_MAPS).delete(ObjectKey.of("shop", "first")).block(PATIENCE))
                        .isInstanceOf(StatusException.class).hasMessageContaining("User \"jane\" cannot delete");
                assertThatThrownBy(() -> jane.resources(CONFIG_MAPS).create(Namespaces.of("shop"), new V1ConfigMap()).block(PATIENCE))
                        .isInstanceOf(StatusException.class).hasMessageContaining("User \"jane\" cannot create");
            }
        }

        @Test
        void hasRolesAndServiceAccounts() {
            server.objects().create("""
                    {apiVersion: rbac.authorization.k8s.io/v1, kind: Role, metadata: {name: reader, namespace: shop},
                     rules: [{apiGroups: [''], resources: [configmaps], verbs: [get]}]}
                    ---
                    {apiVersion: rbac.authorization.k8s.io/v1, kind: RoleBinding, metadata: {name: reader, namespace: shop},
                     roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: reader},
                     subjects: [{kind: ServiceAccount, name: app, namespace: shop}]}
                    """);
            server.access().user("t", "system:serviceaccount:shop:app");
            try (var app = KubernetesClient.create(ClusterConfig.of(server.url()).token("t"))) {
                server.objects().create(map("shop", "kept"));
                assertThat(app.resources(CONFIG_MAPS).get(ObjectKey.of("shop", "kept")).block(PATIENCE)).isNotNull();
                assertThatThrownBy(() -> app.resources(CONFIG_MAPS).get(ObjectKey.of("production", "kept")).block(PATIENCE))
                        .hasMessageContaining("system:serviceaccount:shop:app");
            }
        }

        @Test
        void hasTypesAndObjectsWithoutANamespace() {
            server.objects().load("""
                    {apiVersion: example.com/v1, kind: Site, metadata: {name: one}, spec: {}, status: {ready: true}}
                    ---
                    apiVersion: apiextensions.k8s.io/v1
                    kind: CustomResourceDefinition
                    metadata: {name: sites.example.com}
                    spec:
                      group: example.com
                      scope: Namespaced
                      names: {plural: sites, singular: site, kind: Site, listKind: SiteList}
                      versions:
                      - name: v1
                        served: true
                        storage: true
                        subresources: {status: {}}
                        schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
                    ---
                    {apiVersion: v1, kind: Node, metadata: {name: mine, finalizers: [example.com/x]}}
                    """);
            ObjectKey one = ObjectKey.of(server.namespace(), "one");
            assertThat(server.objects().get(SITES, one).orElseThrow().path("status").path("ready").asBoolean()).isTrue();
            server.objects().edit(SITES, one, tree -> {
                tree.withObject("/spec").put("pages", 3);
                return tree;
            });
            server.objects().update("{apiVersion: v1, kind: Node, metadata: {name: mine, labels: {a: b}, finalizers: [example.com/x]}}");
            assertThat(server.objects().get(SITES, one).orElseThrow().path("spec").path("pages").asInt()).isEqualTo(3);
            client.resources(SITES).delete(one).block(PATIENCE);
            server.requests().verifyWrites("delete sites.example.com one in " + server.namespace());
            server.reset();
            assertThatThrownBy(() -> server.objects().list(SITES)).hasMessageContaining("CustomResourceDefinition");
        }

        @Test
        void sharesAServer() {
            shared.objects().create(map("shared", "x"));
        }

        @Test
        void sharesAServerAgain() {
            assertThat(shared.objects().list(CONFIG_MAPS)).isEmpty();
            shared.objects().create(map("shared", "x"));
        }

        @Test
        void cleansUpAfterAFailure() {
            server.objects().create("{apiVersion: v1, kind: ConfigMap, metadata: {namespace: shop, name: last, finalizers: [example.com/x]}}");
            fail("on purpose");
        }
    }

    static class Built {
        @FakeCluster
        private FakeApiServer secure = FakeApiServer.builder().tls().with(map("secure", "first")).build();

        @Test
        void hasItsFirstObjectsAndItsCertificates() throws Exception {
            assertThat(secure.objects().list(CONFIG_MAPS)).hasSize(1);
            Path file = Files.writeString(Files.createTempFile("jane", ".kubeconfig"), secure.kubeconfig("jane", "a-group"));
            try (var jane = KubernetesClient.create(ClusterConfig.kubeconfig(file))) {
                assertThatThrownBy(() -> jane.resources(CONFIG_MAPS).get(ObjectKey.of("secure", "first")).block(PATIENCE))
                        .hasMessageContaining("User \"jane\" cannot get");
            } finally {
                Files.delete(file);
            }
        }
    }

    @Test
    void playsAServerThatTheTestBuilt() {
        assertThat(run(Built.class)).containsExactly(Map.entry("hasItsFirstObjectsAndItsCertificates()", "SUCCESSFUL"));
        nothingIsLeft();
    }

    @Test
    void runsTheSameTests() {
        Map<String, String> results = run(Portable.class);
        assertThat(results.remove("cleansUpAfterAFailure()")).isEqualTo("FAILED: on purpose");
        assertThat(results).hasSize(6).allSatisfy((test, result) -> assertThat(result).as(test).isEqualTo("SUCCESSFUL"));
        nothingIsLeft();
    }

    static class Admission {
        @FakeCluster
        private FakeApiServer server;

        @Test
        void boundsPoliciesAndWebhooksToItsOwnNamespaces() {
            server.objects().create("""
                    apiVersion: admissionregistration.k8s.io/v1
                    kind: ValidatingAdmissionPolicyBinding
                    metadata: {name: no-maps}
                    spec: {policyName: no-maps, validationActions: [Deny], matchResources: {namespaceSelector: {matchLabels: {a: b}}}}
                    ---
                    apiVersion: admissionregistration.k8s.io/v1
                    kind: ValidatingWebhookConfiguration
                    metadata: {name: no-maps}
                    webhooks:
                    - name: no-maps.example.com
                      sideEffects: None
                      admissionReviewVersions: [v1]
                      rules: [{apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}]
                      clientConfig: {url: 'https://127.0.0.1:1/'}
                    """);
            assertThat(selector(BINDINGS, "/spec/matchResources")).contains("\"a\":\"b\"", RUN);
            server.objects().update("{apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingAdmissionPolicyBinding,"
                    + " metadata: {name: no-maps}, spec: {policyName: no-maps, validationActions: [Warn]}}");
            assertThat(selector(BINDINGS, "/spec/matchResources")).contains(RUN);
            assertThat(selector(WEBHOOKS, "/webhooks/0")).contains(RUN);
        }

        private String selector(ResourceType<JsonNode> type, String place) {
            return server.objects().get(type, ObjectKey.parse("no-maps")).orElseThrow().at(place + "/namespaceSelector/matchLabels").toString();
        }

        @Test
        void countsAQuotaIfNoControllerDoes() {
            server.objects().create("{apiVersion: v1, kind: ResourceQuota, metadata: {name: few, namespace: shop}, spec: {hard: {pods: 2}}}");
            server.objects().create(map("shop", "refused-at-first"));
        }
    }

    @Test
    void boundsAndCounts() {
        Fault uncounted = real.faults().on("get", "resourcequotas").always()
                .answer("{apiVersion: v1, kind: ResourceQuota, metadata: {name: few, namespace: shop}, spec: {hard: {pods: 2}}}");
        Fault changing = real.faults().on("create", "configmaps").initializing();
        var written = real.requests().await(request -> request.toString().contains("resourcequotas/status"), Duration.ofMinutes(2))
                .subscribe(seen -> uncounted.disarm());
        assertThat(run(Admission.class)).hasSize(2).allSatisfy((test, result) -> assertThat(result).as(test).isEqualTo("SUCCESSFUL"));
        assertThat(written.isDisposed()).as("the status was written").isTrue();
        changing.happened(PATIENCE).block();
        nothingIsLeft();
    }

    static class InMemoryOnly {
        @FakeCluster
        private static FakeApiServer server;

        @Test
        void compacts() {
            server.compact();
        }

        @Test
        void restartsOnAThreadThatNobodyWaitsFor() {
            try {
                server.restart();
            } catch (RuntimeException swallowed) {
                return;
            }
        }

        @Test
        void expiresHistory() {
            server.faults().onList("pods").compact();
        }

        @Test
        void restores() {
            server.restore(server.backup());
        }

        @Test
        void simulates() {
            Simulation.of(server).smallCluster();
        }

        @Test
        void hasAClock() {
            try (var clock = TestClock.start(); var own = FakeApiServer.create()) {
                own.objects().create(map("shop", "x"));
                clock.advance(Duration.ofHours(1));
            }
        }

        @Test
        void replays(@TempDir Path directory) throws Exception {
            Files.writeString(directory.resolve("recording.jsonl"), "");
            try (var recorded = FakeApiServer.builder().replay(directory).build()) {
                recorded.start();
            }
        }

        @Test
        void keepsALittleHistory() {
            try (var own = FakeApiServer.builder().history(1).build()) {
                own.start();
            }
        }

        @Test
        void writesToANamespaceOfEachCluster() {
            server.objects().create(map("default", "x"));
        }

        @Test
        void writesToWhatIsNotItsOwn() {
            try (var client = KubernetesClient.create(ClusterConfig.of(server.url()))) {
                client.resources(CONFIG_MAPS).delete(ObjectKey.of("production", "kept")).block(PATIENCE);
            }
        }

        @Test
        void deletesANodeThatIsNotItsOwn() {
            server.objects().delete(NODES, ObjectKey.parse("worker"));
        }

        @Test
        void namesANamespaceThatIsNotItsOwn() {
            server.objects().create(map("production", "x"));
        }
    }

    @Test
    void skipsWhatARealClusterHasNotAndTouchesNothingOfOthers() {
        Map<String, String> results = run(InMemoryOnly.class);
        assertThat(results.remove("namesANamespaceThatIsNotItsOwn()")).startsWith("FAILED: the real cluster has a namespace production that no test");
        assertThat(results).hasSize(11).allSatisfy((test, result) ->
                assertThat(result).as(test).startsWith("ABORTED: not on a real cluster: "));
        assertThat(results.get("compacts()")).endsWith("compaction needs a server in memory");
        assertThat(results.get("hasAClock()")).endsWith("a server with [scheduler] needs a server in memory");
        assertThat(results.get("keepsALittleHistory()")).endsWith("a server with [history] needs a server in memory");
        assertThat(results.get("writesToWhatIsNotItsOwn()")).contains("\"delete configmaps kept in production\" concerns what this test has not made");
        nothingIsLeft();
    }

    static class InAnotherRun {
        @FakeCluster
        private FakeApiServer server;

        @Test
        void waits() {
            server.objects().create(map("shop", "x"));
            assertThat(server.objects().list(NAMESPACES)).anySatisfy(each -> assertThat(each.toString()).contains(RUN));
        }
    }

    @Test
    void waitsForATestOfAnotherRunWithTheSameNamespace() {
        real.objects().create("{apiVersion: v1, kind: Namespace, metadata: {name: shop, labels: {" + RUN + ": other}}}");
        real.requests().clear();
        var deletes = real.requests().await(request -> request.toString().equals("get namespaces shop"), PATIENCE)
                .subscribe(seen -> real.objects().delete(NAMESPACES, ObjectKey.parse("shop")));
        assertThat(run(InAnotherRun.class)).containsExactly(Map.entry("waits()", "SUCCESSFUL"));
        deletes.dispose();
        nothingIsLeft();
    }

    @Test
    void needsAContextThatTheUserNames() {
        System.clearProperty("cluster.context");
        assertThatThrownBy(FakeApiServer::create).isInstanceOf(IllegalArgumentException.class).hasMessageContaining("-Dcluster.context=NAME");
        System.setProperty("cluster", "reel");
        assertThatThrownBy(FakeApiServer::create).hasMessageStartingWith("-Dcluster=reel");
    }
}
