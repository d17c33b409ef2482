package io.reactiveinformer.test.informer;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Secret;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.config.ClusterConfig;
import io.reactiveinformer.delta.DeletionCause;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.informer.InformerSpec;
import io.reactiveinformer.informer.SnapshotStore;
import io.reactiveinformer.reflector.ReflectorOptions;
import io.reactiveinformer.resource.FieldPath;
import io.reactiveinformer.resource.InformerStatus;
import io.reactiveinformer.resource.InformerStatus.State;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.Scope;
import io.reactiveinformer.test.FakeApiServer;
import io.reactiveinformer.test.cluster.Backup;
import io.reactiveinformer.view.Change;
import io.reactiveinformer.view.Delivery;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;
import reactor.test.scheduler.VirtualTimeScheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * A program that is started again.
 */
class WarmStartTest {

    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final ResourceType<V1ConfigMap> CONFIG_MAPS = ResourceType.of(V1ConfigMap.class);
    private static final InformerSpec<V1ConfigMap> ALL = InformerSpec.of(CONFIG_MAPS);

    @TempDir
    private Path directory;

    private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
    private final FakeApiServer server = FakeApiServer.create();
    private final List<InformerFactory> programs = new ArrayList<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger(Informer.class);
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();

    @BeforeEach
    void listen() {
        log.start();
        logger.setLevel(Level.INFO);
        logger.addAppender(log);
    }

    @AfterEach
    void close() {
        logger.detachAppender(log);
        logger.setLevel(null);
        programs.forEach(program -> program.stop(PATIENCE).block(PATIENCE)); // nothing is being saved any more
        server.close();
    }

    private InformerFactory program() {
        return program(KubernetesClient.over(server.transport()), SnapshotStore.inDirectory(directory));
    }

    private InformerFactory program(KubernetesClient client, SnapshotStore store) {
        InformerFactory program = InformerFactory.create(client, ReflectorOptions.defaults().timer(time).random(() -> 0), Duration.ofMinutes(1), store);
        program.start();
        programs.add(program);
        return program;
    }

    private <T> void ranBefore(InformerSpec<T> spec) {
        InformerFactory before = program();
        before.of(spec).synced().block(PATIENCE);
        before.stop(PATIENCE).block(PATIENCE);
        server.requests().clear();
    }

    private void create(String name) {
        server.objects().create(configMap(name, "blue"));
    }

    private static String configMap(String name, String sky) {
        return "{apiVersion: v1, kind: ConfigMap, metadata: {name: " + name + ", namespace: t}, data: {sky: " + sky + "}}";
    }

    private static ObjectKey key(String name) {
        return ObjectKey.of("t", name);
    }

    private static InformerStatus status(Informer<?> informer) {
        return informer.status().blockFirst(PATIENCE);
    }

    /** What the server was asked, in short. */
    private List<String> asked() {
        return server.requests().all().stream().map(request -> {
            String uri = request.uri();
            String how = uri.contains("sendInitialEvents") ? " streamed" : uri.contains("limit=1&") || uri.endsWith("limit=1") ? " one" : "";
            return request.verb() + how;
        }).toList();
    }

    private List<String> warnings() {
        return log.list.stream().filter(line -> line.getLevel() == Level.WARN).map(ILoggingEvent::getFormattedMessage).toList();
    }

    private List<Path> files() {
        try (Stream<Path> files = Files.list(directory)) {
            return files.toList();
        } catch (IOException failure) {
            throw new AssertionError(failure);
        }
    }

    private void letTimePassUntilLive(Informer<?> informer) {
        Disposable clock = Flux.interval(Duration.ofMillis(5)).subscribe(tick -> time.advanceTimeBy(Duration.ofMillis(20)));
        informer.status().filter(now -> now.state() == State.LIVE && now.synced()).blockFirst(PATIENCE);
        clock.dispose();
    }

