package io.reactiveinformer.laws.errors;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.delta.ReflectorEvent;
import io.reactiveinformer.errors.Bomb;
import io.reactiveinformer.errors.BombedScheduler;
import io.reactiveinformer.errors.BombedSource;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.informer.InformerSpec;
import io.reactiveinformer.informer.ResourceEventHandler;
import io.reactiveinformer.internal.informer.Narrowable;
import io.reactiveinformer.reflector.Reflector;
import io.reactiveinformer.reflector.ReflectorOptions;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.source.ListerWatcher;
import io.reactiveinformer.store.Index;
import io.reactiveinformer.test.FakeApiServer;
import io.reactiveinformer.view.Change;
import io.reactiveinformer.view.Delivery;
import io.reactiveinformer.view.InformerStatus.State;
import io.reactiveinformer.view.View;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Flux;
import reactor.test.scheduler.VirtualTimeScheduler;
import reactor.util.retry.Retry;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Law 24: whatever is thrown, wherever, each informer goes on receiving. A bomb is laid in one place after the other; it goes off while the
 * informer lists, while it watches, or while it recovers; afterwards the cache equals the server, other subscribers have been notified, and
 * each view goes on.
 */
@Tag("long")
class ThrownEverywhereTest {

    private static final ResourceType<V1ConfigMap> TYPE = ResourceType.of(V1ConfigMap.class);

    private final VirtualTimeScheduler time = VirtualTimeScheduler.getOrSet();
    private final Bomb bomb = new Bomb();
    private FakeApiServer server = FakeApiServer.builder().scheduler(time).build();
    private KubernetesClient client = KubernetesClient.over(server.transport());
    private InformerFactory factory = InformerFactory.create(client, options());
    private int number;

    @BeforeEach
    void begin() {
        put("a");
        put("b");
    }

    @AfterEach
    void end() {
        factory.close();
        client.close();
        server.close();
        VirtualTimeScheduler.reset();
    }

    private ReflectorOptions options() {
        return ReflectorOptions.defaults().withTimer(BombedScheduler.strict(time, bomb, "timer"))
                .withObserver(new BombedObserver(bomb)).withRandom(() -> {
                    bomb.at("random");
                    return 0.5;
                }).withGiveUpWhen(disrupted -> {
            bomb.at("giveUpWhen");
            return false;
        });
    }

    /** Users' functions, and what a pipeline is made of. */
    private static final List<String> PLACES = List.of(
            "transform", "index", "keep", "filter", "map", "group", "group.hashCode", "group.equals",
            "row.equals", "join.references", "join.combine", "projection",
            "handler.onAdd", "handler.onUpdate", "handler.onDelete", "onNext", "operator",
            "sampled", "sampled.map", "batch", "batch.workers.worker", "batch.workers.run",
            "sample.batch", "status", "await", "workers.worker", "workers.run", "workers.createWorker",
            "giveUpWhen", "random", "observer.listing", "observer.listed", "observer.watching", "observer.received", "observer.disrupted",
            "list", "list.subscribe", "list.onNext", "list.onComplete", "watch", "watch.subscribe",
            "watch.onNext", "watch.request", "watch.onError",
            "known.find", "known.wants", "timer.schedule", "timer.now");

    static Stream<Arguments> bombs() {
        return Bomb.everywhere(PLACES, 0, 2);
    }

    @ParameterizedTest
    @MethodSource("bombs")
    void goesOn(String place, Bomb.Kind kind, int after) {
        Bomb.survive(() -> explode(place, kind, after));
    }

    private void explode(String place, Bomb.Kind kind, int after) {
        Informer<V1ConfigMap> informer = place.equals("transform")
                ? factory.of(InformerSpec.of(TYPE).withTransform(this::transformed))
                : Informer.over(new BombedSource<>(ListerWatcher.over(client, TYPE, Namespaces.all()), bomb), options());
        ReceivedRows received = new ReceivedRows(informer);
        Views views = new Views(informer);
        bomb.lay(place, kind, after);
        informer.addIndex(Index.of("name", map -> {
            bomb.at("index");
            return name(map);
        })).onErrorComplete().subscribe();
        informer.start();
        settle();
        views.use();
        for (int round = 0; round < 3; round++) {
            put("a");
            put("c");
            settle();
            restart();
            put("b");
            settle();
            server.objects().delete(TYPE, ObjectKey.of("default", "c"));
            settle();
        }
        put("a");
        put("b");
        put("late");
        settle();
        time.advanceTimeBy(Duration.ofMinutes(15)); // by then silence has ended whatever was lost on its way here

        assertThat(versions(informer)).as("cache, after %s at %s", kind, place).isEqualTo(atServer());
        assertThat(received.rows).as("received").isEqualTo(atServer());
        if (!place.equals("batch.workers.run")) { // whose scheduler lost the very task that tells
            assertThat(views.batched).as("received in batches").isEqualTo(atServer());
        }
        assertThat(last(informer).state()).isEqualTo(State.LIVE);
        assertThat(views.sizes()).isEqualTo(views.expected());
        informer.stop();
        settle();
        assertThat(received.ended).isTrue();
    }

