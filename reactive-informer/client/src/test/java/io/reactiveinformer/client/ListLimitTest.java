package io.reactiveinformer.client;

import io.reactiveinformer.Rounds;
import io.reactiveinformer.internal.ListWaits;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Reading;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.transport.TransportOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;
import reactor.test.scheduler.VirtualTimeScheduler;
import reactor.test.util.RaceTestUtils;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

class ListLimitTest {

    private final VirtualTimeScheduler timer = VirtualTimeScheduler.create();
    private ListLimit places = new ListLimit(2, timer);
    private final List<String> begun = new ArrayList<>();

    private Disposable list(String name, Sinks.Empty<String> end) {
        return places.within(leave -> Flux.defer(() -> {
            begun.add(name);
            return end.asMono();
        })).subscribe();
    }

    @Test
    void asManyAsThereArePlacesAndTheOthersInTheirTurn() {
        Sinks.Empty<String> first = Sinks.empty();
        list("a", first);
        list("b", Sinks.empty());
        list("c", Sinks.empty());
        list("d", Sinks.empty());
        assertThat(begun).containsExactly("a", "b");
        first.tryEmitEmpty();
        timer.advanceTime();
        assertThat(begun).containsExactly("a", "b", "c");
    }

    /** A later page of a list, whose token expires, and a small list that many wait for. */
    @Test
    void whatIsUrgentGoesBeforeTheOthers() {
        Sinks.Empty<String> first = Sinks.empty();
        Sinks.Empty<String> second = Sinks.empty();
        list("a", first);
        list("b", second);
        list("c", Sinks.empty());
        Disposable left = ListWaits.urgent(places.within(leave -> Flux.error(new AssertionError()))).subscribe();
        ListWaits.urgent(places.within(leave -> Flux.never().doOnSubscribe(subscription -> begun.add("urgent")))).subscribe();
        left.dispose();
        first.tryEmitEmpty();
        timer.advanceTime();
        assertThat(begun).containsExactly("a", "b", "urgent");
        second.tryEmitEmpty();
        timer.advanceTime();
        assertThat(begun).containsExactly("a", "b", "urgent", "c");
    }

    /** A turn that comes while its taker leaves must not be lost. */
    @Test
    void aPlaceIsGivenBackHoweverItsEndsMeet() {
        for (int round = 0; round < Rounds.races(5_000); round++) {
            places = new ListLimit(1, timer);
            Disposable first = list("first", Sinks.empty());
            Disposable second = list("second", Sinks.empty());
            RaceTestUtils.race(first::dispose, second::dispose);
            begun.clear();
            Disposable third = list("third", Sinks.empty());
            timer.advanceTime();
            assertThat(begun).as("round %d", round).containsExactly("third");
            third.dispose();
        }
    }

    @Test
    void aListThatSendsItemsKeepsItsPlace() {
        Sinks.Many<String> items = Sinks.many().unicast().onBackpressureBuffer();
        list("a", Sinks.empty());
        places.within(leave -> items.asFlux()).subscribe();
        for (int i = 0; i < ListLimit.MOST_LOOKS - 2; i++) {
            items.tryEmitNext("item");
            timer.advanceTimeBy(ListLimit.PATIENCE);
        }
        list("b", Sinks.empty());
        list("c", Sinks.empty());
        assertThat(begun).containsExactly("a", "b");
        timer.advanceTimeBy(ListLimit.PATIENCE);
        assertThat(begun).containsExactly("a", "b", "c");
    }

    @Test
    void aListThatDripsLosesItsPlaceAtLast() {
        Sinks.Many<String> items = Sinks.many().multicast().directBestEffort();
        places.within(leave -> items.asFlux()).subscribe();
        places.within(leave -> items.asFlux()).subscribe();
        list("a", Sinks.empty());
        for (int i = 0; i < ListLimit.MOST_LOOKS; i++) {
            assertThat(begun).isEmpty();
            items.tryEmitNext("item");
            timer.advanceTimeBy(ListLimit.PATIENCE);
        }
        assertThat(begun).containsExactly("a");
    }

    @Test
    void nobodyWaitsForATimerThatIsSlowToForget() {
        var timers = new AtomicInteger();
        var meanwhile = new CompletableFuture<Boolean>();
        Scheduler slow = new Scheduler() {
            @Override
            public Disposable schedule(Runnable task) {
                task.run();
                return Disposables.disposed();
            }

            @Override
            public Disposable schedule(Runnable task, long delay, TimeUnit unit) {
                return timers.getAndIncrement() > 0 ? Disposables.disposed() : () -> meanwhile.complete(anotherComes());
            }

            private boolean anotherComes() {
                var comes = new CompletableFuture<Void>();
                new Thread(() -> {
                    list("b", Sinks.empty());
                    comes.complete(null);
                }).start();
                return comes.completeOnTimeout(null, 5, TimeUnit.SECONDS).thenApply(done -> begun.contains("b")).join();
            }

            @Override
            public Worker createWorker() {
                throw new UnsupportedOperationException();
            }
        };
        places = new ListLimit(1, slow);
        Sinks.Empty<String> end = Sinks.empty();
        list("a", end);
        end.tryEmitEmpty();
        assertThat(meanwhile).isCompletedWithValue(true);
    }

