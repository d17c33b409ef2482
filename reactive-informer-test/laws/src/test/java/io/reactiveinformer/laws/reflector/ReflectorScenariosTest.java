package io.reactiveinformer.laws.reflector;

import io.reactiveinformer.apiserver.ApiRequest.Verb;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.delta.DeltaStage;
import io.reactiveinformer.delta.ReflectorEvent;
import io.reactiveinformer.reflector.Reflector;
import io.reactiveinformer.reflector.ReflectorOptions;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectEvent;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.Selector;
import io.reactiveinformer.source.ListerWatcher;
import io.reactiveinformer.store.Store;
import io.reactiveinformer.test.FakeApiServer;
import io.reactiveinformer.test.Script;
import io.reactiveinformer.test.ScriptedListerWatcher;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.publisher.TestPublisher;
import reactor.test.scheduler.VirtualTimeScheduler;

import static io.reactiveinformer.test.Script.added;
import static io.reactiveinformer.test.Script.bookmark;
import static io.reactiveinformer.test.Script.closesAfter;
import static io.reactiveinformer.test.Script.deleted;
import static io.reactiveinformer.test.Script.failsAfter;
import static io.reactiveinformer.test.Script.modified;
import static io.reactiveinformer.test.Script.never;
import static io.reactiveinformer.test.Script.refusal;
import static io.reactiveinformer.test.Script.refused;
import static io.reactiveinformer.test.Script.staysOpenAfter;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * What client-go and its relatives test of their reflectors, by their numbers, as far as no other test is named after it. Not here on
 * purpose: 8.1.21 (a reflector knows no resync; a subscription does, and one that fails ends that subscription only) and 8.2.54 (there is
 * no mode that panics when list and stream differ; the two are compared over random faults by {@link ConvergenceTest} instead).
 */
class ReflectorScenariosTest {

    private final VirtualTimeScheduler clock = VirtualTimeScheduler.create();
    private final ScriptedListerWatcher<String> server = new ScriptedListerWatcher<>();

    /** 8.1.6: whatever the closed watch still has to say is not received. */
    @Test
    void nothingIsReceivedOfAWatchAfterItWasCancelled() {
        TestPublisher<ObjectEvent<String>> watch = TestPublisher.createNoncompliant(TestPublisher.Violation.CLEANUP_ON_TERMINATE);
        server.onList("10").onWatch("10", watch);
        ReflectorProbe probe = ReflectorProbe.of(clock, server).whatever();
        probe.cancel();
        watch.assertCancelled();
        watch.next(added("a", "11"));
        probe.emits();
    }

    /** 8.1.9, where client-go lists again: it may be a server that is going down, and says nothing of a gap. */
    @Test
    void aWatchThatClosesSilentlyWithinASecondResumesAfterAPause() {
        server.onList("10").onWatch("10", Script.<String>closesAfter().delaySequence(Duration.ofMillis(500), clock)).onWatch("10", never());
        ReflectorProbe.of(clock, server).whatever()
                .afterSeconds(0.5).emits("watching 10", "transport #1, resume in 0.8")
                .afterSeconds(0.8).emits("watching 10").end();
    }

    /** 8.1.16: two pauses for two refusals, and none for the watch that ends in order. */
    @Test
    void everyRefusalIsPausedForOnceHoweverItIsSaid() {
        server.onList("10").onWatch("10", refused(refusal(429, "TooManyRequests", "")))
                .onWatch("10", failsAfter(refusal(429, "TooManyRequests", "")))
                .onWatch("10", closesAfter(added("a", "11"))).onWatch("11", never());
        ReflectorProbe.of(clock, server).emits("listing", "listed 10", "429 #1, resume in 0.8")
                .afterSeconds(0.8).emits("watching 10", "429 #2, resume in 1.6")
                .afterSeconds(1.6).emits("watching 10", "+a@11")
                .afterSeconds(1).emits("watching 11").end();
    }

