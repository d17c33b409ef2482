package io.reactiveinformer.informer;

import io.reactiveinformer.Rounds;
import io.reactiveinformer.client.ListOptions;
import io.reactiveinformer.client.WatchOptions;
import io.reactiveinformer.reflector.ReflectorOptions;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectEvent;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Reading;
import io.reactiveinformer.resource.Status;
import io.reactiveinformer.resource.StatusException;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.source.ListerWatcher;
import io.reactiveinformer.store.Index;
import io.reactiveinformer.store.Snapshot;
import io.reactiveinformer.view.Change;
import io.reactiveinformer.view.InformerStatus;
import io.reactiveinformer.view.InformerStatus.State;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.test.scheduler.VirtualTimeScheduler;
import reactor.test.util.RaceTestUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The end of a relist, which replaces {@code a} by {@code c}, against the end of the caller that waits for it, one signal against one
 * other.
 *
 * <p>Each of these was planted once, and caught: a stop that does not wait for its turn; an index that is filed without waiting for its
 * turn; a subscriber that leaves and takes those beside it along.
 */
class StopDuringRelistTest {

    private static final int ROUNDS = Rounds.races(400);
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Set<String> BEFORE = Set.of("a", "b");
    private static final Set<String> AFTER = Set.of("b", "c");

    /** A server whose answers end when the test says so. */
    private static final class Server implements ListerWatcher<String> {

        private final List<Sinks.Many<ObjectEvent<String>>> lists = new ArrayList<>();
        private final Sinks.One<ObjectEvent<String>> watch = Sinks.one();

        @Override
        public Identity identity() {
            return Identity.of("texts", Namespaces.all());
        }

        @Override
        public Flux<ObjectEvent<String>> list(ListOptions options, Reading<String> reading) {
            return Flux.defer(() -> {
                Sinks.Many<ObjectEvent<String>> list = Sinks.many().unicast().onBackpressureBuffer();
                lists.add(list);
                return list.asFlux();
            });
        }

        @Override
        public Flux<ObjectEvent<String>> watch(WatchOptions options, Reading<String> reading) {
            return lists.size() == 1 ? Flux.<ObjectEvent<String>>just(new ObjectEvent.Opened<>()).concatWith(watch.asMono()) : Flux.never();
        }

        void item(String name) {
            ObjectKey key = ObjectKey.clusterScoped(name);
            newest().tryEmitNext(new ObjectEvent.Applied<>(key, new Versioned<>("u" + name, "5", name)));
        }

        void end(String version) {
            newest().tryEmitNext(new ObjectEvent.PageEnd<>(version, null));
            newest().tryEmitComplete();
        }

        private Sinks.Many<ObjectEvent<String>> newest() {
            return lists.get(lists.size() - 1);
        }
    }

    private static final Index<String, String> SELF = Index.of("self", text -> text);

    private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
    private Server server = new Server();

    /** With what the server had before, and a list under way whose end is all that is missing. */
    private Informer<String> relisting() {
        server = new Server();
        Informer<String> informer =
                Informer.over(server, ReflectorOptions.defaults().withStreaming(false).withTimer(time).withRandom(() -> 0));
        informer.start();
        BEFORE.forEach(server::item);
        server.end("10");
        server.watch.tryEmitError(StatusException.of(Status.of(410, "Expired", "too old"), "watch texts"));
        time.advanceTimeBy(Duration.ofMinutes(1));
        assertThat(server.lists).hasSize(2);
        AFTER.forEach(server::item);
        assertThat(keys(informer.snapshot())).isEqualTo(BEFORE);
        return informer;
    }

    /** Comes a little later in each round, so that it meets every moment of the other. */
    private void endOfListAgainst(int round, Runnable other) {
        RaceTestUtils.race(() -> server.end("20"), () -> {
            for (int i = 0; i < 5 * round; i++) {
                Thread.onSpinWait();
            }
            other.run();
        });
    }

    private static Set<String> keys(Snapshot<ObjectKey, ?> rows) {
        Set<String> keys = new TreeSet<>();
        rows.forEach((key, row) -> keys.add(key.toString()));
        return keys;
    }

    /** What {@code changes} amount to, again after each. */
    private static Flux<Set<String>> replayed(Flux<Change<ObjectKey, String>> changes) {
        return changes.<Set<String>>scan(Set.of(), (before, change) -> {
            Set<String> known = new TreeSet<>(before);
            change.accept(
                    added -> assertThat(known.add(added.object())).isTrue(),
                    updated -> assertThat(known).contains(updated.after()),
                    deleted -> assertThat(known.remove(deleted.last())).isTrue(),
                    synced -> {});
            return known;
        });
    }

    private static <X> X get(CompletableFuture<X> future) throws Exception {
        return future.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    /** Whichever is first: all of the list is there, or nothing, and every subscriber received just that. */
    @Test
    void theEndOfAListAgainstAStop() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            Informer<String> informer = relisting();
            var received = replayed(informer.changes()).last().toFuture();
            var late = replayed(Flux.defer(informer::changes)).last();
            endOfListAgainst(round, informer::stop);

            Set<String> there = keys(informer.snapshot());
            assertThat(there).as("all of it or nothing, round %s", round).isIn(BEFORE, AFTER);
            assertThat(informer.snapshot().resourceVersion()).as("round %s", round).contains(there.equals(AFTER) ? "20" : "10");
            assertThat(informer.status().map(InformerStatus::state).blockLast(PATIENCE)).isEqualTo(State.STOPPED);
            assertThat(get(received)).as("the subscriber, round %s", round).isEqualTo(there);
            assertThat(get(late.toFuture())).as("who comes too late, round %s", round).isEqualTo(there);
        }
    }

    /** One that leaves takes nobody along, be it from before or after it. */
    @Test
    void theEndOfAListAgainstACancellation() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            Informer<String> informer = relisting();
            var before = replayed(informer.changes()).filter(AFTER::equals).next().toFuture();
            Disposable leaving = informer.changes().subscribe();
            var after = replayed(informer.changes()).filter(AFTER::equals).next().toFuture();
            endOfListAgainst(round, leaving::dispose);
            assertThat(get(before)).as("round %s", round).isEqualTo(AFTER);
            assertThat(get(after)).as("round %s", round).isEqualTo(AFTER);
            informer.stop();
        }
    }

    @Test
    void theEndOfAListAgainstANewSubscriber() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            Informer<String> informer = relisting();
            Mono<Set<String>> received = replayed(informer.changes()).filter(AFTER::equals).next();
            var coming = new AtomicReference<CompletableFuture<Set<String>>>();
            endOfListAgainst(round, () -> coming.set(received.toFuture()));
            assertThat(get(coming.get())).as("round %s", round).isEqualTo(AFTER);
            informer.stop();
        }
    }

    /** The index is filled when it says so, and has what the list brought. */
    @Test
    void theEndOfAListAgainstANewIndex() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            Informer<String> informer = relisting();
            var filled = new AtomicReference<CompletableFuture<Snapshot<ObjectKey, String>>>();
            endOfListAgainst(round, () -> filled.set(
                    informer.addIndex(SELF).then(Mono.fromSupplier(informer::snapshot)).toFuture()));
            assertThat(get(filled.get()).by(SELF, "b")).as("round %s", round).containsExactly("b");
            assertThat(keys(informer.snapshot())).as("round %s", round).isEqualTo(AFTER);
            assertThat(informer.snapshot().by(SELF, "a")).as("round %s", round).isEmpty();
            assertThat(informer.snapshot().by(SELF, "c")).as("round %s", round).containsExactly("c");
            informer.stop();
        }
    }
}
