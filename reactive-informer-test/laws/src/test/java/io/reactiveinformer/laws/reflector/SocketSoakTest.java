package io.reactiveinformer.laws.reflector;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.reactiveinformer.Rounds;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.config.ClusterConfig;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.test.FakeApiServer;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Flux;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Law 17 over real sockets and in real time: some seconds in a thorough build, ten minutes by
 * {@code ./mvnw -pl reactive-informer-test/laws -am test -Dtest=SocketSoakTest -Dsurefire.failIfNoSpecifiedTests=false -Dsoak.seconds=600}.
 */
class SocketSoakTest {

    private static final Duration LASTS = Duration.ofSeconds(Integer.getInteger("soak.seconds", 5));
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final ResourceType<V1ConfigMap> CONFIG_MAPS = ResourceType.of(V1ConfigMap.class);

    private final long seed = Long.getLong("soak.seed", 1);
    private final Random random = new Random(seed);
    private final FakeApiServer server = FakeApiServer.builder().seed(seed).history(50).build().start();

    @BeforeAll
    static void onlyWhereThereIsTime() {
        if (Integer.getInteger("soak.seconds") == null) {
            Rounds.assumeThorough();
        }
    }

    @Test
    @Timeout(value = 1, unit = TimeUnit.HOURS)
    void onceTheServerIsWellTheCacheEqualsIt() {
        try (KubernetesClient client = KubernetesClient.create(ClusterConfig.of(server.url()));
                InformerFactory informers = InformerFactory.create(client)) {
            Informer<V1ConfigMap> settings = informers.of(CONFIG_MAPS, Namespaces.of("default"));
            server.faults().random(seed).rate(0.5).onListsAndWatches("configmaps");
            informers.start();

            Flux.interval(Duration.ofMillis(5)).onBackpressureDrop().take(LASTS).doOnNext(tick -> happen()).blockLast();

            server.faults().clear();
            server.objects().list(CONFIG_MAPS).forEach(object -> {
                ObjectNode touched = server.objects().edit(CONFIG_MAPS, key(object), now -> change(now, "touched"));
                settings.atLeast(key(object), touched.path("metadata").path("resourceVersion").asString()).block(PATIENCE);
            });
            server.objects().create("{apiVersion: v1, kind: ConfigMap, metadata: {namespace: default, name: last}}");
            settings.await(ObjectKey.of("default", "last"), last -> true).block(PATIENCE);
            Map<ObjectKey, String> cached = new TreeMap<>();
            settings.snapshot().forEach((key, entry) -> cached.put(key, entry.uid() + " at " + entry.resourceVersion()));
            assertThat(cached).as("-Dsoak.seed=%d", seed).isEqualTo(served());
        } finally {
            server.close();
        }
    }

    private void happen() {
        ObjectKey key = ObjectKey.of("default", "c" + random.nextInt(20));
        if (server.objects().get(CONFIG_MAPS, key).isEmpty()) {
            server.objects().create("{apiVersion: v1, kind: ConfigMap, metadata: {namespace: default, name: " + key.name() + "}}");
        } else if (random.nextInt(4) == 0) {
            server.objects().delete(CONFIG_MAPS, key);
        } else {
            server.objects().edit(CONFIG_MAPS, key, object -> change(object, String.valueOf(random.nextInt())));
        }
        if (random.nextInt(300) == 0) {
            server.restart();
        } else if (random.nextInt(100) == 0) {
            server.compact();
        }
    }

    private static ObjectNode change(ObjectNode object, String value) {
        object.withObject("data").put("n", value);
        return object;
    }

    private static ObjectKey key(ObjectNode object) {
        return ObjectKey.of("default", object.path("metadata").path("name").asString());
    }

    private Map<ObjectKey, String> served() {
        Map<ObjectKey, String> served = new TreeMap<>();
        server.objects().list(CONFIG_MAPS).stream().filter(object -> object.path("metadata").path("namespace").asString().equals("default"))
                .forEach(object -> served.put(
                        key(object), object.path("metadata").path("uid").asString() + " at "
                                + object.path("metadata").path("resourceVersion").asString()));
        return served;
    }
}
