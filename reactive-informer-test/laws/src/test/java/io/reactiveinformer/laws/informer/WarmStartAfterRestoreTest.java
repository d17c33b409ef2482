package io.reactiveinformer.laws.informer;

import io.reactiveinformer.Rounds;
import io.reactiveinformer.apiserver.Backup;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.informer.InformerSpec;
import io.reactiveinformer.reflector.ReflectorOptions;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.Selector;
import io.reactiveinformer.test.FakeApiServer;
import io.reactiveinformer.view.InformerStatus;
import io.reactiveinformer.view.InformerStatus.State;
import io.reactiveinformer.warmstart.WarmStartStorage;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.scheduler.VirtualTimeScheduler;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Laws 15, 17 and 28: a store that was put back to an older state while a program was away, whose new history may have passed the saved
 * version before the program starts again.
 */
@Tag("long")
@Timeout(1_800)
class WarmStartAfterRestoreTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final String WIDGETS = """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: widgets.example.com}
            spec:
              group: example.com
              names: {plural: widgets, kind: Widget}
              scope: Namespaced
              versions:
              - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}
            """;
    private static final ResourceType<JsonNode> CONFIG_MAPS = ResourceType.dynamic("", "v1", "configmaps");
    private static final ResourceType<JsonNode> CUSTOM = ResourceType.dynamic("example.com", "v1", "widgets");

    /** {@code -Drestored.seed} and {@code -Drestored.seeds} play those of a failure again, or others. */
    @Test
    void theCacheEqualsTheRestoredStoreWithinAMinute() {
        long[] seeds = Rounds.seeds("restored", 150);
        List<String> wrong = new ArrayList<>();
        for (long seed : seeds) {
            String difference = play(seed);
            if (difference != null) {
                wrong.add("-Drestored.seed=" + seed + " -Drestored.seeds=1: " + difference);
            }
        }
        assertThat(wrong).as("%d of %d", wrong.size(), seeds.length).isEmpty();
    }

    /** As no change of an object that exists, whatever else was written. Each size and selection is proven in another way. */
    @ParameterizedTest
    @CsvSource({"2, false", "2, true", "3, true", "110, false", "130, true"})
    void aDeletionThatWasNeverDoneIsNoticed(int objects, boolean selected) {
        assertThat(play(1, run -> run.losesADeletion(objects, selected))).isNull();
    }

    /** Both histories have written one object, in one version: only its content tells them apart. */
    @ParameterizedTest
    @CsvSource({"2, false, false", "2, true, false", "110, false, false", "130, true, false", "2, false, true", "110, false, true"})
    void anotherContentOfTheSameVersionIsNoticed(int objects, boolean selected, boolean custom) {
        assertThat(play(1, run -> run.writesTheSameVersion(objects, selected, custom))).isNull();
    }

    private static @Nullable String play(long seed) {
        return play(seed, Run::play);
    }

    private static @Nullable String play(long seed, Function<Run, @Nullable String> story) {
        VirtualTimeScheduler time = VirtualTimeScheduler.create();
        VirtualTimeScheduler.set(time);
        try (var run = new Run(new Random(seed), time)) {
            return story.apply(run);
        } finally {
            VirtualTimeScheduler.reset();
        }
    }

    /** The program before, the restore, and the program after. */
    private static final class Run implements AutoCloseable {

        private final Random random;
        private final VirtualTimeScheduler time;
        private final FakeApiServer server;
        private final KubernetesClient client;
        private final InMemory storage = new InMemory();
        private ResourceType<JsonNode> type;
        private InformerSpec<JsonNode> spec;
        private boolean selected;
        private final int names;
        private final int deletions;

        Run(Random random, VirtualTimeScheduler time) {
            this.random = random;
            this.time = time;
            this.server = FakeApiServer.builder().scheduler(time).build();
            this.client = KubernetesClient.over(server.transport());
            this.type = random.nextInt(3) == 0 ? CUSTOM : CONFIG_MAPS;
            this.selected = random.nextInt(4) == 0;
            this.names = random.nextInt(5) == 0 ? 130 : 1 + random.nextInt(40);
            this.deletions = 2 + random.nextInt(6);
            InformerSpec<JsonNode> all = InformerSpec.of(type);
            InformerSpec<JsonNode> scoped = random.nextInt(3) == 0 ? all.withNamespaces(Namespaces.of(List.of("a", "b"))) : all;
            InformerSpec<JsonNode> some = selected ? scoped.withSelector(Selector.labels("of=us")) : scoped;
            this.spec = random.nextInt(6) == 0 ? some.withTransform(Run::picky).withWarmStart(storage, "1") : some;
            server.objects().create(WIDGETS);
        }

        @Nullable String play() {
            int first = names / 2 + random.nextInt(names);
            for (int i = 0; i < first; i++) {
                write(type, "n" + i % names);
            }
            int fate = random.nextInt(3);
            Backup early = server.backup();
            changes(fate == 0 ? random.nextInt(4) : 0);
            InformerFactory before = program();
            Informer<JsonNode> cached = before.of(spec);
            time.advanceTimeBy(MINUTE);
            changes(random.nextInt(6));
            time.advanceTimeBy(Duration.ofSeconds(random.nextInt(120)));
            Backup late = server.backup();
            int lost = random.nextInt(1 << random.nextInt(5));
            changes(lost);
            time.advanceTimeBy(Duration.ofSeconds(1 + random.nextInt(120)));
            String wrongBefore = difference(cached);
            before.stop(Duration.ofSeconds(5)).subscribe();
            time.advanceTimeBy(MINUTE);

            server.restore(fate == 0 ? early : late);
            changes(random.nextInt(2 * lost + 3));
            if (random.nextInt(4) == 0) {
                changes(20 + random.nextInt(40));
            }
            InformerFactory after = program();
            Informer<JsonNode> restarted = after.of(spec);
            time.advanceTimeBy(MINUTE);
            String wrong = difference(restarted);
            changes(random.nextInt(3));
            time.advanceTimeBy(Duration.ofSeconds(2));
            String later = difference(restarted);
            after.stop(Duration.ofSeconds(5)).subscribe();
            time.advanceTimeBy(MINUTE);
            return wrongBefore != null ? "before the restore: " + wrongBefore : wrong != null ? wrong : later;
        }

        @Nullable String losesADeletion(int objects, boolean select) {
            return restarts(CONFIG_MAPS, objects, select, () -> server.objects().delete(type, ObjectKey.of("a", "n0")), () -> {});
        }

        @Nullable String writesTheSameVersion(int objects, boolean select, boolean custom) {
            return restarts(custom ? CUSTOM : CONFIG_MAPS, objects, select,
                    () -> server.objects().update(object("n0", 2)), () -> server.objects().update(object("n0", 3)));
        }

        private String object(String name, int value) {
            String kind = type.equals(CUSTOM) ? "apiVersion: example.com/v1, kind: Widget" : "apiVersion: v1, kind: ConfigMap";
            return "{" + kind + ", metadata: {name: " + name + ", namespace: a, labels: {of: us}}, data: {v: \"" + value + "\"}}";
        }

        private @Nullable String restarts(ResourceType<JsonNode> which, int objects, boolean select, Runnable lost, Runnable instead) {
            type = which;
            selected = select;
            spec = select ? InformerSpec.of(type).withSelector(Selector.labels("of=us")) : InformerSpec.of(type);
            IntStream.range(0, objects).forEach(i -> server.objects().create(object("n" + i, 1)));
            InformerFactory before = program();
            before.of(spec);
            time.advanceTimeBy(MINUTE);
            Backup backup = server.backup();
            lost.run();
            time.advanceTimeBy(Duration.ofMinutes(2));
            before.stop(Duration.ofSeconds(5)).subscribe();
            time.advanceTimeBy(MINUTE);
            server.restore(backup);
            instead.run();
            server.objects().create("{apiVersion: v1, kind: Secret, metadata: {name: x, namespace: a}}");
            server.objects().create("{apiVersion: v1, kind: Secret, metadata: {name: y, namespace: a}}");
            Informer<JsonNode> restarted = program().of(spec);
            time.advanceTimeBy(MINUTE);
            return difference(restarted);
        }

        private InformerFactory program() {
            InformerFactory program = InformerFactory.create(client,
                    ReflectorOptions.defaults().withTimer(time).withRandom(random::nextDouble).withPageSize(50), MINUTE, storage);
            program.start();
            return program;
        }

        private void changes(int count) {
            for (int i = 0; i < count; i++) {
                ResourceType<JsonNode> one = random.nextInt(3) == 0 ? type.equals(CUSTOM) ? CONFIG_MAPS : CUSTOM : type;
                String name = "n" + random.nextInt(names);
                ObjectKey key = ObjectKey.of(namespace(name), name);
                if (random.nextInt(deletions) == 0 && server.objects().get(one, key).isPresent()) {
                    server.objects().delete(one, key);
                } else {
                    write(one, name);
                }
            }
        }

        private static String namespace(String name) {
            return name.hashCode() % 2 == 0 ? "a" : "b";
        }

        private void write(ResourceType<JsonNode> which, String name) {
            String kind = which.equals(CUSTOM) ? "apiVersion: example.com/v1, kind: Widget" : "apiVersion: v1, kind: ConfigMap";
            String labels = random.nextInt(4) == 0 ? "{of: them}" : "{of: us}";
            String object = "{" + kind + ", metadata: {name: " + name + ", namespace: " + namespace(name) + ", labels: " + labels
                    + "}, data: {v: \"" + random.nextInt(1_000) + "\"}}";
            if (server.objects().get(which, ObjectKey.of(namespace(name), name)).isPresent()) {
                server.objects().update(object);
            } else {
                server.objects().create(object);
            }
        }

        /** What is different after the informer has had the time to know. */
        private @Nullable String difference(Informer<JsonNode> informer) {
            Map<String, String> there = new TreeMap<>();
            server.objects().list(type).stream()
                    .filter(object -> !selected || object.at("/metadata/labels/of").asString().equals("us"))
                    .forEach(object -> there.put(object.at("/metadata/name").asString(), state(object)));
            Map<String, String> here = new TreeMap<>();
            informer.lister().list().forEach(object -> here.put(object.at("/metadata/name").asString(), state(object)));
            InformerStatus status = informer.status().blockFirst();
            status.stale().keySet().forEach(key -> {
                there.remove(key.name());
                here.remove(key.name());
            });
            State state = status.state();
            if (there.equals(here) && state == State.LIVE) {
                return null;
            }
            there.entrySet().removeIf(entry -> here.remove(entry.getKey(), entry.getValue()));
            return state + ", " + type + ", of " + names + " names, selected=" + selected + "; server " + there + ", cache " + here;
        }

        /** Cannot read one value in fifty. */
        private static JsonNode picky(JsonNode object) {
            if (object.at("/data/v").asInt() % 50 == 0) {
                throw new IllegalStateException("planned");
            }
            return object;
        }

        private static String state(JsonNode object) {
            return object.at("/metadata/uid").asString() + "@" + object.at("/metadata/resourceVersion").asString() + "="
                    + object.at("/data/v").asString();
        }

        @Override
        public void close() {
            client.close();
            server.close();
            time.dispose();
        }
    }

    private static final class InMemory implements WarmStartStorage {

        private final Map<String, byte[]> saved = new ConcurrentHashMap<>();

        @Override
        public Flux<ByteBuffer> load(String name) {
            return Mono.justOrEmpty(saved.get(name)).map(ByteBuffer::wrap).flux();
        }

        @Override
        public Mono<Void> save(String name, Flux<ByteBuffer> content) {
            return content.reduce(new byte[0], (all, piece) -> {
                byte[] more = new byte[all.length + piece.remaining()];
                System.arraycopy(all, 0, more, 0, all.length);
                piece.get(more, all.length, piece.remaining());
                return more;
            }).doOnNext(all -> saved.put(name, all)).then();
        }

        @Override
        public Mono<String> setAside(String name) {
            saved.remove(name);
            return Mono.just("nowhere");
        }
    }
}