    /** 8.1.18 to 8.1.20, which count time where we count tries: two are resumed, the third lists, and an event between starts anew. */
    @Test
    void internalErrorsAreResumedAsLongAsThereIsProgressBetweenThem() {
        server.onList("10");
        for (int version = 10; version < 15; version++) {
            String next = String.valueOf(version + 1);
            server.onWatch(String.valueOf(version), failsAfter(refusal(500, "InternalError", "")))
                    .onWatch(String.valueOf(version), failsAfter(refusal(500, "InternalError", ""), added("a", next)));
        }
        server.onWatch("15", never());
        ReflectorProbe.of(clock, server).after(Duration.ofMinutes(2)).whatever().end();
        assertThat(server.requests()).filteredOn(request -> request.startsWith("list")).hasSize(1);
    }

    /** 8.1.32. */
    @Test
    void theStoreKnowsHowFarItIsAfterEachEvent() {
        server.onList("10", "a").onWatch("10", staysOpenAfter(modified("a", "20"), bookmark("30"), deleted("a", "40")));
        Store<String> store = Store.create();
        List<String> reached = new ArrayList<>();
        Reflector.of(server, store, ReflectorOptions.defaults().withTimer(clock)).events().transform(DeltaStage.over(store))
                .subscribe(delta -> {
                    store.apply(delta);
                    reached.add(store.reached(Namespaces.all()));
                });
        assertThat(reached).containsExactly("10", "20", "30", "40");
    }

    /** 8.3.57. */
    @ParameterizedTest
    @ValueSource(ints = {0, 9, 10})
    void whatFitsAPageIsOneRequest(int objects) {
        server.onList("10", IntStream.range(0, objects).mapToObj(i -> "o" + i).toArray(String[]::new)).onWatch("10", never());
        ReflectorProbe.of(clock, server, options -> options.withPageSize(10)).whatever().end();
        assertThat(server.requests()).containsExactly("list resourceVersion=0 limit=10", "watch 10");
    }

    /** Stream scenarios 25 and 26: whichever way the state is asked for. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void asksForTheSelectorWithEachListAndWatchAndForBookmarks(boolean streaming) {
        FakeApiServer api = FakeApiServer.builder().scheduler(clock).build();
        var source = ListerWatcher.over(KubernetesClient.over(api.transport()), ResourceType.dynamic("", "v1", "configmaps"),
                Namespaces.all(),
                Selector.labels("app=web"));
        Reflector.of(source, ReflectorOptions.defaults().withTimer(clock).withStreaming(streaming)).events().subscribe();
        clock.advanceTimeBy(Duration.ofMinutes(1));
        assertThat(api.requests().all()).isNotEmpty().allSatisfy(request -> {
            assertThat(request.uri()).contains("labelSelector=app%3Dweb");
            assertThat(request.uri().contains("allowWatchBookmarks=true")).isEqualTo(request.verb() == Verb.WATCH);
        });
        api.close();
    }

    /** Stream scenario 33. */
    @Test
    void aMillionEventsAreReadAtOnceByASlowStage() {
        long[] asked = new long[1];
        Flux<ObjectEvent<String>> million = Flux.range(0, 1_000_000)
                .<ObjectEvent<String>>map(i -> modified("k" + i % 20, String.valueOf(100 + i)))
                .doOnNext(event -> asked[0]++);
        server.onList("99")
                .onWatch("99", Flux.<ObjectEvent<String>>just(new ObjectEvent.Opened<>()).concatWith(million).concatWith(Mono.never()));
        Store<String> store = Store.create();
        List<String> taken = new ArrayList<>();
        Flux<ReflectorEvent<String>> events = Reflector.of(server, store, ReflectorOptions.defaults().withTimer(clock)).events();
        events.transform(DeltaStage.over(store)).limitRate(1).doOnNext(store::apply)
                .concatMap(delta -> Mono.delay(Duration.ofSeconds(1), clock).thenReturn(delta), 0)
                .subscribe(delta -> taken.add(delta.kind().name()));
        assertThat(asked[0]).isEqualTo(1_000_000);
        clock.advanceTimeBy(Duration.ofMinutes(1));
        assertThat(taken).as("a list, and the last state of each of 20 keys").hasSizeLessThanOrEqualTo(22);
        assertThat(store.reached(Namespaces.all())).isEqualTo("1000099");
    }
}