    @Test
    void aFailureLeavesThePlaceToo() {
        Sinks.Empty<String> first = Sinks.empty();
        places.within(leave -> Flux.from(first.asMono())).subscribe(text -> {}, failure -> {});
        list("b", Sinks.empty());
        list("c", Sinks.empty());
        first.tryEmitError(new IllegalStateException("broken"));
        timer.advanceTime();
        assertThat(begun).containsExactly("b", "c");
    }

    @Test
    void aRequestThatIsCancelledLeavesThePlaceOrTheLine() {
        Disposable a = list("a", Sinks.empty());
        list("b", Sinks.empty());
        Disposable c = list("c", Sinks.empty());
        list("d", Sinks.empty());
        c.dispose();
        a.dispose();
        timer.advanceTime();
        assertThat(begun).containsExactly("a", "b", "d");
    }

    @Test
    void aListThatHangsKeepsNobodyWaitingForEver() {
        list("a", Sinks.empty());
        list("b", Sinks.empty());
        list("c", Sinks.empty());
        timer.advanceTimeBy(ListLimit.PATIENCE.minusMillis(1));
        assertThat(begun).containsExactly("a", "b");
        timer.advanceTimeBy(Duration.ofMillis(1));
        assertThat(begun).containsExactly("a", "b", "c");
    }

    @Test
    void leavingTwiceIsLeavingOnce() {
        Disposable a = places.within(leave -> {
            leave.run();
            leave.run();
            return Flux.never();
        }).subscribe();
        list("b", Sinks.empty());
        list("c", Sinks.empty());
        list("d", Sinks.empty());
        a.dispose();
        timer.advanceTime();
        assertThat(begun).containsExactly("b", "c");
    }

    /** Each begins as the one before ends; were it within its end, a few thousand would overflow the stack. */
    @Test
    void aLongLineIsServedWithoutDepth() {
        Sinks.Empty<String> first = Sinks.empty();
        list("a", first);
        list("b", Sinks.empty());
        for (int i = 0; i < 20_000; i++) {
            Sinks.Empty<String> over = Sinks.empty();
            over.tryEmitEmpty();
            list("next", over);
        }
        first.tryEmitEmpty();
        timer.advanceTime();
        assertThat(begun).hasSize(20_002);
    }

    /** What is limited is lists; a watch is one only until it has sent the initial state. */
    @Test
    void watchesHoldPlacesWhileTheySendTheInitialStateOnly() {
        String end = "{\"type\":\"BOOKMARK\",\"object\":{\"metadata\":{\"resourceVersion\":\"7\","
                + "\"annotations\":{\"k8s.io/initial-events-end\":\"true\"}}}}\n";
        Sinks.Many<String> answer = Sinks.many().unicast().onBackpressureBuffer();
        var server = new ScriptedTransport().then(200, "{\"metadata\":{\"name\":\"a\",\"resourceVersion\":\"1\"}}");
        var options = ClientOptions.defaults().withListsAtOnce(1)
                .withTransport(TransportOptions.defaults().withSilence(Duration.ofSeconds(60), timer));
        ResourceClient<JsonNode> widgets =
                KubernetesClient.over(server, options).resources(ResourceType.dynamic("example.com", "v1", "widgets"));
        widgets.get(ObjectKey.of(null, "a")).block(Duration.ofSeconds(20)); // reads on another thread, where classes are loaded
        server.reset();
        server.then(200, Flux.never()).then(200, answer.asFlux()).then(200, "{\"metadata\":{\"resourceVersion\":\"1\"},\"items\":[]}");

        widgets.watch(Namespaces.all(), WatchOptions.from("1", Duration.ofMinutes(5)), Reading.anew()).subscribe();
        widgets.watch(Namespaces.all(), WatchOptions.streamingList(null, Duration.ofMinutes(5)), Reading.anew()).subscribe();
        var listed = new ArrayList<Object>();
        widgets.list(Namespaces.all(), ListOptions.defaults(), Reading.anew()).subscribe(listed::add);
        assertThat(server.requests()).hasSize(2);
        answer.tryEmitNext(end);
        timer.advanceTime();
        assertThat(listed).hasSize(1);
    }
}
