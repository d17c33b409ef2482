package io.reactiveinformer.informer;

import io.reactiveinformer.client.ListOptions;
import io.reactiveinformer.client.WatchOptions;
import io.reactiveinformer.errors.BombedScheduler;
import io.reactiveinformer.reflector.ReflectorOptions;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectEvent;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Reading;
import io.reactiveinformer.resource.TransportException;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.source.ListerWatcher;
import io.reactiveinformer.view.InformerStatus.State;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;
import reactor.test.scheduler.VirtualTimeScheduler;

import static org.assertj.core.api.Assertions.assertThat;

/** What an informer does when its source throws, at any moment, something that no source should throw. */
class MendedPartsTest {

    private final VirtualTimeScheduler time = VirtualTimeScheduler.getOrSet();
    private final List<String> asked = new ArrayList<>();

    @AfterEach
    void end() {
        VirtualTimeScheduler.reset();
    }

    /** One text, {@code a}, in one namespace. */
    private class Source implements ListerWatcher<String> {

        private final String namespace;
        private Sinks.Many<ObjectEvent<String>> watch = Sinks.many().multicast().directBestEffort();
        private @Nullable Throwable atCancel;
        private boolean deaf;

        Source(String namespace) {
            this.namespace = namespace;
        }

        /** In order, after one more state. */
        void end(String version) {
            watch.tryEmitNext(new ObjectEvent.Applied<>(ObjectKey.of(namespace, "a"), new Versioned<>("u", version, "text " + version),
                    true));
            Sinks.Many<ObjectEvent<String>> before = watch;
            watch = Sinks.many().multicast().directBestEffort();
            before.tryEmitComplete();
        }

        void fail(Throwable cause) {
            Sinks.Many<ObjectEvent<String>> before = watch;
            watch = Sinks.many().multicast().directBestEffort();
            before.tryEmitError(cause);
        }

        @Override
        public Identity identity() {
            return new Identity("texts in " + namespace, Namespaces.of(namespace), false, Past.ALL);
        }

        private ObjectEvent<String> item() {
            return new ObjectEvent.Applied<>(ObjectKey.of(namespace, "a"), new Versioned<>("u", "5", "text"));
        }

        @Override
        public Flux<ObjectEvent<String>> list(ListOptions options, Reading<String> reading) {
            if (options.match() == ListOptions.Match.EXACT) {
                asked.add(namespace + " proof");
                return deaf ? Flux.never() : Flux.just(item(), new ObjectEvent.PageEnd<>("5", null));
            }
            asked.add(namespace + " list");
            return Flux.just(item(), new ObjectEvent.PageEnd<>("5", null));
        }

        @Override
        public Flux<ObjectEvent<String>> watch(WatchOptions options, Reading<String> reading) {
            return Flux.defer(() -> {
                asked.add(namespace + " watch");
                return watch.asFlux().startWith(new ObjectEvent.Opened<>()).doOnCancel(() -> {
                    Throwable thrown = atCancel;
                    atCancel = null;
                    if (thrown instanceof Error error) {
                        throw error;
                    }
                });
            });
        }
    }

    private ReflectorOptions options() {
        return ReflectorOptions.defaults().withStreaming(false).withTimer(time).withRandom(() -> 0);
    }

    private List<String> asked() {
        List<String> since = List.copyOf(asked);
        asked.clear();
        return since;
    }

    @Test
    void aPartWhoseConnectionBrokeProvesTheHistoryFirst() {
        var source = new Source("one");
        var mistake = new AtomicReference<RuntimeException>(new IllegalStateException("a mistake"));
        Informer<String> informer = Informer.over(source, options().withGiveUpWhen(disrupted -> {
            RuntimeException thrown = mistake.getAndSet(null);
            if (thrown != null) {
                throw thrown;
            }
            return false;
        }));
        informer.start();
        time.advanceTimeBy(Duration.ofSeconds(1));
        assertThat(asked()).containsExactly("one list", "one watch");

        source.fail(new TransportException("broken", null));
        time.advanceTimeBy(Duration.ofSeconds(30));

        assertThat(mistake).hasNullValue();
        assertThat(asked()).containsExactly("one proof", "one watch");
        informer.stop();
    }

