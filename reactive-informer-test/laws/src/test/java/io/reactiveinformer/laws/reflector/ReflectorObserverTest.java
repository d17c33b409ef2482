package io.reactiveinformer.laws.reflector;

import io.reactiveinformer.client.ClientOptions;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.client.RequestObserver;
import io.reactiveinformer.delta.ReflectorEvent;
import io.reactiveinformer.reflector.Reflector;
import io.reactiveinformer.reflector.ReflectorOptions;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectEvent;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.source.ListerWatcher;
import io.reactiveinformer.test.FakeApiServer;
import io.reactiveinformer.test.Script;
import io.reactiveinformer.test.ScriptedListerWatcher;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.scheduler.VirtualTimeScheduler;

import static io.reactiveinformer.test.Script.bookmark;
import static io.reactiveinformer.test.Script.never;
import static io.reactiveinformer.test.Script.refused;
import static org.assertj.core.api.Assertions.assertThat;

/** What an observer that counts receives. */
class ReflectorObserverTest {

    private final VirtualTimeScheduler clock = VirtualTimeScheduler.create();

    @Test
    void anObserverReceivesWhatIsDone() {
        List<String> seen = new ArrayList<>();
        var observer = new Reflector.Observer() {
            @Override
            public void listing(String reason) {
                seen.add("listing: " + reason);
            }

            @Override
            public void listed(int objects, Duration took) {
                seen.add("listed " + objects);
            }

            @Override
            public void watching(String resourceVersion) {
                seen.add("watching " + resourceVersion);
            }

            @Override
            public void stale(Duration time) {
                seen.add("stale " + time);
            }

            @Override
            public void received(ReflectorEvent<?> event) {
                seen.add("received " + ((ReflectorEvent.Received<?>) event).event().getClass().getSimpleName());
            }

            @Override
            public void watched(int events, Duration lasted) {
                seen.add("watched " + events + " in " + lasted);
            }

            @Override
            public void disrupted(ReflectorEvent.Disrupted<?> disruption) {
                seen.add("disrupted " + disruption.attempt());
            }
        };
        var server = new ScriptedListerWatcher<String>().onList("10", "a", "b")
                .onWatch("10", lasting(Duration.ofMinutes(1), Script.added("c", "11")).concatWith(refused(Script.broken())))
                .onWatch("11", never());
        ReflectorProbe probe = ReflectorProbe.of(clock, server, options -> options.withObserver(observer)).afterSeconds(61).whatever();
        probe.end();
        probe.cancel();
        assertThat(seen).containsExactly("listing: first list", "listed 2", "watching 10",
                "stale PT0S", "received Applied", "watched 1 in PT1M",
                "stale PT1M", "disrupted 1", "watching 11", "watched 0 in PT0.975S");
    }

    /** Law 17: an observer cannot end it. */
    @Test
    void anObserverThatThrowsHarmsNothing() {
        var observer = new Reflector.Observer() {
            @Override
            public void listed(int objects, Duration took) {
                throw new IllegalStateException("planned");
            }

            @Override
            public void watched(int events, Duration lasted) {
                throw new IllegalStateException("planned");
            }
        };
        var server = new ScriptedListerWatcher<String>().onList("10").onWatch("10", refused(Script.broken())).onWatch("10", Script.never());
        ReflectorProbe.of(clock, server, options -> options.withObserver(observer))
                .emits("listing", "listed 10", "transport #1, resume in 0.8")
                .afterSeconds(0.8).emits("watching 10").end();
    }

    /** Neither another method of its own, nor another observer. */
    @Test
    void anObserverThatThrowsStopsNoOtherCall() {
        var throwing = new Reflector.Observer() {
            private int received;

            @Override
            public void stale(Duration time) {
                throw new IllegalStateException("planned");
            }

            @Override
            public void received(ReflectorEvent<?> event) {
                received++;
            }
        };
        List<String> seen = new ArrayList<>();
        var other = new Reflector.Observer() {
            @Override
            public void stale(Duration time) {
                seen.add("stale");
            }

            @Override
            public void received(ReflectorEvent<?> event) {
                seen.add("received");
            }

            @Override
            public void disrupted(ReflectorEvent.Disrupted<?> disruption) {
                seen.add("disrupted");
            }
        };
        var server = new ScriptedListerWatcher<String>().onList("10", "a")
                .onWatch("10", lasting(Duration.ofMinutes(1), Script.added("b", "11")).concatWith(refused(Script.broken())))
                .onWatch("11", never());
        ReflectorProbe.of(clock, server, options -> options.withObserver(throwing.and(other))).afterSeconds(61).whatever().end();
        assertThat(seen).containsExactly("stale", "received", "stale", "disrupted");
        assertThat(throwing.received).isEqualTo(1);
    }

