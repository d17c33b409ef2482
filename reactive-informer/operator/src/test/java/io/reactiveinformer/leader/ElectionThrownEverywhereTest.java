package io.reactiveinformer.leader;

import io.kubernetes.client.openapi.models.V1Lease;
import io.reactiveinformer.client.ClientOptions;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.errors.Bomb;
import io.reactiveinformer.errors.BombedScheduler;
import io.reactiveinformer.errors.BombedTransport;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.TransportException;
import io.reactiveinformer.test.FakeApiServer;
import io.reactiveinformer.transport.HttpRequest;
import io.reactiveinformer.transport.Transport;
import io.reactiveinformer.transport.TransportOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.test.scheduler.VirtualTimeScheduler;
import reactor.util.retry.Retry;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Law 24 of elections: whatever is thrown, wherever, there is never a second leader, none that does not renew its lease, and in the end
 * there is one.
 */
@Tag("long")
class ElectionThrownEverywhereTest {

    private static final ObjectKey LEASE = ObjectKey.of("default", "lock");
    private static final ResourceType<V1Lease> LEASES = ResourceType.of(V1Lease.class);

    private static final List<String> PLACES = List.of(
            "timer.now", "timer.schedule", "workers.createWorker", "workers.worker", "workers.run", "workers.schedule", "random",
            "work", "work.subscribe", "work.cancel", "result", "watcher",
            "request", "request.answer", "request.subscribe", "request.onNext", "request.onError", "request.onComplete");

    private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
    private final Bomb bomb = new Bomb();
    private final FakeApiServer server = FakeApiServer.builder().scheduler(time).build();
    private final List<String> working = new ArrayList<>();
    private @Nullable Leadership received;
    private boolean cut;

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
        LeaderElector elector = bombed();
        LeaderElector other = LeaderElector.of(client(server.transport()), LEASE, options("b", BombedScheduler.losing(time)));
        follow(elector.whileLeading(term -> {
            bomb.at("work");
            return work("a", bomb);
        }).doOnNext(tick -> bomb.at("result")));
        follow(elector.leadership().doOnNext(state -> {
            bomb.at("watcher");
            received = state;
        }));
        List<Leadership> others = new ArrayList<>();
        List<Throwable> failures = new ArrayList<>();
        elector.leadership().subscribe(others::add, failures::add);
        pass(10);
        bomb.lay(place, kind, after);
        pass(30);
        server.faults().onAny().times(3).refuse();
        pass(30);
        follow(other.whileLeading(term -> work("b", new Bomb())));
        cut = true;
        pass(60);
        assertThat(working).as("work, after %s at %s, when the other leads", kind, place).containsExactly("b");
        cut = false;
        pass(60);
        other.resign().subscribe();
        pass(60);

        assertThat(working).as("work, after %s at %s", kind, place).containsExactly("a");
        assertThat(holder()).isEqualTo("a");
        assertThat(received).isInstanceOf(Leadership.Leading.class);
        if (failures.isEmpty() && !place.equals("workers.run")) { // where the state may be lost that was to be emitted
            assertThat(others.get(others.size() - 1)).isInstanceOf(Leadership.Leading.class);
        }
        bomb.lay("", kind, 0);
        assertThat(elector.healthy(Duration.ZERO)).isTrue();
        resigns(elector);
    }

    @ParameterizedTest
    @MethodSource("bombs")
    void resigns(String place, Bomb.Kind kind, int after) {
        try {
            LeaderElector elector = bombed();
            follow(elector.whileLeading(term -> work("a", bomb)));
            pass(10);
            bomb.lay(place, kind, after);
            resigns(elector);
        } catch (VirtualMachineError | ThreadDeath thrown) { // which JUnit would take for its own end
            throw new AssertionError("thrown at the caller", thrown);
        }
    }

    private void resigns(LeaderElector elector) {
        List<String> over = new ArrayList<>();
        try {
            elector.resign().subscribe(done -> {}, failure -> over.add("failed"), () -> over.add("over"));
        } catch (Throwable failure) {
            over.add("failed");
        }
        pass(60);
        assertThat(over).hasSize(1);
        assertThat(working).isEmpty();
    }

    private LeaderElector bombed() {
        Transport transport = new BombedTransport(server.transport(), bomb);
        return LeaderElector.of(client(new Transport() {
            @Override
            public <R> Flux<R> exchange(HttpRequest request, Function<Transport.Answer, ? extends Publisher<R>> reader) {
                return cut ? Flux.error(new TransportException("cut", null)) : transport.exchange(request, reader);
            }

            @Override
            public Mono<Void> dispose() {
                return transport.dispose();
            }
        }), LEASE, options("a", BombedScheduler.losing(time, bomb, "timer")).withWorkers(BombedScheduler.losing(time, bomb, "workers"))
                .withRandom(() -> {
            bomb.at("random");
            return 0.5;
        }));
    }

    private ElectionOptions options(String name, Scheduler timer) {
        return ElectionOptions.defaults().withIdentity(name).withTimer(timer).withWorkers(BombedScheduler.losing(time))
                .withRandom(() -> 0.5);
    }

    private KubernetesClient client(Transport transport) {
        return KubernetesClient.over(transport, ClientOptions.defaults()
                .withWriteLimit(0, 1)
                .withTransport(TransportOptions.defaults().withSilence(Duration.ofSeconds(75), BombedScheduler.losing(time))));
    }

    private Flux<Long> work(String name, Bomb laid) {
        return Flux.interval(Duration.ZERO, Duration.ofSeconds(1), BombedScheduler.losing(time))
                .doOnSubscribe(begins -> laid.at("work.subscribe"))
                .doOnNext(second -> {
                    if (second == 0) {
                        working.add(name);
                    }
                })
                .doOnCancel(() -> {
                    working.remove(name);
                    laid.at("work.cancel");
                })
                .doOnTerminate(() -> working.remove(name));
    }

    /** As one does who wants to go on whatever happens. */
    private void follow(Flux<?> flux) {
        Flux<?> again = flux.retryWhen(Retry.fixedDelay(100, Duration.ofSeconds(1)).scheduler(time));
        try {
            again.subscribe(next -> {}, failure -> {});
        } catch (Throwable failure) { // nobody was subscribed
            again.subscribe(next -> {}, failed -> {});
        }
    }

    private void pass(int seconds) {
        for (int i = 0; i < seconds; i++) {
            time.advanceTimeBy(Duration.ofSeconds(1));
            assertThat(working).as("who works at once").hasSizeLessThanOrEqualTo(1);
        }
    }

    private String holder() {
        return server.objects().get(LEASES, LEASE).orElseThrow().at("/spec/holderIdentity").asString();
    }
}
