package io.reactiveinformer.recorder;

import io.kubernetes.client.openapi.models.EventsV1Event;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.reactiveinformer.client.ClientOptions;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.client.RequestObserver;
import io.reactiveinformer.errors.Bomb;
import io.reactiveinformer.errors.BombedScheduler;
import io.reactiveinformer.errors.BombedTransport;
import io.reactiveinformer.recorder.EventRecorder.Occurrence;
import io.reactiveinformer.resource.KubernetesException;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.test.FakeApiServer;
import io.reactiveinformer.transport.TransportOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.test.scheduler.VirtualTimeScheduler;

import static org.assertj.core.api.Assertions.assertThat;

/** Law 24 of Events: whatever is thrown, wherever, what happens afterwards is written, and counted. */
@Tag("long")
class EventsThrownEverywhereTest {

    private static final ResourceType<EventsV1Event> EVENTS = ResourceType.of(EventsV1Event.class);
    private static final V1Pod POD = new V1Pod().metadata(new V1ObjectMeta().namespace("default")
            .name("web").uid("u1").resourceVersion("7"));

    private static final List<String> PLACES = List.of(
            "timer.now", "timer.schedule", "workers.createWorker", "workers.worker", "workers.schedule", "random",
            "written", "dropped", "started", "ended",
            "request", "request.answer", "request.subscribe", "request.onNext", "request.onError", "request.onComplete");

    private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
    private final Bomb bomb = new Bomb();
    private final FakeApiServer server = FakeApiServer.builder().scheduler(time).build();
    private final KubernetesClient client = KubernetesClient.over(new BombedTransport(server.transport(), bomb), ClientOptions.defaults()
            .withWriteLimit(0, 1)
            .withTransport(TransportOptions.defaults().withSilence(Duration.ofSeconds(75), BombedScheduler.losing(time)))
            .withObserver(new BombedRequestObserver(bomb)));
    private final EventRecorder events = EventRecorder.of(client, RecorderOptions.of("example.com/mirror")
            .withTimer(BombedScheduler.losing(time, bomb, "timer")).withWorkers(BombedScheduler.losing(time, bomb, "workers"))
            .withObserver(new BombedRecorderObserver(bomb))
            .withRandom(() -> {
                bomb.at("random");
                return 0.5;
            }));

    @AfterEach
    void end() {
        events.close();
        server.close();
    }

    static Stream<Arguments> bombs() {
        return Bomb.everywhere(PLACES, 0, 1, 5);
    }

    @ParameterizedTest
    @MethodSource("bombs")
    void goesOn(String place, Bomb.Kind kind, int after) {
        Bomb.survive(() -> explode(place, kind, after));
    }

    private void explode(String place, Bomb.Kind kind, int after) {
        happens("Before");
        bomb.lay(place, kind, after);
        for (int i = 0; i < 3; i++) {
            happens("Meanwhile");
            happens("Meanwhile" + i);
            server.faults().onAny().times(1).refuse();
            happens("Refused" + i);
            time.advanceTimeBy(Duration.ofMinutes(16));
        }
        bomb.lay("", kind, 0);
        happens("After");
        happens("After");
        happens("After");
        happens("Once");
        time.advanceTimeBy(Duration.ofMinutes(4)); // not idle yet
        happens("After");
        time.advanceTimeBy(Duration.ofMinutes(40));

        assertThat(count("Once")).as("written, after %s at %s", kind, place).isEqualTo(1);
        assertThat(count("After")).as("counted, after %s at %s", kind, place).isEqualTo(4);
        assertThat(count("Before")).isEqualTo(1);
        List<String> closed = new ArrayList<>();
        events.close(Duration.ofSeconds(5)).subscribe(done -> {}, failure -> {}, () -> closed.add("closed"));
        time.advanceTimeBy(Duration.ofSeconds(10));
        assertThat(closed).hasSize(1);
    }

    /** Recording never fails. */
    private void happens(String reason) {
        events.normal(POD, reason, "Mirror", null);
        time.advanceTimeBy(Duration.ofSeconds(1));
    }

    private int count(String reason) {
        return server.objects().list(EVENTS).stream().filter(event -> event.path("reason").asString().equals(reason))
                .mapToInt(event -> event.has("series") ? event.at("/series/count").asInt() : 1).sum();
    }

    private record BombedRecorderObserver(Bomb bomb) implements EventRecorder.Observer {
        @Override
        public void written(Occurrence first, int count) {
            bomb.at("written");
        }

        @Override
        public void dropped(Occurrence occurrence, int times, Drop why, @Nullable KubernetesException cause) {
            bomb.at("dropped");
        }
    }

    private record BombedRequestObserver(Bomb bomb) implements RequestObserver {
        @Override
        public void started(Request request) {
            bomb.at("started");
        }

        @Override
        public void ended(Request request, Outcome outcome) {
            bomb.at("ended");
        }
    }
}