    /** From the last word on, through whatever fails, to the next one. */
    @Test
    void stalenessGrowsUntilTheServerAnswersAgain() {
        List<String> seen = new ArrayList<>();
        var observer = new Reflector.Observer() {
            @Override
            public void stale(Duration time) {
                seen.add("stale " + time);
            }

            @Override
            public void received(ReflectorEvent<?> event) {
                seen.add("received");
            }

            @Override
            public void listed(int objects, Duration took) {
                seen.add("listed");
            }

            @Override
            public void disrupted(ReflectorEvent.Disrupted<?> disruption) {
                seen.add("disrupted");
            }
        };
        var server = new ScriptedListerWatcher<String>().onList(refused(Script.broken())).onList("10")
                .onWatch("10", Flux.<ObjectEvent<String>>just(new ObjectEvent.Opened<>())
                        .concatWith(Mono.delay(Duration.ofMinutes(1), clock).map(tick -> bookmark("11"))).concatWith(lastingTwoMinutes()))
                .onWatch("11", refused(Script.broken()))
                .onWatch("11", refused(Script.refusal(410, "Expired", "history is gone"))).onList("12").onWatch("12", never());
        ReflectorProbe.of(clock, server, options -> options.withObserver(observer)).after(Duration.ofMinutes(4)).whatever().end();
        assertThat(seen).containsExactly("disrupted", "listed", "stale PT1M", "received", "stale PT2M",
                "disrupted", "stale PT2M0.8S", "disrupted",
                "stale PT2M1.6S", "listed");
    }

    private Mono<ObjectEvent<String>> lastingTwoMinutes() {
        return Mono.delay(Duration.ofMinutes(2), clock).then(Mono.empty());
    }

    /** Whose source is a client asks that one. */
    @Test
    void bytesAreReportedByTheClientsObserver() {
        List<String> seen = new ArrayList<>();
        List<Long> bytes = new ArrayList<>();
        var observer = new RequestObserver() {
            @Override
            public void ended(Request request, Outcome outcome) {
                seen.add(request.verb() + " " + request.resource());
                bytes.add(outcome.bytes());
            }
        };
        try (FakeApiServer server = FakeApiServer.builder().scheduler(clock).build()) {
            server.objects().create("{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: t}, data: {a: "
                    + "x".repeat(10_000) + "}}");
            KubernetesClient client = KubernetesClient.over(server.transport(),
                    ClientOptions.defaults().withListsAtOnce(0).withObserver(observer));
            var source = ListerWatcher.over(client, ResourceType.dynamic("", "v1", "configmaps"), Namespaces.of("t"));
            Disposable reflector = Reflector.of(source, ReflectorOptions.defaults().withStreaming(false).withTimer(clock))
                    .events().subscribe();
            clock.advanceTimeBy(Duration.ofSeconds(90));
            reflector.dispose();
        }
        assertThat(seen).containsExactly("list configmaps.v1", "watch configmaps.v1");
        assertThat(bytes.get(0)).isBetween(10_000L, 11_000L);
        assertThat(bytes.get(1)).as("a bookmark").isBetween(50L, 1_000L);
    }

    @SafeVarargs
    @SuppressWarnings("varargs") // the array is only read
    private final Flux<ObjectEvent<String>> lasting(Duration time, ObjectEvent<String>... events) {
        return Flux.<ObjectEvent<String>>just(new ObjectEvent.Opened<>())
                .concatWith(Flux.fromArray(events))
                .concatWith(Mono.delay(time, clock).then(Mono.empty()));
    }
}