    @Test
    void whatWaitsForAProofForLongIsNotLive() {
        var source = new Source("one");
        Informer<String> informer = Informer.over(source, options());
        List<State> states = new ArrayList<>();
        informer.status().subscribe(status -> states.add(status.state()));
        informer.start();
        time.advanceTimeBy(Duration.ofSeconds(1));
        source.end("6");
        time.advanceTimeBy(Duration.ofSeconds(2));
        assertThat(states).as("a proof that is answered at once is no interruption").endsWith(State.LIVE).doesNotContain(State.DISRUPTED);

        source.deaf = true;
        source.end("7");
        time.advanceTimeBy(Duration.ofSeconds(4));
        assertThat(states).endsWith(State.DISRUPTED);
        source.deaf = false;
        time.advanceTimeBy(Duration.ofMinutes(1));
        assertThat(states).endsWith(State.LIVE);
        informer.stop();
    }

    @Test
    void aCancellationThatThrowsDoesNotKeepAPartFromBeginningAnew() {
        var one = new Source("one");
        var two = new Source("two");
        List<Source> sources = List.of(one, two);
        Informer<String> informer = Informer.over("texts", Namespaces.of(List.of("one", "two")),
                part -> sources.stream().filter(source -> source.identity().part().equals(part)).findFirst().orElseThrow(), options());
        informer.start();
        time.advanceTimeBy(Duration.ofSeconds(1));
        asked();
        one.atCancel = new NoClassDefFoundError("planned");

        ((SharedInformer<String>) informer).keep(key -> true).subscribe();
        time.advanceTimeBy(Duration.ofSeconds(30));

        assertThat(asked()).containsExactlyInAnyOrder("one list", "one watch", "two list", "two watch");
        assertThat(informer.snapshot().complete()).isTrue();
        informer.stop();
    }

    @Test
    void whatNeedsRepairWhileOneIsPlannedIsSaidToo() {
        List<String> notices = new ArrayList<>();
        var repairs = new ArrayList<Boolean>();
        var mending = new PartRestarts(repairs::add, (pause, attempt, cause) -> notices.add(pause.toMillis() + " " + cause.getMessage()),
                options().backoff().delays(time, () -> 0), time, new IllegalStateException("doubt"));
        mending.needed(new IllegalStateException("first"));
        time.advanceTimeBy(Duration.ofMillis(300));
        mending.needed(new IllegalStateException("second"));
        mending.look();
        assertThat(notices).containsExactly("800 first", "500 first");
        time.advanceTimeBy(Duration.ofSeconds(1));
        assertThat(repairs).containsExactly(false);
    }

    private PartRestarts restarts(List<Boolean> repairs, Scheduler timer) {
        return new PartRestarts(repairs::add, (pause, attempt, cause) -> { }, options().backoff().delays(time, () -> 0), timer,
                new IllegalStateException("doubt"));
    }

    @Test
    void aRepairThatSucceedsIsTheLast() {
        var repairs = new ArrayList<Boolean>();
        PartRestarts restarts = restarts(repairs, time);
        restarts.needed(new IllegalStateException("once"));
        assertThat(restarts.ails()).isTrue();
        time.advanceTimeBy(Duration.ofSeconds(1));
        assertThat(restarts.ails()).isFalse();
        restarts.look();
        time.advanceTimeBy(Duration.ofMinutes(10));
        assertThat(repairs).containsExactly(false);
    }

    @Test
    void aRepairThatTheTimerHasLostIsPlannedAgain() {
        var repairs = new ArrayList<Boolean>();
        var loses = new AtomicBoolean(true);
        PartRestarts restarts = restarts(repairs, BombedScheduler.around(time, task -> () -> {
            if (!loses.get()) {
                task.run();
            }
        }));
        restarts.needed(new IllegalStateException("once"));
        time.advanceTimeBy(Duration.ofSeconds(4));
        loses.set(false);
        restarts.look();
        time.advanceTimeBy(Duration.ofMinutes(1));
        assertThat(repairs).as("it may only be late").isEmpty();
        restarts.look();
        time.advanceTimeBy(Duration.ofMinutes(1));
        assertThat(repairs).containsExactly(false);
    }

    @Test
    void afterAShortageAllStartsOver() {
        var repairs = new ArrayList<Boolean>();
        PartRestarts restarts = restarts(repairs, time);
        restarts.doubt();
        time.advanceTimeBy(Duration.ofSeconds(1));
        assertThat(repairs).as("doubtful").containsExactly(true);
        assertThat(restarts.ails()).isFalse();
    }
}
