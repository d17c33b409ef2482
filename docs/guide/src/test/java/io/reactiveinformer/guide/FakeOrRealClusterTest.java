package io.reactiveinformer.guide;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.reactiveinformer.apiserver.ApiRequest.Verb;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.client.ResourceClient;
import io.reactiveinformer.config.ClusterConfig;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.Selector;
import io.reactiveinformer.resource.StatusException;
import io.reactiveinformer.test.ChangeVerifier;
import io.reactiveinformer.test.FakeApiServer;
import io.reactiveinformer.test.faults.Cut;
import io.reactiveinformer.test.faults.Fault;
import io.reactiveinformer.test.junit.FakeCluster;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.test.StepVerifier;

import static org.assertj.core.api.Assertions.assertThat;

/** The same tests in memory, and with {@code -Dcluster=real} on a real cluster: see {@code docs/guide/testing.md}. */
class FakeOrRealClusterTest {

    private static final ResourceType<V1ConfigMap> CONFIG_MAPS = ResourceType.of(V1ConfigMap.class);
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @FakeCluster
    private FakeApiServer server;

    private KubernetesClient client;
    private Informer<V1ConfigMap> configMaps;

    @BeforeEach
    void connect() {
        client = KubernetesClient.create(ClusterConfig.of(server.url()));
        configMaps = InformerFactory.create(client).of(CONFIG_MAPS, Namespaces.of("shop"), Selector.labels("app"));
    }

    @AfterEach
    void close() {
        client.close();
    }

    private static V1ConfigMap configMap(String name) {
        return new V1ConfigMap().metadata(new V1ObjectMeta().name(name).namespace("shop").labels(Map.of("app", "web")));
    }

    @Test
    void getsOverAConnectionThatBreaks() {
        server.objects().create(configMap("web"));                      // makes the namespace, too
        Fault cut = server.faults().onWatch("configmaps").after(0).events().cut(Cut.RST);
        configMaps.start();
        cut.happened(PATIENCE).block();
        ChangeVerifier.of(configMaps, server)
                .skipUntil("Synced", change -> change.match(a -> false, u -> false, d -> false, s -> true))
                .thenServer(objects -> objects.create(configMap("cart")))
                .expectAdded("shop/cart")
                .thenCancel()
                .verify(PATIENCE);
        assertThat(server.requests().all().stream().filter(request -> request.verb() == Verb.WATCH)).hasSizeGreaterThan(1);
        server.requests().verifyWrites();                               // none: the objects of the test are no requests
    }

    @Test
    void actsAsAUserWithoutRights() {
        server.objects().create(configMap("web"));
        server.access().user("a-token", "jane").allow("jane", "get", "configmaps", "shop");
        try (var jane = KubernetesClient.create(ClusterConfig.of(server.url()).token("a-token"))) {
            ResourceClient<V1ConfigMap> maps = jane.resources(CONFIG_MAPS);
            assertThat(maps.get(ObjectKey.of("shop", "web")).block(PATIENCE)).isNotNull();
            StepVerifier.create(maps.delete(ObjectKey.of("shop", "web")))
                    .expectErrorSatisfies(failure -> assertThat(failure).isInstanceOf(StatusException.class)
                            .hasMessageContaining("User \"jane\" cannot delete resource \"configmaps\""))
                    .verify(PATIENCE);
        }
    }

    @Test
    void retriesAfterARefusal() {
        server.faults().on("create", "configmaps").internalError();
        String mine = server.namespace();                               // "default" in memory
        V1ConfigMap map = new V1ConfigMap().metadata(new V1ObjectMeta().name("one"));
        client.resources(CONFIG_MAPS).create(Namespaces.of(mine), map).retry(1).block(PATIENCE);
        assertThat(server.objects().get(CONFIG_MAPS, ObjectKey.of(mine, "one"))).isPresent();
        server.requests().verifyWrites("create configmaps in " + mine, "create configmaps in " + mine);
    }

    @Test
    void listsAgainWhenHistoryIsGone() {
        configMaps.start();
        configMaps.synced().block(PATIENCE);
        server.compact();                                               // skipped on a real cluster
        assertThat(server.obstacle()).isEmpty();
    }
}
