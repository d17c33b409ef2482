package io.reactiveinformer.view;

import io.reactiveinformer.client.Known.Stale;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.view.InformerStatus.State;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Law 16 for functions of views. Planted once, and caught: a failure that is not forgotten when the function works again, or when the
 * row is gone.
 */
class DerivedStatusTest {

    private static final ObjectKey A = ObjectKey.clusterScoped("key a");

    private final ManualScheduler scheduler = new ManualScheduler();
    private final Rows rows = Rows.complete();
    private final Rows others = Rows.complete();
    private final Sinks.Many<InformerStatus> source = Sinks.many().replay().latest();
    private final List<Map<ObjectKey, Stale>> stale = new ArrayList<>();
    private boolean ended;

    private <R> Disposable used(Function<Runnable, Derived<String, R>> derivation) {
        source.tryEmitNext(InformerStatus.idle(Instant.EPOCH));
        var view = new DerivedView<>(derivation, () -> scheduler, Mono.empty(), delivery -> source.asFlux());
        view.status().subscribe(status -> stale.add(status.stale()), failure -> {}, () -> ended = true);
        Disposable use = view.retain();
        scheduler.runAll();
        return use;
    }

    private void put(int version) {
        rows.put("a", "u", version);
        scheduler.runAll();
    }

    private static <T> T unless13(String row, T result) {
        if (row.endsWith("13")) {
            throw new IllegalStateException("13");
        }
        return result;
    }

    private void namesTheRowUntilItIsGood(String kind) {
        put(1);
        put(13);
        var why = new Stale(null, "the function of a " + kind + " view threw java.lang.IllegalStateException");
        assertThat(stale).last().isEqualTo(Map.of(A, why));
        put(14);
        assertThat(stale).last().isEqualTo(Map.of());
        put(13);
        assertThat(stale).last().isEqualTo(Map.of(A, why));
        rows.remove("a", 20);
        scheduler.runAll();
        assertThat(stale).last().isEqualTo(Map.of());
    }

    @Test
    void twoViewsAreLiveSinceTheLaterOneIs() {
        Flux<InformerStatus> one = Flux.just(live(Instant.ofEpochSecond(1)));
        Flux<InformerStatus> other = Flux.just(live(Instant.ofEpochSecond(2)));
        assertThat(JoinedStatus.of(one, other).blockLast().since()).isEqualTo(Instant.ofEpochSecond(2));
        assertThat(JoinedStatus.of(other, one).blockLast().since()).isEqualTo(Instant.ofEpochSecond(2));
    }

    private static InformerStatus live(Instant since) {
        return new InformerStatus(State.LIVE, since, true, null, null, null, 0, null, Map.of(), Map.of());
    }

    @Test
    void aFilterNamesWhatItFailsOn() {
        used(wake -> Derived.filter(rows.hub.feed(), row -> unless13(row, true), wake));
        namesTheRowUntilItIsGood("filter");
    }

    @Test
    void aMapNamesWhatItFailsOn() {
        used(wake -> Derived.map(rows.hub.feed(), row -> unless13(row, row), wake));
        namesTheRowUntilItIsGood("map");
    }

    @Test
    void aGroupNamesWhatItFailsOn() {
        used(wake -> Derived.groups(rows.hub.feed(), row -> unless13(row, Optional.of("group")), wake));
        namesTheRowUntilItIsGood("group");
    }

    @Test
    void aJoinNamesWhatItsReferencesFailOn() {
        used(wake -> Derived.join(rows.hub.feed(), others.hub.feed(), row -> unless13(row, List.of("x")), (row, referred) -> row, wake));
        namesTheRowUntilItIsGood("join");
    }

    @Test
    void aJoinNamesWhatItsCombinationFailsOn() {
        used(wake -> Derived.join(rows.hub.feed(), others.hub.feed(), row -> List.of("x"), (row, referred) -> unless13(row, row), wake));
        namesTheRowUntilItIsGood("join");
    }

    @Test
    void othersAreUnharmed() {
        List<String> received = new ArrayList<>();
        var view = new DerivedView<String, String>(
                wake -> Derived.map(rows.hub.feed(), row -> unless13(row, row), wake), () -> scheduler,
                Mono.empty(), delivery -> Flux.empty());
        Listening<String> listening = Listening.to(view.changes(Delivery.conflated().on(scheduler))).all();
        scheduler.runAll();
        rows.put("a", "u", 13).put("b", "u", 2);
        scheduler.runAll();
        received.addAll(listening.received());
        assertThat(received).containsExactly("synced 0", "+b=u@2");
    }

    @Test
    void nothingIsNamedWhenNobodyUsesTheView() {
        Disposable use = used(wake -> Derived.map(rows.hub.feed(), row -> unless13(row, row), wake));
        put(13);
        assertThat(stale).last().isNotEqualTo(Map.of());
        use.dispose();
        scheduler.runAll();
        assertThat(stale).last().isEqualTo(Map.of());
    }

    /** Neither the view nor the subscriber that stops using it. */
    @Test
    void holdsUpNobodyWhoTellsIt() {
        source.tryEmitNext(InformerStatus.idle(Instant.EPOCH));
        var view = new DerivedView<>((Runnable wake) -> Derived.map(rows.hub.feed(), row -> unless13(row, row), wake),
                () -> scheduler, Mono.empty(), delivery -> source.asFlux());
        List<String> received = new ArrayList<>();
        view.status().subscribe(status -> {
            received.add(status.stale().keySet() + " beside " + view.snapshot().list());
            if (!status.stale().isEmpty()) {
                put(14); // as if it took so long
                received.add("then " + view.snapshot().list());
            }
        });
        Disposable use = view.retain();
        scheduler.runAll();
        put(1);
        put(13);
        use.dispose();
        scheduler.runAll();
        assertThat(received).containsExactly("[] beside []", "[key a] beside [u@1]", "then [u@14]", "[] beside [u@14]");
    }

    @Test
    void endsWithWhatItIsDerivedFrom() {
        used(wake -> Derived.filter(rows.hub.feed(), row -> true, wake));
        source.tryEmitNext(new InformerStatus(State.STOPPED, Instant.EPOCH, false, null, 0, null, Map.of(), Map.of()));
        source.tryEmitComplete();
        scheduler.runAll();
        assertThat(ended).isTrue();
    }
}
