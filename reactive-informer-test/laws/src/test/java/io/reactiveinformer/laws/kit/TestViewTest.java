package io.reactiveinformer.laws.kit;

import io.reactiveinformer.controller.Controller;
import io.reactiveinformer.controller.Route;
import io.reactiveinformer.delta.DeletionCause;
import io.reactiveinformer.queue.Result;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.TransportException;
import io.reactiveinformer.test.ChangeVerifier;
import io.reactiveinformer.test.TestClock;
import io.reactiveinformer.test.TestView;
import io.reactiveinformer.view.BacklogOverflowException;
import io.reactiveinformer.view.Delivery;
import io.reactiveinformer.view.InformerStatus;
import io.reactiveinformer.view.InformerStatus.State;
import io.reactiveinformer.view.View;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class TestViewTest {

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final TestClock clock = TestClock.start();
    private final TransportException away = new TransportException("cannot reach the server", null);
    private final TestView<String, Integer> numbers = TestView.create();

    @AfterEach
    void realTime() {
        clock.close();
    }

    @Test
    void tellsWhatIsWritten() {
        ChangeVerifier.of(numbers.put("a", 1).changes())
                .then(numbers::sync)
                .expectInitial("a").expectSynced(1)
                .then(() -> numbers.put("b", 1)).expectAdded("b")
                .then(() -> numbers.put("b", 2)).expectUpdated("b", after -> after == 2)
                .then(() -> numbers.recreate("b", 3)).expectDeleted("b", DeletionCause.OBSERVED).expectAdded("b")
                .then(() -> numbers.remove("b").remove("b")).expectDeleted("b", DeletionCause.OBSERVED)
                .then(() -> numbers.remove("a", DeletionCause.LEFT)).expectDeleted("a", DeletionCause.LEFT)
                .then(numbers::stop)
                .expectComplete().verify(PATIENCE);
    }

    /** With a demand of one object at a time: deletions and the end of what was there take none of it, and what waits is conflated. */
    @Test
    void objectsAreThoseThatAppearOrChange() {
        numbers.list(Map.of("a", 1));
        StepVerifier.create(numbers.objects(), 1)
                .then(() -> clock.advance(Duration.ZERO))
                .expectNext(1)
                .thenRequest(1)
                .then(() -> numbers.remove("a").put("b", 2))
                .then(() -> clock.advance(Duration.ZERO))
                .expectNext(2)
                .then(() -> numbers.put("b", 3).put("b", 4).put("c", 5).remove("c"))
                .then(() -> clock.advance(Duration.ZERO))
                .thenRequest(1)
                .then(() -> clock.advance(Duration.ZERO))
                .expectNext(4)
                .then(numbers::stop)
                .then(() -> clock.advance(Duration.ZERO))
                .expectComplete().verify(PATIENCE);
    }

    @Test
    void objectsOfADeliveryAreDeliveredAsItSays() {
        numbers.list(Map.of("a", 1));
        StepVerifier.create(numbers.objects(Delivery.every(2)), 1)
                .then(() -> clock.advance(Duration.ZERO))
                .expectNext(1)
                .then(() -> numbers.put("a", 2).put("a", 3))
                .thenRequest(2)
                .then(() -> clock.advance(Duration.ZERO))
                .expectNext(2, 3)
                .then(() -> numbers.put("a", 4).put("a", 5).put("a", 6))
                .then(() -> clock.advance(Duration.ZERO))
                .expectError(BacklogOverflowException.class).verify(PATIENCE);
    }

    @Test
    void aListIsOneStepWithItsDifferencesOnly() {
        numbers.list(Map.of("a", 1, "b", 2));
        List<Integer> sizes = new ArrayList<>();
        ChangeVerifier.of(numbers.map(number -> number * 10).changes(Delivery.every(1)))
                .skipUntil("Synced", change -> change.match(a -> false, u -> false, d -> false, s -> true))
                .then(() -> numbers.list(Map.of("b", 2, "c", 3, "d", 4)))
                .then(() -> sizes.add(numbers.snapshot().size()))
                .expectDeleted("a", DeletionCause.INFERRED)
                .expect("Added c or d", change -> change.match(a -> true, u -> false, d -> false, s -> false))
                .expect("Added c or d", change -> change.match(a -> true, u -> false, d -> false, s -> false))
                .thenCancel().verify(PATIENCE);
        assertThat(sizes).containsExactly(3);
    }

    /** Law 10: lists do not count toward the changes that may wait, however few rows they change. */
    @Test
    void aListCountsAsOne() {
        numbers.list(Map.of("a", 1));
        StepVerifier.create(numbers.changes(Delivery.every(1)), 2)
                .then(() -> clock.advance(Duration.ZERO))
                .expectNextCount(2)
                .then(() -> numbers.list(Map.of("a", 2)).list(Map.of("a", 3)).list(Map.of()).put("b", 1))
                .then(() -> clock.advance(Duration.ZERO))
                .thenRequest(4)
                .expectNextCount(4)
                .then(() -> numbers.put("b", 2).put("b", 3))
                .then(() -> clock.advance(Duration.ZERO))
                .expectError(BacklogOverflowException.class)
                .verify(PATIENCE);
    }

    @Test
    void aRowHasOneUidUntilItIsAnother() {
        numbers.list(Map.of("a", 1)).put("a", 2);
        String uid = numbers.snapshot().find("a").uid();
        String version = numbers.snapshot().find("a").resourceVersion();
        assertThat(numbers.put("a", 2).snapshot().find("a").uid()).isEqualTo(uid);
        assertThat(numbers.snapshot().find("a").resourceVersion()).isNotEqualTo(version);
        assertThat(numbers.remove("a").put("a", 2).snapshot().find("a").uid()).isNotEqualTo(uid);
    }

    @Test
    void standsAsTheTestSays() {
        List<State> states = new ArrayList<>();
        numbers.status().map(InformerStatus::state).subscribe(states::add);
        clock.advance(Duration.ofSeconds(10));
        assertThat(status().staleness(clock.now())).as("what was never complete is not fresh").isEqualTo(Duration.ofSeconds(10));
        numbers.list(Map.of());
        assertThat(status().staleness(clock.now())).isZero();
        numbers.disrupt(away);
        clock.advance(Duration.ofSeconds(5));
        numbers.disrupt(away);
        assertThat(status()).extracting(InformerStatus::attempt, InformerStatus::cause).containsExactly(2, away);
        assertThat(status().staleness(clock.now())).isEqualTo(Duration.ofSeconds(5));
        numbers.recover();
        assertThat(status().staleness(clock.now())).isZero();
        numbers.stop();
        assertThat(states).containsExactly(State.LISTING, State.LIVE, State.DISRUPTED, State.DISRUPTED, State.LIVE, State.STOPPED);
        assertThatThrownBy(() -> numbers.put("a", 1)).isInstanceOf(IllegalStateException.class).hasMessageContaining("over");
    }

    private InformerStatus status() {
        return Optional.ofNullable(numbers.status().blockFirst(PATIENCE)).orElseThrow();
    }

    @Test
    void syncedWaitsForTheFirstCompleteState() {
        StepVerifier.create(numbers.synced()).then(() -> numbers.put("a", 1)).expectNoEvent(Duration.ofMillis(1)).then(numbers::sync)
                .expectComplete().verify(PATIENCE);
        TestView<String, Integer> given = TestView.create();
        given.giveUp(away);
        StepVerifier.create(given.synced()).expectErrorMatches(away::equals).verify(PATIENCE);
        StepVerifier.create(given.changes()).expectErrorMatches(away::equals).verify(PATIENCE);
    }

    @Test
    void controllersAndDerivedViewsTakeIt() {
        TestView<ObjectKey, String> nodes = TestView.of(Map.of(ObjectKey.parse("node-1"), "up"));
        TestView<ObjectKey, String> pods = TestView.of(Map.of());
        View<ObjectKey, String> placed = pods.join(nodes, pod -> List.of(ObjectKey.parse(pod)), (pod, on) -> pod + on);
        List<ObjectKey> worked = new ArrayList<>();
        try (Controller<ObjectKey> controller = Controller.named("placed").watches(placed, Route.self())
                .reconcile(request -> Mono.fromRunnable(() -> worked.add(request.key())).thenReturn(Result.done()))) {
            controller.start();
            pods.put(ObjectKey.parse("shop/web"), "node-1");
            clock.advance(Duration.ofSeconds(1));
            nodes.put(ObjectKey.parse("node-1"), "down");
            clock.advance(Duration.ofSeconds(1));
            assertThat(worked).containsExactly(ObjectKey.parse("shop/web"), ObjectKey.parse("shop/web"));
            assertThat(placed.snapshot().list()).containsExactly("node-1[down]");
        }
    }
}
