package io.reactiveinformer.laws.reflector;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.reactiveinformer.Rounds;
import io.reactiveinformer.client.ClientOptions;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.reflector.ReflectorOptions;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.Selector;
import io.reactiveinformer.source.ListerWatcher;
import io.reactiveinformer.test.FakeApiServer;
import io.reactiveinformer.view.InformerStatus;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.test.scheduler.VirtualTimeScheduler;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

/**
 * Law 17 through every layer but the socket: bytes of {@link FakeApiServer} that are cut, garbled, doubled, reordered, delayed and refused
 * by chance, under random writes, compactions and restarts; then quiet. Trees or objects of a class in JSON, or these in protocol buffers,
 * in turns of the seeds. {@code -Dconvergence.seeds=N} plays more, {@code -Dconvergence.seed=N} from another one.
 */
@Tag("long")
class ConvergenceTest {

    private static final int SEEDS = 1_000;

    /** Thousands of times what one round takes: a round that needs longer hangs. */
    private static final Duration ONE_SEED = Duration.ofSeconds(30);
    private static final ResourceType<JsonNode> CONFIG_MAPS = ResourceType.dynamic("", "v1", "configmaps");
    private static final ResourceType<V1ConfigMap> OF_CLASS = ResourceType.of(V1ConfigMap.class);

    @Test
    @Timeout(value = 30, unit = TimeUnit.MINUTES) // as many seeds as one asks for
    void onceTheServerIsWellTheCacheEqualsIt() {
        for (long seed : Rounds.seeds("convergence", SEEDS)) {
            try {
                var run = seed % 3 == 0 ? new Run<>(seed, CONFIG_MAPS, true) : new Run<>(seed, OF_CLASS, seed % 3 == 1);
                assertTimeoutPreemptively(ONE_SEED, run::play);
            } catch (Throwable failure) {
                fail("-Dconvergence.seed=" + seed + " -Dconvergence.seeds=1", failure);
            }
        }
    }

    private static final class Run<T> {
        private final Random random;
        private final VirtualTimeScheduler clock = VirtualTimeScheduler.create();
        private final FakeApiServer server;
        private final Namespaces namespaces;
        private final boolean selects;
        private final Informer<T> informer;

        Run(long seed, ResourceType<T> type, boolean protobuf) {
            random = new Random(seed);
            server = FakeApiServer.builder().scheduler(clock).seed(seed).history(1 + random.nextInt(40))
                    .bookmarks(random.nextInt(4) == 0 ? null : Duration.ofMinutes(1)).build();
            ClientOptions options = ClientOptions.defaults().withProtobuf(protobuf);
            KubernetesClient client = KubernetesClient.over(server.transport(),
                    options.withTransport(options.transport().withSilence(options.transport().silence(), clock)));
            namespaces = random.nextBoolean() ? Namespaces.of("default") : Namespaces.all();
            selects = random.nextInt(3) == 0;
            var source = ListerWatcher.over(client, type, namespaces, selects ? Selector.labels("shown=yes") : Selector.any());
            informer = Informer.over(source, ReflectorOptions.defaults().withTimer(clock).withRandom(random::nextDouble)
                    .withStreaming(random.nextBoolean()).withPageSize(1 + random.nextInt(4)));
        }

        void play() {
            for (int i = random.nextInt(6); i > 0; i--) {
                write();
            }
            server.faults().random(random.nextLong()).rate(random.nextDouble()).onListsAndWatches("configmaps");
            informer.start();
            for (int step = 0; step < 40; step++) {
                clock.advanceTimeBy(Duration.ofMillis(random.nextInt(1 << random.nextInt(20))));
                write();
                if (random.nextInt(12) == 0) {
                    server.restart();
                } else if (random.nextInt(12) == 0) {
                    server.compact();
                }
            }
            server.faults().clear();
            clock.advanceTimeBy(Duration.ofHours(1));
            InformerStatus quiet = Objects.requireNonNull(informer.status().blockFirst());
            Map<ObjectKey, String> readable = served();
            Map<ObjectKey, String> cached = cached();
            readable.keySet().removeAll(quiet.stale().keySet()); // the last change of these was garbled on its way
            cached.keySet().removeAll(quiet.stale().keySet());
            assertThat(cached).isEqualTo(readable);
            server.objects().list(CONFIG_MAPS).forEach(object -> touch(key(object)));
            clock.advanceTimeBy(Duration.ofHours(1));
            assertThat(cached()).isEqualTo(served());
            assertThat(Objects.requireNonNull(informer.status().blockFirst()).stale()).isEmpty();
            informer.stop();
            server.close();
        }

        private void touch(ObjectKey key) {
            server.objects().edit(CONFIG_MAPS, key, object -> {
                object.withObject("data").put("n", String.valueOf(random.nextInt()));
                return object;
            });
        }

        private static ObjectKey key(JsonNode object) {
            JsonNode metadata = object.path("metadata");
            return ObjectKey.of(metadata.path("namespace").asString(), metadata.path("name").asString());
        }

        private Map<ObjectKey, String> served() {
            Map<ObjectKey, String> served = new TreeMap<>();
            for (JsonNode object : server.objects().list(CONFIG_MAPS)) {
                JsonNode metadata = object.path("metadata");
                if (namespaces.covers(key(object)) && (!selects || metadata.path("labels").path("shown").asString("").equals("yes"))) {
                    served.put(key(object), metadata.path("uid").asString() + " at " + metadata.path("resourceVersion").asString());
                }
            }
            return served;
        }

        /** Creates, changes or deletes something, now and then out of the selector's view. */
        private void write() {
            ObjectKey key = ObjectKey.of(random.nextInt(4) == 0 ? "kube-system" : "default", "c" + random.nextInt(8));
            String shown = random.nextInt(3) == 0 ? "no" : "yes";
            if (server.objects().get(CONFIG_MAPS, key).isEmpty()) {
                server.objects().create("""
                        {"apiVersion": "v1", "kind": "ConfigMap",
                         "metadata": {"namespace": "%s", "name": "%s", "labels": {"shown": "%s"}}, "data": {}}
                        """.formatted(key.namespace(), key.name(), shown));
            } else if (random.nextInt(3) == 0) {
                server.objects().delete(CONFIG_MAPS, key);
            } else {
                server.objects().edit(CONFIG_MAPS, key, object -> {
                    object.withObject("metadata").withObject("labels").put("shown", shown);
                    return object;
                });
                touch(key);
            }
        }

        private Map<ObjectKey, String> cached() {
            Map<ObjectKey, String> cached = new TreeMap<>();
            informer.snapshot().forEach((key, entry) -> cached.put(key, entry.uid() + " at " + entry.resourceVersion()));
            return cached;
        }
    }
}
