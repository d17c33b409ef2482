package io.reactiveinformer.laws.errors;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.errors.Bomb;
import io.reactiveinformer.errors.BombedScheduler;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.informer.InformerSpec;
import io.reactiveinformer.reflector.ReflectorOptions;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.test.FakeApiServer;
import io.reactiveinformer.view.InformerStatus.State;
import io.reactiveinformer.warmstart.WarmStartStorage;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.scheduler.VirtualTimeScheduler;

import static org.assertj.core.api.Assertions.assertThat;

/** Law 24 of what outlasts the process: whatever a store throws, the informer begins, is saved later, and ends. */
@Tag("long")
class SavingThrownEverywhereTest {

    private static final ResourceType<V1ConfigMap> TYPE = ResourceType.of(V1ConfigMap.class);

    private static final List<String> PLACES = List.of(
            "load", "load.subscribe", "load.onNext", "load.onComplete", "save", "save.subscribe", "save.onNext", "save.onComplete");

    private final VirtualTimeScheduler time = VirtualTimeScheduler.getOrSet();
    private final Bomb bomb = new Bomb();
    private final FakeApiServer server = FakeApiServer.builder().scheduler(BombedScheduler.losing(time)).build();
    private final KubernetesClient client = KubernetesClient.over(server.transport());
    private final BombedStore store = new BombedStore();
    private int number;

    @AfterEach
    void end() {
        client.close();
        server.close();
        VirtualTimeScheduler.reset();
    }

    static Stream<Arguments> bombs() {
        return Bomb.everywhere(PLACES, 0, 1);
    }

    @ParameterizedTest
    @MethodSource("bombs")
    void goesOn(String place, Bomb.Kind kind, int after) {
        Bomb.survive(() -> explode(place, kind, after));
    }

    private void explode(String place, Bomb.Kind kind, int after) {
        run(Duration.ofMinutes(3));
        assertThat(store.saved).isNotEmpty();
        bomb.lay(place, kind, after);
        run(Duration.ofMinutes(5));
        int before = store.times;
        bomb.lay(place, kind, after);
        run(Duration.ofMinutes(40));
        assertThat(store.times).as("saved, after %s at %s", kind, place).isGreaterThan(before);
    }

    /** One process after the other. */
    private void run(Duration length) {
        InformerFactory program = InformerFactory.create(client, ReflectorOptions.defaults().withTimer(BombedScheduler.losing(time)));
        Informer<V1ConfigMap> informer = program.of(InformerSpec.of(TYPE).withWarmStart(store));
        informer.start();
        time.advanceTimeBy(Duration.ofMinutes(1));
        for (int i = 0; i < length.toMinutes(); i++) {
            put();
            time.advanceTimeBy(Duration.ofMinutes(1));
        }
        assertThat(Objects.requireNonNull(informer.status().blockFirst()).state()).isEqualTo(State.LIVE);
        List<String> over = new ArrayList<>();
        program.stop(Duration.ofMinutes(1)).subscribe(done -> {}, failure -> over.add("failed"), () -> over.add("over"));
        time.advanceTimeBy(Duration.ofMinutes(2));
        assertThat(over).containsExactly("over");
    }

    private void put() {
        server.objects().create("{\"apiVersion\": \"v1\", \"kind\": \"ConfigMap\", \"metadata\": {\"namespace\": \"default\", \"name\": \"m"
                + number++ + "\"}}");
    }

    private final class BombedStore implements WarmStartStorage {

        private List<ByteBuffer> saved = List.of();
        private int times;

        @Override
        public Flux<ByteBuffer> load(String name) {
            bomb.at("load");
            return Flux.fromIterable(saved).map(ByteBuffer::duplicate)
                    .doOnSubscribe(subscription -> bomb.at("load.subscribe"))
                    .doOnNext(piece -> bomb.at("load.onNext"))
                    .doOnComplete(() -> bomb.at("load.onComplete"));
        }

        @Override
        public Mono<Void> save(String name, Flux<ByteBuffer> pieces) {
            bomb.at("save");
            return pieces
                    .doOnSubscribe(subscription -> bomb.at("save.subscribe"))
                    .doOnNext(piece -> bomb.at("save.onNext"))
                    .map(piece -> ByteBuffer.allocate(piece.remaining()).put(piece.duplicate()).flip())
                    .collectList()
                    .doOnNext(all -> {
                        bomb.at("save.onComplete");
                        saved = all;
                        times++;
                    })
                    .then();
        }

        @Override
        public Mono<String> setAside(String name) {
            saved = List.of();
            return Mono.just("aside");
        }
    }
}
