package io.reactiveinformer.sharding;

import io.reactiveinformer.client.ClientOptions;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.controller.Controller;
import io.reactiveinformer.controller.ReconcileRequest;
import io.reactiveinformer.controller.Route;
import io.reactiveinformer.errors.Bomb;
import io.reactiveinformer.errors.BombedScheduler;
import io.reactiveinformer.errors.BombedTransport;
import io.reactiveinformer.leader.ElectionOptions;
import io.reactiveinformer.queue.RateLimiter;
import io.reactiveinformer.queue.Result;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.sharding.ShardedController.Share;
import io.reactiveinformer.test.FakeApiServer;
import io.reactiveinformer.test.TestView;
import io.reactiveinformer.transport.Transport;
import io.reactiveinformer.transport.TransportOptions;
import io.reactiveinformer.view.Delivery;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.DoubleSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.test.scheduler.VirtualTimeScheduler;
import reactor.util.retry.Retry;

import static org.assertj.core.api.Assertions.assertThat;

/** Law 24 of shares: whatever is thrown, wherever, no key is worked on by two members at once, and in the end each is worked on. */
@Tag("long")
class ShardingThrownEverywhereTest {

    private static final ObjectKey GROUP = ObjectKey.of("default", "group");
    private static final Set<ObjectKey> KEYS = IntStream.range(0, 12).mapToObj(i -> ObjectKey.of("shop", "web-" + i))
            .collect(Collectors.toSet());

    private static final List<String> PLACES = List.of(
            "timer.now", "timer.schedule", "workers.schedule", "random", "share",
            "request", "request.answer", "request.subscribe", "request.onNext", "request.onError", "request.onComplete");

    private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
    private final Bomb bomb = new Bomb();
    private final FakeApiServer server = FakeApiServer.builder().scheduler(time).build();
    private final TestView<ObjectKey, Integer> rows = TestView.of(KEYS.stream().collect(Collectors.toMap(key -> key, key -> 0)));
    private final Map<ObjectKey, String> working = new TreeMap<>();
    private final Set<ObjectKey> done = new HashSet<>();
    private final Map<String, Share> shares = new TreeMap<>();

    @AfterEach
    void end() {
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
        member("a", new BombedTransport(server.transport(), bomb), BombedScheduler.losing(time, bomb, "timer"),
                BombedScheduler.losing(time, bomb, "workers"), () -> {
            bomb.at("random");
            return 0.5;
        });
        pass(20);
        bomb.lay(place, kind, after);
        pass(10);
        server.faults().onAny().times(3).refuse();
        pass(20);
        member("b", server.transport(), time, time, () -> 0.25);
        pass(120);

        assertThat(shares).as("shares after %s at %s", kind, place).allSatisfy((name, share) -> assertThat(share.members()).isEqualTo(2));
        done.clear();
        KEYS.forEach(key -> rows.put(key, 1));
        pass(20);
        assertThat(done).as("keys that are worked on after %s at %s", kind, place).isEqualTo(KEYS);
    }

    private void member(String name, Transport transport, Scheduler timer, Scheduler workers, DoubleSupplier random) {
        KubernetesClient client = KubernetesClient.over(transport, ClientOptions.defaults()
                .withWriteLimit(0, 1)
                .withTransport(TransportOptions.defaults().withSilence(Duration.ofSeconds(75), BombedScheduler.losing(time))));
        ShardedController<ObjectKey> controller = ShardedController.of(client, GROUP,
                Controller.named(name).watches(rows, Route.self()).delivery(Delivery.conflated().on(time))
                        .queue(queue -> queue.withLimiter(RateLimiter.standard(time)).withTimer(time).withWorkers(time)),
                request -> work(name, request),
                ElectionOptions.defaults().withTimer(timer).withWorkers(workers).withRandom(random));
        Flux<Share> watched = controller.shares().doOnNext(share -> {
            shares.put(name, share);
            if (name.equals("a")) {
                bomb.at("share");
            }
        }).retryWhen(Retry.fixedDelay(100, Duration.ofSeconds(1)).scheduler(time));
        watched.subscribe(share -> {}, failure -> {});
        try {
            controller.start();
        } catch (Throwable failure) {
            controller.start();
        }
    }

    private Mono<Result> work(String name, ReconcileRequest<ObjectKey> request) {
        return Mono.delay(Duration.ofMillis(100), time)
                .doOnSubscribe(begins -> assertThat(working.put(request.key(), name)).as("who else works on %s", request).isNull())
                .doFinally(ended -> working.remove(request.key()))
                .map(passed -> {
                    done.add(request.key());
                    return Result.done();
                });
    }

    private void pass(int seconds) {
        for (int i = 0; i < seconds; i++) {
            time.advanceTimeBy(Duration.ofSeconds(1));
        }
    }
}