    private static io.reactiveinformer.view.InformerStatus last(Informer<?> informer) {
        return Objects.requireNonNull(informer.status().blockFirst());
    }

    private void settle() {
        time.advanceTimeBy(Duration.ofMinutes(2));
    }

    /** What a source throws of itself hits the caller that makes it. */
    private void restart() {
        try {
            server.restart();
        } catch (Throwable failure) {
            assertThat(bomb.exploded()).isTrue();
        }
    }

    private void put(String name) {
        String json = "{\"apiVersion\": \"v1\", \"kind\": \"ConfigMap\", \"metadata\": {\"namespace\": \"default\", \"name\": \""
                + name + "\"}, \"data\": {\"n\": \""
                + number++ + "\"}}";
        if (server.objects().get(TYPE, ObjectKey.of("default", name)).isPresent()) {
            server.objects().update(json);
        } else {
            server.objects().create(json);
        }
    }

    private Map<String, String> atServer() {
        Map<String, String> rows = new TreeMap<>();
        server.objects().list(TYPE)
                .forEach(map -> rows.put(map.at("/metadata/name").stringValue(), map.at("/metadata/resourceVersion").stringValue()));
        return rows;
    }

    private static Map<String, String> versions(Informer<V1ConfigMap> informer) {
        Map<String, String> rows = new TreeMap<>();
        informer.lister().list().forEach(map -> rows.put(name(map), version(map)));
        return rows;
    }

    private V1ConfigMap transformed(V1ConfigMap map) {
        bomb.at("transform");
        return map;
    }

    private static String name(V1ConfigMap map) {
        return Objects.requireNonNull(Objects.requireNonNull(map.getMetadata()).getName());
    }

    private static String version(V1ConfigMap map) {
        return Objects.requireNonNull(Objects.requireNonNull(map.getMetadata()).getResourceVersion());
    }

    /** A subscriber that no bomb is laid for. */
    private static final class ReceivedRows {

        final Map<String, String> rows = new TreeMap<>();
        boolean ended;

        ReceivedRows(Informer<V1ConfigMap> informer) {
            informer.changes().subscribe(this::take, failure -> {
                throw new AssertionError("ended", failure);
            }, () -> ended = true);
        }

        private void take(Change<ObjectKey, V1ConfigMap> change) {
            change.accept(
                    added -> put(added.object()), updated -> put(updated.after()), deleted -> rows.remove(deleted.key().name()),
                    synced -> {});
        }

        private void put(V1ConfigMap map) {
            rows.put(name(map), version(map));
        }
    }

    private record Row(String name, String version, Bomb bomb) {
        Row {
            bomb.at("projection");
        }

        @Override
        public boolean equals(@Nullable Object other) {
            bomb.at("row.equals");
            return other instanceof Row row && row.name.equals(name) && row.version.equals(version);
        }

        @Override
        public int hashCode() {
            return name.hashCode();
        }
    }

    private record Group(String name, Bomb bomb) {
        @Override
        public boolean equals(@Nullable Object other) {
            bomb.at("group.equals");
            return other instanceof Group group && group.name.equals(name);
        }

        @Override
        public int hashCode() {
            bomb.at("group.hashCode");
            return 1;
        }
    }

    /** What users do with an informer; each throws where a bomb is laid. Who is thrown out asks again. */
    private final class Views {

        private final View<ObjectKey, V1ConfigMap> filtered;
        private final View<ObjectKey, Row> mapped;
        private final View<Group, ?> grouped;
        private final View<ObjectKey, String> joined;
        private final View<ObjectKey, String> sampled;
        private final Map<String, String> batched = new TreeMap<>();
        private final Informer<V1ConfigMap> informer;