    @Test
    void servesListersAtOnceAndResumesTheWatch() {
        create("a");
        create("b");
        ranBefore(ALL);
        server.objects().update(configMap("a", "red"));
        server.objects().delete(CONFIG_MAPS, key("b"));
        create("c");
        Informer<V1ConfigMap> informer = program().of(ALL);
        Map<ObjectKey, V1ConfigMap> folded = new ConcurrentHashMap<>();
        informer.changes().doOnNext(change -> fold(change, folded)).subscribe();
        informer.await(key("c"), any -> true).block(PATIENCE);
        informer.awaitAbsent(key("b")).block(PATIENCE);

        assertThat(informer.lister().get(key("a")).orElseThrow().getData()).containsEntry("sky", "red");
        Mono.fromCallable(() -> folded.equals(rows(informer))).filter(equal -> equal).repeatWhenEmpty(again -> again.delayElements(Duration.ofMillis(10))).block(PATIENCE);
        assertThat(asked()).as("one object as a proof, and no list").containsExactly("list one", "watch");
        assertThat(warnings()).isEmpty();
    }

    private static void fold(Change<ObjectKey, V1ConfigMap> change, Map<ObjectKey, V1ConfigMap> rows) {
        change.<Runnable>fold(
                        added -> () -> rows.put(added.key(), added.object()),
                        updated -> () -> rows.put(updated.key(), updated.after()),
                        deleted -> () -> rows.remove(deleted.key()),
                        synced -> () -> {})
                .run();
    }

    private static Map<ObjectKey, V1ConfigMap> rows(Informer<V1ConfigMap> informer) {
        Map<ObjectKey, V1ConfigMap> rows = new HashMap<>();
        informer.snapshot().forEach((key, row) -> rows.put(key, row.object()));
        return rows;
    }

    private static String text(Change<ObjectKey, V1ConfigMap> change) {
        return change.fold(
                added -> "+" + added.key().name() + (added.initial() ? " initial" : ""),
                updated -> updated.key().name() + ": " + updated.before().getData().get("sky") + " > " + updated.after().getData().get("sky"),
                deleted -> "-" + deleted.key().name() + " " + deleted.cause(),
                synced -> "synced");
    }

    /** What is served before the server was heard is old, and says so. */
    @Test
    void isStaleAndNotSyncedUntilTheServerWasHeard() {
        create("a");
        ranBefore(ALL);
        Instant saved = Instant.ofEpochMilli(time.now(TimeUnit.MILLISECONDS));
        time.advanceTimeBy(Duration.ofHours(1));
        server.faults().onAny().always().refuse();
        Informer<V1ConfigMap> informer = program().of(ALL);
        InformerStatus down = informer.status().filter(now -> now.state() == State.DISRUPTED).blockFirst(PATIENCE);

        assertThat(informer.lister().keys()).contains(key("a"));
        assertThat(informer.snapshot().complete()).isFalse();
        assertThat(down.synced()).isFalse();
        assertThat(down.staleSince()).isEqualTo(saved);
        assertThat(down.staleness(saved.plusSeconds(7_200))).isEqualTo(Duration.ofHours(2));
        StepVerifier.create(informer.changes()).expectSubscription().expectNoEvent(Duration.ofMillis(100)).thenCancel().verify(PATIENCE);
        assertThat(informer.changes(Delivery.partial()).map(WarmStartTest::text).blockFirst(PATIENCE)).endsWith(" initial");

        server.faults().clear();
        letTimePassUntilLive(informer);
        assertThat(status(informer).staleSince()).isNull();
        assertThat(status(informer).staleness(Instant.MAX)).isZero();
        assertThat(informer.snapshot().complete()).isTrue();
    }

    /** Law 14: what the history does not tell any more, a list does. */
    @Test
    void listsWhereTheHistoryIsGone() {
        create("a");
        create("b");
        ranBefore(ALL);
        server.objects().delete(CONFIG_MAPS, key("b"));
        create("c");
        server.compact();
        Informer<V1ConfigMap> informer = program().of(ALL);
        List<Change<ObjectKey, V1ConfigMap>> told = Collections.synchronizedList(new ArrayList<>());
        informer.changes(Delivery.partial()).subscribe(told::add);
        letTimePassUntilLive(informer);

        assertThat(informer.lister().keys()).contains(key("a"), key("c")).doesNotContain(key("b"));
        assertThat(told).filteredOn(change -> change instanceof Change.Deleted<ObjectKey, V1ConfigMap>).singleElement()
                .isInstanceOfSatisfying(Change.Deleted.class, deleted -> assertThat(deleted.cause()).isEqualTo(DeletionCause.INFERRED));
        assertThat(asked()).startsWith("list one", "watch").contains("watch streamed");
    }

