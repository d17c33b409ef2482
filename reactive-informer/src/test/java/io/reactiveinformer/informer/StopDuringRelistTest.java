package io.reactiveinformer.informer;

import io.reactiveinformer.client.ListOptions;
import io.reactiveinformer.client.WatchOptions;
import io.reactiveinformer.delta.Known;
import io.reactiveinformer.reflector.ReflectorOptions;
import io.reactiveinformer.resource.InformerStatus.State;
import io.reactiveinformer.resource.ListEvent;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Scope;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.resource.WatchEvent;
import io.reactiveinformer.source.ListerWatcher;
import io.reactiveinformer.store.Index;
import io.reactiveinformer.view.Change;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;
import reactor.test.util.RaceTestUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The end of a relist against the end of whoever waits for it, one signal against one other.
 */
class StopDuringRelistTest {

    private static final int ROUNDS = 1_000;
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    /** A server whose answers end when the test says so. */
    private static final class Server implements ListerWatcher<String> {

        private final List<Sinks.Many<ListEvent<String>>> lists = new ArrayList<>();

        @Override
        public String description() {
            return "texts";
        }

        @Override
        public Scope part() {
            return Scope.all();
        }

        @Override
        public Flux<ListEvent<String>> list(ListOptions options, Known<String> known) {
            return Flux.defer(() -> {
                Sinks.Many<ListEvent<String>> list = Sinks.many().unicast().onBackpressureBuffer();
                lists.add(list);
                return list.asFlux();
            });
        }

        @Override
        public Flux<WatchEvent<String>> watch(WatchOptions options, Known<String> known) {
            return Flux.never();
        }

        void item(String name) {
            ObjectKey key = ObjectKey.clusterScoped(name);
            lists.get(0).tryEmitNext(new ListEvent.Item<>(key, new Versioned<>("u" + name, "5", name)));
        }

        void end() {
            lists.get(0).tryEmitNext(new ListEvent.End<>("10", null));
            lists.get(0).tryEmitComplete();
        }
    }

    private final Server server = new Server();

    private Informer<String> listing() {
        server.lists.clear();
        Informer<String> informer = Informer.over(server, ReflectorOptions.defaults().streaming(false));
        informer.start();
        server.item("a");
        server.item("b");
        return informer;
    }

    private static Set<String> keys(Informer<?> informer) {
        Set<String> keys = new TreeSet<>();
        informer.snapshot().forEach((key, row) -> keys.add(key.toString()));
        return keys;
    }

    @Test
    void theEndOfAListAgainstAStop() {
        for (int round = 0; round < ROUNDS; round++) {
            Informer<String> informer = listing();
            var told = informer.changes().ofType(Change.Added.class).map(added -> added.key().toString()).collect(Collectors.toSet()).toFuture();
            RaceTestUtils.race(server::end, informer::stop);
            assertThat(informer.status().map(now -> now.state()).blockLast(PATIENCE)).isEqualTo(State.STOPPED);
            assertThat(keys(informer)).as("all of it or nothing, round %s", round).isIn(Set.of(), Set.of("a", "b"));
            assertThat(told.join()).as("who was told, round %s", round).isEqualTo(keys(informer));
        }
    }

    @Test
    void theEndOfAListAgainstACancellation() {
        for (int round = 0; round < ROUNDS; round++) {
            Informer<String> informer = listing();
            Disposable leaving = informer.changes().subscribe();
            var staying = informer.changes().take(3).collectList().toFuture();
            RaceTestUtils.race(server::end, leaving::dispose);
            assertThat(staying.join()).as("the other one is told all, round %s", round).hasSize(3);
            informer.stop();
        }
    }

    @Test
    void theEndOfAListAgainstANewIndex() {
        for (int round = 0; round < ROUNDS; round++) {
            Informer<String> informer = listing();
            RaceTestUtils.race(server::end, () -> informer.addIndex(Index.of("self", text -> text)).subscribe());
            informer.synced().block(PATIENCE);
            assertThat(keys(informer)).containsExactly("a", "b");
            informer.stop();
        }
    }
}