        Views(Informer<V1ConfigMap> informer) {
            this.informer = informer;
            filtered = informer.filter(map -> {
                bomb.at("filter");
                return true;
            });
            mapped = informer.map(map -> {
                bomb.at("map");
                return new Row(name(map), version(map), bomb);
            });
            grouped = informer.group(map -> {
                bomb.at("group");
                return Optional.of(new Group(name(map), bomb));
            });
            joined = informer.join(informer, map -> {
                bomb.at("join.references");
                return List.of(ObjectKey.of("default", "a"));
            }, (map, others) -> {
                bomb.at("join.combine");
                return version(map);
            });
            sampled = informer.sample(Duration.ofSeconds(5)).map(map -> {
                bomb.at("sampled.map");
                return version(map);
            }).sample(Duration.ofSeconds(3));
            informer.status().publishOn(BombedScheduler.losing(time)).subscribe(status -> bomb.at("status"), failure -> {});
        }

        void use() {
            follow(filtered.changes());
            follow(mapped.changes());
            follow(grouped.changes());
            follow(joined.changes());
            follow(informer.changes().doOnNext(change -> bomb.at("onNext")));
            follow(informer.changes().map(change -> {
                bomb.at("operator");
                return change;
            }));
            follow(sampled.changes().doOnNext(change -> bomb.at("sampled")));
            follow(sampled.batches(2, Delivery.conflated()).doOnNext(changes -> bomb.at("sample.batch")));
            follow(informer.batches(2, Delivery.every(100)).doOnNext(changes -> bomb.at("batch")));
            follow(informer.batches(2, Delivery.conflated().on(BombedScheduler.losing(time, bomb, "batch.workers")))
                    .doOnSubscribe(again -> batched.clear())
                    .doOnNext(changes -> changes.forEach(this::take)));
            follow(informer.changes(Delivery.conflated().on(BombedScheduler.losing(time, bomb, "workers"))));
            follow(informer.await(ObjectKey.of("default", "late"), map -> {
                bomb.at("await");
                return true;
            }).flux());
            ((Narrowable<?>) informer).narrow(key -> {
                bomb.at("keep");
                return true;
            });
            informer.addEventHandler(new BombedHandler(bomb));
        }

        private void take(Change<ObjectKey, V1ConfigMap> change) {
            change.accept(
                    added -> batched.put(added.key().name(), version(added.object())),
                    updated -> batched.put(updated.key().name(), version(updated.after())),
                    deleted -> batched.remove(deleted.key().name()), synced -> {});
        }

        private void follow(Flux<?> flux) {
            try {
                subscribe(flux);
            } catch (Throwable failure) { // nobody was subscribed
                subscribe(flux);
            }
        }

        private void subscribe(Flux<?> flux) {
            flux.retryWhen(Retry.fixedDelay(100, Duration.ofSeconds(1)).scheduler(time)).subscribe(next -> {}, failure -> {});
        }

        Map<String, Integer> sizes() {
            return Map.of("filtered", filtered.snapshot().size(), "mapped", mapped.snapshot().size(), "grouped", grouped.snapshot().size(),
                    "joined", joined.snapshot().size(), "sampled", sampled.snapshot().size());
        }

        Map<String, Integer> expected() {
            int size = atServer().size();
            return Map.of("filtered", size, "mapped", size, "grouped", size, "joined", size, "sampled", size);
        }
    }

    private record BombedHandler(Bomb bomb) implements ResourceEventHandler<V1ConfigMap> {
        @Override
        public void onAdd(V1ConfigMap object, boolean isInInitialList) {
            bomb.at("handler.onAdd");
        }

        @Override
        public void onUpdate(V1ConfigMap before, V1ConfigMap after) {
            bomb.at("handler.onUpdate");
        }

        @Override
        public void onDelete(V1ConfigMap last, boolean finalStateUnknown) {
            bomb.at("handler.onDelete");
        }
    }

    private record BombedObserver(Bomb bomb) implements Reflector.Observer {
        @Override
        public void listing(String reason) {
            bomb.at("observer.listing");
        }

        @Override
        public void listed(int count, Duration took) {
            bomb.at("observer.listed");
        }

        @Override
        public void watching(String resourceVersion) {
            bomb.at("observer.watching");
        }

        @Override
        public void received(ReflectorEvent<?> event) {
            bomb.at("observer.received");
        }

        @Override
        public void disrupted(ReflectorEvent.Disrupted<?> disrupted) {
            bomb.at("observer.disrupted");
        }
    }
}