    /** Law 15: a server that was restored is silent about a version from its future. */
    @Test
    void believesAServerThatWasRestoredBehindWhatWasSaved() {
        create("a");
        Backup backup = server.backup();
        create("later");
        ranBefore(ALL);
        server.restore(backup);
        Informer<V1ConfigMap> informer = program().of(ALL);
        letTimePassUntilLive(informer);

        assertThat(informer.lister().keys()).contains(key("a")).doesNotContain(key("later"));
        create("after");
        informer.await(key("after"), any -> true).block(PATIENCE);
    }

    @Test
    void eachNamespaceGoesOnFromWhereItWas() {
        create("a");
        server.objects().create("{apiVersion: v1, kind: ConfigMap, metadata: {name: z, namespace: u}}");
        InformerSpec<V1ConfigMap> two = ALL.in(Scope.namespaces(List.of("t", "u")));
        ranBefore(two);
        server.objects().delete(CONFIG_MAPS, ObjectKey.of("u", "z"));
        Informer<V1ConfigMap> informer = program().of(two);
        letTimePassUntilLive(informer);
        assertThat(informer.lister().keys()).contains(key("a"));
        assertThat(asked()).containsExactlyInAnyOrder("list one", "watch", "list one", "watch");
        assertThat(status(informer).scopes()).hasSize(2).allSatisfy((part, how) -> assertThat(how.staleSince()).isNull());
    }

    /** Law 16 outlasts the process. */
    @Test
    void whatCouldNotBeReadIsStillNamed() {
        create("a");
        InformerSpec<V1ConfigMap> picky = ALL.transform(NO_RED).warmStart(SnapshotStore.inDirectory(directory), "1");
        InformerFactory before = program();
        before.of(picky).synced().block(PATIENCE);
        server.objects().update(configMap("a", "red"));
        before.of(picky).status().filter(now -> now.stale().containsKey(key("a"))).blockFirst(PATIENCE);
        before.stop(PATIENCE).block(PATIENCE);

        Informer<V1ConfigMap> informer = program().of(picky);
        letTimePassUntilLive(informer);
        assertThat(status(informer).stale().get(key("a")).reason()).contains("the transform of t/a threw");
        assertThat(informer.lister().get(key("a")).orElseThrow().getData()).containsEntry("sky", "blue");
        server.objects().update(configMap("a", "green"));
        informer.status().filter(now -> now.stale().isEmpty()).blockFirst(PATIENCE);
    }

    private static V1ConfigMap noRed(V1ConfigMap object) {
        if (object.getData() != null && "red".equals(object.getData().get("sky"))) {
            throw new IllegalStateException("no red");
        }
        return object;
    }

    private static final UnaryOperator<V1ConfigMap> NO_RED = WarmStartTest::noRed;

    @Test
    void whatATransformMakesIsKeptOnlyByName() {
        InformerFactory program = program();
        assertThatThrownBy(() -> program.of(ALL.transform(NO_RED).warmStart(SnapshotStore.inDirectory(directory))))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("warmStart(store, \"1\")");
        program.of(ALL.transform(NO_RED)).synced().block(PATIENCE);
        program.stop(PATIENCE).block(PATIENCE);
        assertThat(files()).as("not by the factory's default").isEmpty();
    }

    @Test
    void secretsAreKeptOnlyWhereThatIsSaid() {
        ResourceType<V1Secret> secrets = ResourceType.of(V1Secret.class);
        InformerFactory program = program();
        program.of(secrets).synced().block(PATIENCE);
        program.of(ResourceType.metadata("", "v1", "secrets")).synced().block(PATIENCE);
        program.stop(PATIENCE).block(PATIENCE);
        assertThat(files()).isEmpty();

        ranBefore(InformerSpec.of(secrets).warmStart(SnapshotStore.inDirectory(directory)));
        assertThat(files()).singleElement().asString().contains("secrets.v1-");
    }

