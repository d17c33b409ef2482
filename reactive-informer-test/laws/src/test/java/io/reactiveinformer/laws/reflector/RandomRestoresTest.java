package io.reactiveinformer.laws.reflector;

import io.reactiveinformer.Rounds;
import io.reactiveinformer.apiserver.Backup;
import io.reactiveinformer.client.ClientOptions;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.reflector.Reflector;
import io.reactiveinformer.reflector.ReflectorOptions;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.source.ListerWatcher;
import io.reactiveinformer.test.FakeApiServer;
import io.reactiveinformer.transport.TransportOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.test.scheduler.VirtualTimeScheduler;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/** Law 15: after a connection that broke, the past is proven before it is trusted. */
class RandomRestoresTest {

    private static final ResourceType<JsonNode> CONFIG_MAPS = ResourceType.dynamic("", "v1", "configmaps");

    private final VirtualTimeScheduler clock = VirtualTimeScheduler.create();
    private final FakeApiServer server = FakeApiServer.builder().scheduler(clock).build();
    private final KubernetesClient client = KubernetesClient.over(server.transport(), ClientOptions.defaults()
            .withTransport(TransportOptions.defaults().withSilence(Duration.ofSeconds(75), clock)));
    private final List<Informer<JsonNode>> informers = new ArrayList<>();

    @AfterEach
    void close() {
        informers.forEach(Informer::stop);
        server.close();
    }

    private Informer<JsonNode> informer(Reflector.Group group) {
        var source = ListerWatcher.over(client, CONFIG_MAPS, Namespaces.all());
        Informer<JsonNode> informer =
                Informer.over(source, ReflectorOptions.defaults().withTimer(clock).withGroup(group).withStreaming(false));
        informers.add(informer);
        informer.start();
        clock.advanceTimeBy(Duration.ofSeconds(5));
        return informer;
    }

    private void write(Random random) {
        ObjectKey key = ObjectKey.of("t", "c" + random.nextInt(12));
        if (server.objects().get(CONFIG_MAPS, key).isEmpty()) {
            server.objects().create("{apiVersion: v1, kind: ConfigMap, metadata: {namespace: t, name: " + key.name() + "}}");
        } else if (random.nextInt(4) == 0) {
            server.objects().delete(CONFIG_MAPS, key);
        } else {
            server.objects().edit(CONFIG_MAPS, key, object -> {
                object.withObject("data").put("n", String.valueOf(random.nextLong()));
                return object;
            });
        }
    }

    private Map<String, String> served() {
        Map<String, String> served = new TreeMap<>();
        server.objects().list(CONFIG_MAPS).forEach(object -> served.put(
                object.path("metadata").path("name").asString(), object.path("metadata").path("uid").asString()
                        + " " + object.path("data")));
        return served;
    }

    private static Map<String, String> cached(Informer<JsonNode> informer) {
        Map<String, String> cached = new TreeMap<>();
        informer.snapshot().forEach((key, entry) -> cached.put(key.name(), entry.uid() + " " + entry.object().path("data")));
        return cached;
    }

    private List<String> asked() {
        return server.requests().all().stream().map(request -> {
            String uri = request.uri();
            return request.verb() + (uri.contains("resourceVersionMatch=Exact") || uri.contains("metadata.name") ? " as proof" : "");
        }).toList();
    }

    /** At random distances; the new history comes past our version before we look, or does not. */
    @ParameterizedTest
    @ValueSource(ints = {-30, -1, 0, 1, 5, 60})
    void theCacheEqualsTheRestoredStoreWithinAMinute(int past) {
        for (long seed : Rounds.seeds("restores", 30, 5)) {
            var random = new Random(seed * 100 + past);
            Informer<JsonNode> informer = informer(Reflector.Group.create());
            for (int i = random.nextInt(30); i >= 0; i--) {
                write(random);
            }
            Backup backup = server.backup();
            int lost = 1 + random.nextInt(60);
            for (int i = 0; i < lost; i++) {
                write(random);
            }
            clock.advanceTimeBy(Duration.ofSeconds(random.nextInt(20)));
            assertThat(cached(informer)).as("before, seed %d", seed).isEqualTo(served());
            server.restore(backup);
            for (int i = 0; i < lost + past; i++) {
                write(random);
            }
            clock.advanceTimeBy(Duration.ofSeconds(60));
            assertThat(cached(informer)).as("seed %d", seed).isEqualTo(served());
            write(random);
            clock.advanceTimeBy(Duration.ofSeconds(1));
            assertThat(cached(informer)).as("and goes on, seed %d", seed).isEqualTo(served());
            informer.stop();
        }
    }

    private void create(String name) {
        server.objects().create("{apiVersion: v1, kind: ConfigMap, metadata: {namespace: t, name: " + name + "}}");
    }

    /** Law 15, and no more requests at once than a server can bear: the others wait for their turn. */
    @Test
    void aHundredReflectorsProveThePastTenAtATime() {
        create("a");
        Reflector.Group group = Reflector.Group.create();
        for (int i = 0; i < 100; i++) {
            informer(group);
        }
        server.requests().clear();
        server.faults().on("list", "configmaps").always().delay(Duration.ofSeconds(1));
        server.restartKeeping(1_000);
        clock.advanceTimeBy(Duration.ofMillis(1_900)); // each has had its pause, and no answer has come to the second turn
        assertThat(asked().stream().filter("list as proof"::equals).count()).isLessThanOrEqualTo(20);
        clock.advanceTimeBy(Duration.ofSeconds(30));
        assertThat(asked().stream().filter("list as proof"::equals).count()).isEqualTo(100);
        assertThat(asked()).doesNotContain("list");
    }

    /** What one has found is news to the others once: each lists, and what it finds then starts nothing over. */
    @ParameterizedTest
    @ValueSource(ints = {-5, 5})
    void aRestoreCostsEachReflectorOfAGroupOneList(int past) {
        create("a");
        Reflector.Group group = Reflector.Group.create();
        for (int i = 0; i < 20; i++) {
            informer(group);
        }
        Backup backup = server.backup();
        for (int i = 0; i < 10; i++) {
            create("lost" + i);
        }
        clock.advanceTimeBy(Duration.ofSeconds(1));
        server.requests().clear();
        server.restore(backup);
        for (int i = 0; i < 10 + past; i++) {
            create("new" + i);
        }
        clock.advanceTimeBy(Duration.ofSeconds(60));
        informers.forEach(informer -> assertThat(cached(informer)).isEqualTo(served()));
        assertThat(asked().stream().filter("list"::equals).count()).isEqualTo(20);
    }
}
