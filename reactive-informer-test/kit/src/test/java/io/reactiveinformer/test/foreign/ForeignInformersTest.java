package io.reactiveinformer.test.foreign;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.kubernetes.client.informer.SharedInformerFactory;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ConfigMapList;
import io.kubernetes.client.util.ClientBuilder;
import io.kubernetes.client.util.KubeConfig;
import io.reactiveinformer.Rounds;
import io.reactiveinformer.apiserver.ApiRequest.Verb;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.test.FakeApiServer;
import io.reactiveinformer.test.faults.Fault;
import java.io.IOException;
import java.io.StringReader;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Flux;

import static org.assertj.core.api.Assertions.assertThat;

/** Informers of other libraries, made for real servers, keep up with the fake server, and recover from its faults. */
@Timeout(300)
@Tag("long")
class ForeignInformersTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final ResourceType<V1ConfigMap> CONFIG_MAPS = ResourceType.of(V1ConfigMap.class);

    private final Random random = new Random(6);
    private FakeApiServer server;
    private Fault ended;
    private Fault compacted;

    @AfterEach
    void close() {
        server.close();
    }

    /** Whether TLS is between them. */
    static Stream<Boolean> tls() {
        return Rounds.cells(Stream.of(false, true), 2);
    }

    @ParameterizedTest
    @MethodSource("tls")
    void theOfficialOneEqualsTheServer(boolean tls) throws IOException {
        begin(tls ? FakeApiServer.builder().tls().build() : FakeApiServer.create());
        play(new Official(tls
                ? ClientBuilder.kubeconfig(KubeConfig.loadKubeConfig(new StringReader(server.kubeconfig()))).build()
                : new ClientBuilder().setBasePath(server.url()).build()));
    }

    @ParameterizedTest
    @MethodSource("tls")
    void thatOfFabric8EqualsTheServer(boolean tls) {
        begin(tls ? FakeApiServer.builder().tls().build() : FakeApiServer.create());
        play(new Fabric8(tls
                ? server.kubeconfig()
                : "apiVersion: v1\nkind: Config\ncurrent-context: c\n"
                + "contexts: [{name: c, context: {cluster: c, user: u}}]\nclusters: [{name: c, cluster: {server: '"
                + server.url() + "'}}]\nusers: [{name: u, user: {}}]\n"));
    }

    /**
     * The first watch ends in order in the middle of the churn. Between its last event and the next watch something changes, and then
     * history is forgotten: the next watch is from a version that is too old, whatever threads do.
     */
    private void begin(FakeApiServer begun) {
        server = begun.start();
        ended = server.faults().onWatch("configmaps").after(60).events().truncate();
        compacted = server.faults()
                .onRequest("the watch after it", request -> request.verb() == Verb.WATCH && request.isAbout("configmaps") && changed())
                .compact();
    }

    private boolean changed() {
        server.objects().create("{apiVersion: v1, kind: ConfigMap, metadata: {name: meanwhile, namespace: t}}");
        return true;
    }

    private void play(ForeignCache cache) {
        try (cache) {
            churn(50);
            awaitEqual(cache, "after its start");
            churn(200);
            ended.happened(PATIENCE).block();
            compacted.happened(PATIENCE).block();
            awaitEqual(cache, "after compaction");
            assertThat(server.log()).as("the informer received that its version is too old")
                    .anyMatch(line -> line.endsWith("watch configmaps in t: 200, then ERROR 410"));
            churn(50);
            awaitEqual(cache, "after churn");
            server.restart();
            churn(50);
            awaitEqual(cache, "after a restart");
        }
    }

    private void churn(int changes) {
        for (int i = 0; i < changes; i++) {
            String name = "c" + random.nextInt(40);
            String object = "{apiVersion: v1, kind: ConfigMap, metadata: {name: " + name + ", namespace: t}, data: {n: '"
                    + random.nextInt() + "'}}";
            boolean there = server.objects().get(CONFIG_MAPS, ObjectKey.of("t", name)).isPresent();
            if (!there) {
                server.objects().create(object);
            } else if (random.nextInt(3) == 0) {
                server.objects().delete(object);
            } else {
                server.objects().update(object);
            }
        }
    }

    private Map<String, String> truth() {
        Map<String, String> truth = new TreeMap<>();
        server.objects().list(CONFIG_MAPS).forEach(object -> truth.put(
                object.path("metadata").path("name").asString(), object.path("metadata").path("resourceVersion").asString()));
        return truth;
    }

    private void awaitEqual(ForeignCache cache, String when) {
        Flux.interval(Duration.ofMillis(20))
                .filter(tick -> cache.versions().equals(truth()))
                .next()
                .timeout(PATIENCE)
                .onErrorComplete()
                .block();
        assertThat(cache.versions()).as(when).isEqualTo(truth());
    }

    private static final class Official implements ForeignCache {
        private final SharedInformerFactory factory;
        private final io.kubernetes.client.informer.SharedIndexInformer<V1ConfigMap> informer;

        Official(ApiClient client) {
            client.setReadTimeout(0);
            CoreV1Api api = new CoreV1Api(client);
            factory = new SharedInformerFactory(client);
            informer = factory.sharedIndexInformerFor(
                    options -> api.listNamespacedConfigMap("t")
                            .resourceVersion(options.resourceVersion)
                            .timeoutSeconds(options.timeoutSeconds)
                            .watch(options.watch)
                            .buildCall(null),
                    V1ConfigMap.class,
                    V1ConfigMapList.class);
            factory.startAllRegisteredInformers();
        }

        @Override
        public Map<String, String> versions() {
            Map<String, String> versions = new TreeMap<>();
            informer.getIndexer().list()
                    .forEach(object -> versions.put(object.getMetadata().getName(), object.getMetadata().getResourceVersion()));
            return versions;
        }

        @Override
        public void close() {
            factory.stopAllRegisteredInformers();
        }
    }

    private static final class Fabric8 implements ForeignCache {
        private final io.fabric8.kubernetes.client.KubernetesClient client;
        private final SharedIndexInformer<ConfigMap> informer;

        Fabric8(String kubeconfig) {
            client = new KubernetesClientBuilder().withConfig(Config.fromKubeconfig(kubeconfig)).build();
            informer = client.configMaps().inNamespace("t").inform();
        }

        @Override
        public Map<String, String> versions() {
            Map<String, String> versions = new TreeMap<>();
            informer.getStore().list()
                    .forEach(object -> versions.put(object.getMetadata().getName(), object.getMetadata().getResourceVersion()));
            return versions;
        }

        @Override
        public void close() {
            informer.close();
            client.close();
        }
    }
}
