package io.reactiveinformer.laws.errors;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.reactiveinformer.client.ClientOptions;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.client.ListOptions;
import io.reactiveinformer.client.RequestObserver;
import io.reactiveinformer.client.ResourceClient;
import io.reactiveinformer.errors.Bomb;
import io.reactiveinformer.errors.BombedScheduler;
import io.reactiveinformer.errors.BombedTransport;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.test.FakeApiServer;
import io.reactiveinformer.transport.TransportOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.test.scheduler.VirtualTimeScheduler;

import static org.assertj.core.api.Assertions.assertThat;

/** Law 24 of a client's lists, of which two at once are allowed here: whatever is thrown, wherever, no place is lost. */
class PlacesThrownEverywhereTest {

    private static final ResourceType<V1ConfigMap> TYPE = ResourceType.of(V1ConfigMap.class);

    private static final List<String> PLACES = List.of(
            "timer.now", "timer.schedule", "timer.createWorker", "timer.worker", "timer.run",
            "started", "ended", "reader.subscribe", "reader", "reader.end",
            "request", "request.answer", "request.subscribe", "request.onNext", "request.onError", "request.onComplete");

    private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
    private final Bomb bomb = new Bomb();
    private final FakeApiServer server = FakeApiServer.builder().scheduler(BombedScheduler.losing(time)).build();
    private final KubernetesClient client = KubernetesClient.over(new BombedTransport(server.transport(), bomb),
            ClientOptions.defaults().withListsAtOnce(2)
            .withTransport(TransportOptions.defaults().withSilence(Duration.ofSeconds(75), BombedScheduler.losing(time, bomb, "timer")))
            .withObserver(new RequestObserver() {
                @Override
                public void started(Request request) {
                    bomb.at("started");
                }

                @Override
                public void ended(Request request, Outcome outcome) {
                    bomb.at("ended");
                }
            }));
    private final ResourceClient<V1ConfigMap> maps = client.resources(TYPE);

    @AfterEach
    void end() {
        server.close();
    }

    static Stream<Arguments> bombs() {
        return Bomb.everywhere(PLACES, 0, 1, 2, 5);
    }

    @ParameterizedTest
    @MethodSource("bombs")
    void goesOn(String place, Bomb.Kind kind, int after) {
        Bomb.survive(() -> explode(place, kind, after));
    }

    private void explode(String place, Bomb.Kind kind, int after) {
        for (int round = 0; round < 8; round++) {
            bomb.lay(place, kind, after);
            server.faults().onList("configmaps").times(2).delay(Duration.ofSeconds(1));
            server.faults().onList("configmaps").times(1).refuse();
            List<String> ends = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                list(ends);
            }
            time.advanceTimeBy(Duration.ofMinutes(2));
            if (place.equals("started") || place.equals("ended")) {
                assertThat(ends).as("an observer is no reason to lose a list").hasSize(5);
            }
        }
        bomb.lay("", kind, 0);
        server.faults().clear();
        List<String> ends = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            list(ends);
        }
        time.advanceTimeBy(Duration.ofSeconds(10));
        assertThat(ends).as("after %s at %s", kind, place).hasSize(5).containsOnly("done");
    }

    private void list(List<String> ends) {
        try {
            maps.listAll(Namespaces.all(), ListOptions.defaults())
                    .doOnSubscribe(subscription -> bomb.at("reader.subscribe"))
                    .doOnNext(list -> bomb.at("reader"))
                    .doOnTerminate(() -> bomb.at("reader.end"))
                    .subscribe(list -> {}, failure -> ends.add("failed"), () -> ends.add("done"));
        } catch (Throwable failure) {
            assertThat(bomb.exploded()).isTrue();
        }
    }
}