    record Sky(@FieldPath("data") Map<String, String> data) {}

    @Test
    void keepsProjectionsTreesAndMetadata() {
        create("a");
        for (InformerSpec<?> spec : List.of(InformerSpec.of(CONFIG_MAPS.as(Sky.class)),
                InformerSpec.of(ResourceType.dynamic("", "v1", "configmaps")), InformerSpec.of(ResourceType.metadata("", "v1", "configmaps")))) {
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

    @Test
    void setsAsideWhatIsGarbledAndLists() throws IOException {
        create("a");
        ranBefore(ALL);
        Path file = files().get(0);
        byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length / 2] ^= 1;
        Files.write(file, bytes);
        program().of(ALL).synced().block(PATIENCE);

        assertThat(asked()).containsExactly("watch streamed");
        assertThat(warnings()).singleElement().asString().contains("configmaps.v1 in all namespaces", "cannot be used: it is garbled",
                "kept as " + file + ".unusable", "everything is listed instead");
        assertThat(files()).containsExactly(Path.of(file + ".unusable"));
    }

    /** Law 15: equal versions of two clusters have nothing to do with each other. */
    @Test
    void doesNotTakeAnotherClustersFor() {
        create("a");
        try (FakeApiServer other = FakeApiServer.create()) {
            KubernetesClient one = KubernetesClient.create(ClusterConfig.of(server.start().url()));
            KubernetesClient two = KubernetesClient.create(ClusterConfig.of(other.start().url()));
            InformerFactory before = program(one, SnapshotStore.inDirectory(directory));
            before.of(ALL).synced().block(PATIENCE);
            before.stop(PATIENCE).block(PATIENCE);

            Informer<V1ConfigMap> informer = program(two, SnapshotStore.inDirectory(directory)).of(ALL);
            informer.synced().block(PATIENCE);
            assertThat(informer.lister().keys()).doesNotContain(key("a"));
            assertThat(warnings()).singleElement().asString()
                    .contains("its server is \"" + server.url(), "ours is \"" + other.url(), ".unusable");
            one.close();
            two.close();
        }
    }

    /** Counts, and otherwise keeps in memory. */
    private static final class Counting implements SnapshotStore {

        private final AtomicInteger saves = new AtomicInteger();
        private volatile boolean broken;

        void awaitSaves(int number) {
            Mono.fromCallable(saves::get).filter(done -> done == number).repeatWhenEmpty(again -> again.delayElements(Duration.ofMillis(10)))
                    .block(PATIENCE);
        }

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
        time.advanceTimeBy(Duration.ofMinutes(1));
        store.awaitSaves(1);

        time.advanceTimeBy(Duration.ofMinutes(8));
        assertThat(store.saves).as("nothing has changed").hasValue(1);
        create("b");
        informer.await(key("b"), any -> true).block(PATIENCE);
        time.advanceTimeBy(Duration.ofMinutes(1));
        store.awaitSaves(2);

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
        for (int minute = 0; minute < 5; minute++) {
            time.advanceTimeBy(Duration.ofMinutes(1));
        }
        Mono.fromCallable(this::warnings).filter(lines -> lines.size() > 1).repeatWhenEmpty(again -> again.delayElements(Duration.ofMillis(10)))
                .block(PATIENCE);
        assertThat(warnings()).hasSize(2).first().asString().contains("cannot be loaded, so everything is listed");
        assertThat(warnings()).last().asString().contains("cannot be saved", "the disk is full");

        store.broken = false;
        time.advanceTimeBy(Duration.ofMinutes(1));
        store.awaitSaves(1);
        Mono.fromCallable(() -> log.list.get(log.list.size() - 1).getFormattedMessage())
                .filter(line -> line.endsWith("is saved again"))
                .repeatWhenEmpty(again -> again.delayElements(Duration.ofMillis(10)))
                .block(PATIENCE);
    }
}
