package io.reactiveinformer.laws.informer;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Secret;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.config.ClusterConfig;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.informer.InformerSpec;
import io.reactiveinformer.resource.FieldPath;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.ResourceType.Scope;
import io.reactiveinformer.test.FakeApiServer;
import io.reactiveinformer.view.InformerStatus;
import io.reactiveinformer.view.InformerStatus.State;
import io.reactiveinformer.warmstart.WarmStartStorage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What a program saves for its next run, and when; and what becomes of a snapshot that cannot be used. */
class WarmSavingTest extends RestartedPrograms {

    @Test
    void whatATransformMakesIsKeptOnlyByName() {
        InformerFactory program = program();
        assertThatThrownBy(() -> program.of(ALL.withTransform(NO_RED).withWarmStart(WarmStartStorage.inDirectory(directory))))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("withWarmStart(store, \"1\")");
        program.of(ALL.withTransform(NO_RED)).synced().block(PATIENCE);
        program.stop(PATIENCE).block(PATIENCE);
        assertThat(files()).as("not by the factory's default").isEmpty();
    }

    /** What one saves, the other would begin with. */
    @Test
    void twoTransformsAreNotKeptAsOneEdition() {
        WarmStartStorage store = WarmStartStorage.inDirectory(directory);
        WarmStartStorage same = WarmStartStorage.inDirectory(directory);
        InformerSpec<V1ConfigMap> other = ALL.withTransform(object -> object);
        InformerFactory program = program();
        Informer<V1ConfigMap> first = program.of(ALL.withTransform(NO_RED).withWarmStart(store, "1"));
        assertThatThrownBy(() -> program.of(other.withWarmStart(same, "1")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("configmaps.v1 in all namespaces", "the same edition", "Use another edition", "same instance");

        assertThat(program.of(ALL.withTransform(NO_RED).withWarmStart(same, "1"))).isSameAs(first);
        program.of(ALL.withTransform(object -> object).withWarmStart(store, "2"));
        program.of(ALL.withTransform(object -> object).withWarmStart(WarmStartStorage.inDirectory(directory.resolve("other")), "1"));
        first.stop();
        first.status().filter(now -> now.state() == State.STOPPED).blockFirst(PATIENCE);
        program.of(other.withWarmStart(same, "1"));
    }

    @Test
    void nothingIsKeptOfOneThatSaysSo() {
        create("a");
        InformerFactory program = program();
        program.of(ALL.withColdStart()).synced().block(PATIENCE);
        program.of(ALL.withTransform(NO_RED).withColdStart()).synced().block(PATIENCE);
        program.stop(PATIENCE).block(PATIENCE);
        assertThat(files()).isEmpty();
    }

    @Test
    void secretsAreKeptOnlyWhereThatIsSaid() {
        ResourceType<V1Secret> secrets = ResourceType.of(V1Secret.class);
        InformerFactory program = program();
        program.of(secrets).synced().block(PATIENCE);
        program.of(ResourceType.metadata("", "v1", "secrets")).synced().block(PATIENCE);
        program.stop(PATIENCE).block(PATIENCE);
        assertThat(files()).isEmpty();

        ranBefore(InformerSpec.of(secrets).withWarmStart(WarmStartStorage.inDirectory(directory)));
        assertThat(files()).singleElement().asString().contains("secrets.v1-");
    }

    record Sky(@FieldPath("data") Map<String, String> data) {}

    @Test
    void keepsProjectionsTreesAndMetadata() {
        create("a");
        for (InformerSpec<?> spec : List.of(InformerSpec.of(CONFIG_MAPS.as(Sky.class)),
                InformerSpec.of(ResourceType.dynamic("", "v1", "configmaps")),
                        InformerSpec.of(ResourceType.metadata("", "v1", "configmaps")))) {
            ranBefore(spec);
            Informer<?> informer = program().of(spec);
            Object listed = listed(spec);
            letTimePassUntilLive(informer);
            assertThat(asked()).as("%s", spec.type().form()).containsSubsequence("list one", "watch");
            assertThat(informer.lister().get(key("a"))).as("%s", spec.type().form()).get().isEqualTo(listed);
        }
    }

    /** As a list has it. */
    private <T> T listed(InformerSpec<T> spec) {
        InformerFactory cold = InformerFactory.create(KubernetesClient.over(server.transport()));
        programs.add(cold);
        cold.start();
        Informer<T> informer = cold.of(spec);
        informer.synced().block(PATIENCE);
        return informer.lister().get(key("a")).orElseThrow();
    }

    static final class Lossy {
        public String apiVersion;
        public String kind;
        public V1ObjectMeta metadata;

        @JsonProperty(access = JsonProperty.Access.WRITE_ONLY)
        public Map<String, String> data;
    }

    /** A field that is read and not written would come back empty. */
    @Test
    void whatWouldNotComeBackIsNotKept() {
        InformerSpec<Lossy> lossy = InformerSpec.of(ResourceType.of("", "v1", "configmaps", Scope.NAMESPACED, Lossy.class))
                .withNamespaces(Namespaces.of("t"));
        server.objects().create("{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: t}}");
        ranBefore(lossy);
        assertThat(files()).as("of what it has, nothing is lost").hasSize(1);

        server.objects().update(configMap("a", "red"));
        InformerFactory program = program();
        program.of(lossy).await(key("a"), object -> object.data != null && !object.data.isEmpty()).block(PATIENCE);
        letTimePassUntil(() -> warnings().size() > 1);
        time.advanceTimeBy(Duration.ofMinutes(4)); // the next line comes after five
        program.stop(PATIENCE).block(PATIENCE);
        assertThat(warnings()).hasSize(2).first().asString()
                .contains("are not saved: t/a would not be equal when it is read again", "Lossy", "begins with a list");
        assertThat(warnings()).last().asString().contains("cannot be used: t/a", ".unusable");
        assertThat(files()).singleElement().asString().endsWith(".unusable");
    }

    private static void garble(Path file) {
        try {
            byte[] bytes = Files.readAllBytes(file);
            bytes[bytes.length - 1] ^= 1; // of the last checksum
            Files.write(file, bytes);
        } catch (IOException failure) {
            throw new AssertionError(failure);
        }
    }

    @Test
    void setsAsideWhatIsGarbledAndLists() {
        create("a");
        ranBefore(ALL);
        Path file = files().get(0);
        garble(file);
        program().of(ALL).synced().block(PATIENCE);

        assertThat(asked()).containsExactly("list", "watch");
        assertThat(warnings()).singleElement().asString().contains("configmaps.v1 in all namespaces", "cannot be used: it is garbled",
                "moved to " + file + ".unusable", "the informer lists instead");
        assertThat(files()).containsExactly(Path.of(file + ".unusable"));
    }

    /** A full disk leaves such files, where something else than this program writes or copies them. */
    @Test
    void setsAsideAnEmptyFileAndLists() throws IOException {
        create("a");
        ranBefore(ALL);
        Path file = files().get(0);
        Files.write(file, new byte[0]);
        program().of(ALL).synced().block(PATIENCE);

        assertThat(asked()).containsExactly("list", "watch");
        assertThat(warnings()).singleElement().asString().contains("cannot be used: it is empty", "moved to " + file + ".unusable");
        assertThat(files()).containsExactly(Path.of(file + ".unusable"));
    }

    /** Law 15: equal versions of two clusters have nothing to do with each other. */
    @Test
    void doesNotTakeAnotherClustersFor() {
        create("a");
        try (FakeApiServer other = FakeApiServer.create()) {
            KubernetesClient one = KubernetesClient.create(ClusterConfig.of(server.start().url()));
            KubernetesClient two = KubernetesClient.create(ClusterConfig.of(other.start().url()));
            InformerFactory before = program(one, WarmStartStorage.inDirectory(directory));
            before.of(ALL).synced().block(PATIENCE);
            before.stop(PATIENCE).block(PATIENCE);

            Informer<V1ConfigMap> informer = program(two, WarmStartStorage.inDirectory(directory)).of(ALL);
            informer.synced().block(PATIENCE);
            assertThat(informer.lister().keys()).doesNotContain(key("a"));
            assertThat(warnings()).singleElement().asString()
                    .contains("its server is \"" + server.url(), "ours is \"" + other.url(), ".unusable");
            one.close();
            two.close();
        }
    }

    /** Counts, and otherwise keeps in memory. */
    private static final class Counting implements WarmStartStorage {

        private final AtomicInteger saves = new AtomicInteger();
        private volatile boolean broken;

        @Override
        public Flux<ByteBuffer> load(String name) {
            return broken ? Flux.never() : Flux.empty();
        }

        @Override
        public Mono<Void> save(String name, Flux<ByteBuffer> content) {
            return broken
                    ? Mono.error(new IllegalStateException("the disk is full"))
                    : content.then().doOnSuccess(done -> saves.incrementAndGet());
        }

        @Override
        public Mono<String> setAside(String name) {
            return Mono.empty();
        }
    }

    @Test
    void isSavedAfterChangesAndOnlyThen() {
        var store = new Counting();
        InformerFactory program = program(KubernetesClient.over(server.transport()), store);
        Informer<V1ConfigMap> informer = program.of(ALL);
        create("a");
        informer.await(key("a"), any -> true).block(PATIENCE);
        letTimePassUntil(() -> store.saves.get() == 1);

        time.advanceTimeBy(Duration.ofMinutes(8));
        assertThat(store.saves).as("nothing has changed").hasValue(1);
        create("b");
        informer.await(key("b"), any -> true).block(PATIENCE);
        letTimePassUntil(() -> store.saves.get() == 2);

        program.stop(PATIENCE).block(PATIENCE);
        assertThat(store.saves).as("nothing has changed since").hasValue(2);
    }

    @Test
    void isSavedWhenItStops() {
        var store = new Counting();
        InformerFactory program = program(KubernetesClient.over(server.transport()), store);
        program.of(ALL).synced().block(PATIENCE);
        program.stop(PATIENCE).block(PATIENCE);
        assertThat(store.saves).hasValue(1);
    }

    /** It costs a line in the log, and a list. */
    @Test
    void aStoreThatFailsHarmsNobody() {
        var store = new Counting();
        store.broken = true;
        create("a");
        Informer<V1ConfigMap> informer = program(KubernetesClient.over(server.transport()), store).of(ALL);
        letTimePassUntilLive(informer);
        assertThat(informer.lister().keys()).contains(key("a"));
        letTimePassUntil(() -> warnings().size() > 1);
        time.advanceTimeBy(Duration.ofMinutes(4)); // the next line comes after five
        assertThat(warnings()).hasSize(2).first().asString().contains("cannot be loaded, so the informer lists");
        assertThat(warnings()).last().asString().contains("cannot be saved", "the disk is full");

        store.broken = false;
        letTimePassUntil(() -> log.list.stream().anyMatch(line -> line.getFormattedMessage().contains("are saved again after ")));
        assertThat(store.saves).hasValue(1);
    }

    /** Who brings a store of its own may take its time there. */
    @Test
    void theStoreIsAskedWhereThatDelaysNobody() {
        Set<String> threads = ConcurrentHashMap.newKeySet();
        WarmStartStorage files = WarmStartStorage.inDirectory(directory);
        WarmStartStorage store = new WarmStartStorage() {
            @Override
            public Flux<ByteBuffer> load(String name) {
                threads.add("load on " + Thread.currentThread().getName());
                return files.load(name).doOnSubscribe(begun -> threads.add("load on " + Thread.currentThread().getName()));
            }

            @Override
            public Mono<Void> save(String name, Flux<ByteBuffer> content) {
                threads.add("save on " + Thread.currentThread().getName());
                return files.save(name, content).doOnSubscribe(begun -> threads.add("save on " + Thread.currentThread().getName()));
            }

            @Override
            public Mono<String> setAside(String name) {
                threads.add("setAside on " + Thread.currentThread().getName());
                return files.setAside(name).doOnSubscribe(begun -> threads.add("setAside on " + Thread.currentThread().getName()));
            }
        };
        create("a");
        InformerFactory before = program(KubernetesClient.over(server.transport()), store);
        before.of(ALL).synced().block(PATIENCE);
        letTimePassUntil(() -> !files().isEmpty());
        create("b");
        before.of(ALL).await(key("b"), any -> true).block(PATIENCE);
        before.stop(PATIENCE).block(PATIENCE);
        garble(files().get(0));
        program(KubernetesClient.over(server.transport()), store).of(ALL).synced().block(PATIENCE);

        assertThat(threads.stream().map(text -> text.replaceAll("-\\d+$", "")))
                .containsOnly("load on boundedElastic", "save on boundedElastic", "setAside on boundedElastic");
    }

    /** What is saved while the server is away is as old as when it went. */
    @Test
    void isSavedAsOfWhenItWasCurrent() {
        create("a");
        InformerFactory before = program();
        Informer<V1ConfigMap> informer = before.of(ALL);
        informer.synced().block(PATIENCE);
        server.faults().onAny().always().refuse();
        server.restart();
        Instant away = informer.status().filter(now -> now.state() == State.DISRUPTED).blockFirst(PATIENCE).staleSince();
        time.advanceTimeBy(Duration.ofHours(1));
        before.stop(PATIENCE).block(PATIENCE);

        InformerStatus restarted = program().of(ALL).status().filter(now -> now.state() == State.DISRUPTED).blockFirst(PATIENCE);
        assertThat(restarted.staleSince()).isEqualTo(away);
        server.faults().clear();
    }

    /** Nothing is written again that is there. */
    @Test
    void whatWasRestoredIsNotSavedAgainUntilItChanges() {
        create("a");
        ranBefore(ALL);
        AtomicInteger saves = new AtomicInteger();
        WarmStartStorage files = WarmStartStorage.inDirectory(directory);
        WarmStartStorage counting = new WarmStartStorage() {
            @Override
            public Flux<ByteBuffer> load(String name) {
                return files.load(name);
            }

            @Override
            public Mono<Void> save(String name, Flux<ByteBuffer> content) {
                return files.save(name, content).doOnSuccess(done -> saves.incrementAndGet());
            }

            @Override
            public Mono<String> setAside(String name) {
                return files.setAside(name);
            }
        };
        InformerFactory program = program(KubernetesClient.over(server.transport()), counting);
        letTimePassUntilLive(program.of(ALL));
        time.advanceTimeBy(Duration.ofMinutes(5));
        program.stop(PATIENCE).block(PATIENCE); // nothing is being saved any more
        assertThat(saves).hasValue(0);

        InformerFactory next = program(KubernetesClient.over(server.transport()), counting);
        create("b");
        letTimePassUntilLive(next.of(ALL));
        next.of(ALL).await(key("b"), any -> true).block(PATIENCE);
        next.stop(PATIENCE).block(PATIENCE);
        assertThat(saves).hasValue(1);
    }
}
